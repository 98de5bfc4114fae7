"""The axes of a segmentation: a row for each, in the order in which paths name them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from seggrid.base.axis import check_name, row, rows
from seggrid.segment import HIDDEN, LABELS, SEGMENTERS
from seggrid.segment.glossary import canonical_glossary
from seggrid.segment.pruning import canonical_knockout
from seggrid.segment.sampling import canonical_sampling
from seggrid.segment.vocabulary import RULES


@dataclass(frozen=True, order=True)
class SideValues:
    """A value for each axis of a segmentation; None if the segmenter does not read it."""

    segmenter: str = row(
        "segmenter",
        "How words are split into tokens.",
        stage="learn",
        default="bpe",
        choices=SEGMENTERS.keys(),
        phrases=LABELS,
    )
    tokenizer: str | None = row(
        "tokenizer",
        "For the segmenter `external`: the name of one of the side's `tokenizers`.",
        kind="text",
        canonical=check_name,
        stage="segment",
        default="none",
        phrase="{value}",
    )
    case: Literal["keep", "first", "lower"] = row(
        "case",
        "`keep`: case is kept; `first`: the first word of each sentence is lower-cased, as in the "
        "thesis; `lower`: every word is.",
        stage="corpus",
        default="keep",
        choices=("keep", "first", "lower"),
        phrases={"keep": "case kept", "first": "first word lowered", "lower": "lower case"},
    )
    sentences: int | None = row(
        "sentences",
        "How much of the pair's text is used: `all`, or a number of lines: those with gold and the first "
        "of the others.",
        kind="count",
        stage="corpus",
        least=1,
        most=1_000_000_000,
        phrase="{value:,} sentences",
        shared=True,
    )
    glossary: str | None = row(
        "glossary",
        "Words that are never cut: `none`, a regular expression that matches them whole, such as "
        "`\\d+|USA`, in the text's case, or `file:PATH`, one word (or /expression/) a line. A model is "
        "learned without them.",
        kind="text",
        canonical=canonical_glossary,
        stage="learn",
        default="none",
        neutral="none",
        phrase="without cutting {value}",
    )
    spaces: bool | str | None = row(
        "spaces",
        "Whether tokens stay within words; `hidden`: the segmenter sees the sentence without its spaces, "
        "as in a language that writes none.",
        kind="flag",
        choices=(HIDDEN,),
        stage="learn",
        default=True,
        phrases={"yes": "", "no": "across spaces", HIDDEN: "spaces hidden"},
    )
    scoring: str | None = row(
        "scoring",
        "Which score of a pair decides the next merge.",
        stage="learn",
        default="frequency",
        choices=(
            "frequency",
            "likelihood",
            "mutual_information",
            "description_length_gain",
            "frequency_length",
        ),
        phrase="by {value}",
        phrases={"frequency": ""},
    )
    removal: Fraction | None = row(
        "removal",
        "For `picky`: after a merge, a part is removed from the vocabulary if more than this share of its "
        "tokens was merged.",
        kind="rate",
        stage="learn",
        default=Fraction(9, 10),
        phrase="removal {value}",
    )
    transition: int | None = row(
        "transition",
        "For `superbpe`: the number of merges after which they may cross words.",
        kind="integer",
        stage="learn",
        default=800,
        most=10_000_000,
        phrase="across words from {value}",
    )
    pos: str | None = row(
        "part of speech",
        "Part of speech of the words that `lexical` splits into segments and learns them from.",
        stage="learn",
        default="verb",
        choices=("verb", "noun", "name", "adjective", "adverb", "any"),
        phrase="of {value}s",
        phrases={"any": "of all words"},
    )
    fallback: str | None = row(
        "fallback",
        "The segmenter that `lexical` uses for all other words.",
        stage="learn",
        default="wordpiece",
        choices=("wordpiece", "bpe"),
        phrase="else {value}",
        phrases={"wordpiece": "else WordPiece", "bpe": "else BPE"},
    )
    zscore: Fraction | None = row(
        "z-score",
        "For `lexical`: z-score above which a character counts as part of a functional morpheme; it may "
        "be negative.",
        kind="number",
        stage="learn",
        default=Fraction(0),
        phrases={"0": ""},
    )
    least_words: int | None = row(
        "words a segment",
        "For `lexical`: minimum number of distinct words in which a segment is found.",
        kind="integer",
        stage="learn",
        default=1,
        least=1,
        most=1_000_000,
        phrase="segments of {value}+ words",
        phrases={"1": ""},
    )
    longest_segment: int | None = row(
        "longest segment",
        "For `lexical`: maximum number of characters of a segment; 0: any number.",
        kind="integer",
        stage="learn",
        default=0,
        most=1000,
        phrase="segments up to {value}",
        phrases={"0": ""},
    )
    joint: bool | None = row(
        "joint",
        "Whether one model is learned on the texts of both sides, as `parity` always does. Then "
        "`knockout: trim-50` is subword-nmt's vocabulary threshold: types with fewer than 50 tokens on "
        "their side are split.",
        kind="flag",
        stage="learn",
        default=False,
        neutral=False,
        phrases={"yes": "joint", "no": ""},
    )
    vocabulary: int | None = row(
        "vocabulary",
        "In place of `merges`: number of types of the learned vocabulary, single characters included.",
        kind="count",
        stage="learn",
        uncounted="none",
        least=2,
        most=10_000_000,
        phrase="with {value:,} types",
    )
    merges: int | None = row(
        "merges",
        "Number of merges applied; for segmenters without merges, and `picky`, types besides single "
        "characters.",
        kind="integer",
        stage="prune",
        default=1000,
        most=10_000_000,
        phrase="{value:,}",
    )
    knockout: str | None = row(
        "knockout",
        "How the model is pruned: `none`, or a variant such as `blame-0.5`, see docs/knockout.md.",
        kind="text",
        canonical=canonical_knockout,
        stage="prune",
        default="none",
        neutral="none",
    )
    application: str | None = row(
        "application",
        "How merges are applied: `rank`: by rank, standard BPE; `replace`: by literal string "
        "replacement, as in the thesis; `longest`: the merge with the longest result first. Or "
        "the vocabulary alone splits words, without merges or probabilities: `left`, `right`: the "
        "longest type from the left "
        "or right; `flota`: the longest anywhere; `least`: fewest tokens.",
        stage="segment",
        default="rank",
        choices=("rank", "replace", "longest", *RULES),
        phrases={
            "rank": "",
            "replace": "by replacement",
            "longest": "longest merge first",
            "left": "longest from the left",
            "right": "longest from the right",
            "flota": "longest anywhere first",
            "least": "fewest tokens",
        },
    )
    dropout: Fraction | None = row(
        "dropout",
        "Rate of BPE-dropout, such as 0.1 or 1/3.",
        kind="rate",
        stage="segment",
        default=Fraction(0),
        neutral=Fraction(0),
        random=True,
    )
    dropout_kind: str | None = row(
        "dropout kind",
        "What dropout skips: `occurrence`: single applications of merges (Provilkov et al. 2020); "
        "`merge`: a merge in the whole corpus (the thesis); `nested`: the same, and a sample skips the same "
        "merges at every size.",
        stage="segment",
        default="occurrence",
        choices=("occurrence", "merge", "nested"),
        needs="dropout",
        phrases={"occurrence": "", "merge": "of merges", "nested": "of the same merges"},
    )
    dropout_weight: str | None = row(
        "dropout weight",
        "Which merges dropout skips more often, with the same expected share of skipped applications: "
        "`uniform`: all alike; `rank`: late ones; `frequency`: frequent ones; `blame`: those that delete "
        "morpheme boundaries.",
        stage="prune",
        default="uniform",
        neutral="uniform",
        choices=("uniform", "rank", "frequency", "blame"),
        needs="dropout",
        phrase="by {value}",
    )
    sampling: str | None = row(
        "sampling",
        "For unigram language models: `none`; `alpha-0.1`: draw segmentations in proportion to P(x)^0.1; "
        "`alpha-0.1-best-64`: draw from the 64 best.",
        kind="text",
        canonical=canonical_sampling,
        stage="segment",
        default="none",
        neutral="none",
        random=True,
        phrase="{value}",
    )


AXES = rows(SideValues)
"""The axes of a segmentation by name."""


FORMER = {
    "supermerges": "use segmenter: superbpe with a transition, or segmenter: boundless",
    "balance": "use segmenter: parity, which always learns on both texts",
}
"""What took the place of axes that there were."""


def changes_nothing(axis: str, value: Any) -> bool:
    """Whether a value describes what a segmenter does that does not read the axis."""
    return not AXES[axis].has_effect(value) or (axis, value) == ("spaces", True)
