"""The registry of segmenters, the functions that each must have, and the axes of a segmentation.

A segmenter is a module with these functions (`words` is the shortest example). One that learns no model
needs only `segment`.

    segment(model, sentences, side, seeds, threads) -> list[Segmentation]
    read_model(path) -> model
    types(model, side)                                the types beside single characters that are used
    learned(model)                                    how many such types were learned

A segmenter that learns a model is a package. The module above is its `segmenter`; a second module, its
`learner`, has

    learn(sentences, size, side) -> model
    write_model(model, path)
    alphabet_size(sentences, side)                    how many types there are before any is learned, if these
                                                      are not the single characters of the text

They are two modules so that a change of the code that applies a model does not make it be learned again.
Where the registration says `tagged`, `segment` and `learn` also take `tags`, the part of speech of each
word, and `learn` takes `lexicon`. A segmenter whose model is a file of the user's (`outside`) has, in place
of `read_model`, `types` and `learned`,

    read_model(path, format) -> model
    check(model, side)                                refuses what the model cannot do
    declared(model, side)                             the size of its vocabulary, or None

A segmenter whose tokens need not spell the text (because it normalizes the text or has tokens of bytes)
also maps the tokens of single words to their characters:

    segment_words(model, words, side, seeds) -> list[Segmentation]

`sentences` are lists of words. `side` is a `seggrid.segment.side.Side`, which holds the settings. `seeds`
holds one seed for each sample; where nothing is sampled, it holds one seed, which is not used.

To add a segmenter, write the module and register it in `SEGMENTERS`. To add an axis, add a row to
`AXES` and name it in the registration of each segmenter that reads it: config, paths, stages, tables,
figures and the page follow.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import Any

from seggrid.data.axis import ALL, Axis


@dataclass(frozen=True)
class Registered:
    """What the grid must know of a segmenter without importing it.

    Attributes:
        module: name of the module with its functions.
        label: its name in tables, figures and the page.
        axes: the axes of a side that it reads, beside those of the text (`case`, `sentences`).
        learner: name of the module that learns its model; None where it learns none.
        nested: whether a model contains the models of fewer merges, so that one model serves every number
            of merges. If not, a model is learned for each number.
        size_unit: what the axis `merges` counts: the size of its model.
        tagged: whether it reads the parts of speech of words.
        requires: packages that must be installed.
        outside: whether its model is a file that the user names under `tokenizers` of the pair's side.
    """

    module: str
    label: str
    axes: tuple[str, ...] = ()
    learner: str | None = None
    nested: bool = True
    size_unit: str = "types"
    tagged: bool = False
    outside: bool = False
    requires: tuple[str, ...] = ()

    def load(self) -> ModuleType:
        """Import the segmenter."""
        return import_module(self.module)

    @property
    def learns(self) -> bool:
        """Whether it learns a model from the pair's text."""
        return self.learner is not None

    def load_learner(self) -> ModuleType:
        """Import what learns its model; only of one that learns."""
        assert self.learner is not None
        return import_module(self.learner)


HIDDEN = "hidden"
"""The value of `spaces` with which the segmenter gets a text without word boundaries."""

_MERGING = (
    *("spaces", "scoring", "joint", "vocabulary", "merges", "knockout", "application"),
    *("dropout", "dropout_kind", "dropout_weight"),
)

SEGMENTERS = {
    "words": Registered("seggrid.segment.words", "words"),
    "characters": Registered("seggrid.segment.characters", "characters", ("spaces",)),
    "bpe": Registered(
        "seggrid.segment.bpe.segmenter",
        "BPE",
        _MERGING,
        "seggrid.segment.bpe.learner",
        size_unit="merges",
    ),
    "wordpiece": Registered(
        "seggrid.segment.wordpiece.segmenter",
        "WordPiece",
        ("spaces", "joint", "vocabulary", "merges"),
        "seggrid.segment.wordpiece.learner",
    ),
    "unigram": Registered(
        "seggrid.segment.unigram.segmenter",
        "Unigram",
        ("joint", "vocabulary", "merges", "sampling"),
        "seggrid.segment.unigram.learner",
        nested=False,
    ),
    "wordmap": Registered(
        "seggrid.segment.wordmap.segmenter",
        "Wordmap",
        ("vocabulary", "merges"),
        "seggrid.segment.wordmap.learner",
        size_unit="segments",
    ),
    "lexical": Registered(
        "seggrid.segment.lexical.segmenter",
        "Lexical",
        ("pos", "fallback", "zscore", "least_words", "longest_segment", "merges"),
        "seggrid.segment.lexical.learner",
        tagged=True,
    ),
    "sentencepiece_bpe": Registered(
        "seggrid.segment.sentencepiece.segmenter",
        "sentencepiece BPE",
        ("spaces", "joint", "vocabulary", "merges", "dropout"),
        "seggrid.segment.sentencepiece.learner",
        nested=False,
        requires=("sentencepiece", "google.protobuf"),
    ),
    "sentencepiece_unigram": Registered(
        "seggrid.segment.sentencepiece.segmenter",
        "sentencepiece Unigram",
        ("spaces", "joint", "vocabulary", "merges", "sampling"),
        "seggrid.segment.sentencepiece.learner",
        nested=False,
        requires=("sentencepiece", "google.protobuf"),
    ),
    "byte_bpe": Registered(
        "seggrid.segment.byte_bpe.segmenter",
        "byte-level BPE",
        ("vocabulary", "merges"),
        "seggrid.segment.byte_bpe.learner",
        nested=False,
        size_unit="merges",
        requires=("tokenizers",),
    ),
    "morfessor": Registered(
        "seggrid.segment.morfessor.segmenter",
        "Morfessor",
        ("merges",),
        "seggrid.segment.morfessor.learner",
        nested=False,
        size_unit="morphs",
        requires=("morfessor",),
    ),
    "external": Registered(
        "seggrid.segment.external.segmenter",
        "tokenizer",
        ("tokenizer", "dropout", "sampling"),
        outside=True,
    ),
}

AXES: dict[str, Axis[Any]] = {
    axis.name: axis
    for axis in (
        Axis(
            "segmenter",
            "segmenter",
            "How words are split into tokens.",
            stage="learn",
            default="bpe",
            choices=tuple(SEGMENTERS),
            phrases={name: registered.label for name, registered in SEGMENTERS.items()},
        ),
        Axis(
            "tokenizer",
            "tokenizer",
            "For the segmenter `external`: the name of one of the side's `tokenizers`.",
            kind="text",
            stage="segment",
            default="none",
            phrase="{value}",
        ),
        Axis(
            "case",
            "case",
            "`keep`: case is kept; `first`: the first word of each sentence is lower-cased, as in the "
            "thesis; `lower`: every word is.",
            stage="corpus",
            default="keep",
            choices=("keep", "first", "lower"),
            phrases={"keep": "case kept", "first": "first word lowered", "lower": "lower case"},
        ),
        Axis(
            "sentences",
            "sentences",
            "How much of the pair's text is used: `all`, or a number of lines: those with gold and the first "
            "of the others.",
            kind="count",
            stage="corpus",
            default=ALL,
            neutral=ALL,
            least=1,
            most=1_000_000_000,
            phrase="{value:,} sentences",
            shared=True,
        ),
        Axis(
            "spaces",
            "spaces",
            "Whether tokens stay within words; `hidden`: the segmenter sees the sentence without its spaces, "
            "as in a language that writes none.",
            kind="flag",
            choices=(HIDDEN,),
            stage="learn",
            default=True,
            phrases={"yes": "", "no": "across spaces", HIDDEN: "spaces hidden"},
        ),
        Axis(
            "scoring",
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
        ),
        Axis(
            "pos",
            "part of speech",
            "Part of speech of the words that `lexical` splits into segments and learns them from.",
            stage="learn",
            default="verb",
            choices=("verb", "noun", "name", "adjective", "adverb", "any"),
            phrase="of {value}s",
            phrases={"any": "of all words"},
        ),
        Axis(
            "fallback",
            "fallback",
            "The segmenter that `lexical` uses for all other words.",
            stage="learn",
            default="wordpiece",
            choices=("wordpiece", "bpe"),
            phrase="else {value}",
            phrases={"wordpiece": "else WordPiece", "bpe": "else BPE"},
        ),
        Axis(
            "zscore",
            "z-score",
            "For `lexical`: z-score above which a character counts as part of a functional morpheme; it may "
            "be negative.",
            kind="number",
            stage="learn",
            default=0,
            phrases={"0": ""},
        ),
        Axis(
            "least_words",
            "words a segment",
            "For `lexical`: minimum number of distinct words in which a segment is found.",
            kind="integer",
            stage="learn",
            default=1,
            least=1,
            most=1_000_000,
            phrase="segments of {value}+ words",
            phrases={"1": ""},
        ),
        Axis(
            "longest_segment",
            "longest segment",
            "For `lexical`: maximum number of characters of a segment; 0: any number.",
            kind="integer",
            stage="learn",
            default=0,
            most=1000,
            phrase="segments up to {value}",
            phrases={"0": ""},
        ),
        Axis(
            "joint",
            "joint",
            "Whether one model is learned on the texts of both sides. Then `knockout: trim-50` is "
            "subword-nmt's vocabulary threshold: types with fewer than 50 tokens on their side are split.",
            kind="flag",
            stage="learn",
            default=False,
            neutral=False,
            phrases={"yes": "joint", "no": ""},
        ),
        Axis(
            "vocabulary",
            "vocabulary",
            "In place of `merges`: number of types of the learned vocabulary, single characters included.",
            kind="count",
            stage="learn",
            default="none",
            uncounted="none",
            least=2,
            most=10_000_000,
            phrase="with {value:,} types",
        ),
        Axis(
            "merges",
            "merges",
            "Number of merges applied; for segmenters without merges, types besides single characters.",
            kind="integer",
            stage="prune",
            default=1000,
            most=10_000_000,
            phrase="{value:,}",
        ),
        Axis(
            "knockout",
            "knockout",
            "How the model is pruned: `none`, or a variant such as `blame-0.5`, see docs/knockout.md.",
            kind="text",
            stage="prune",
            default="none",
            neutral="none",
        ),
        Axis(
            "application",
            "application",
            "How merges are applied: `rank`: by rank, standard BPE; `replace`: by literal string "
            "replacement, as in the thesis; `longest`: the merge with the longest result first.",
            stage="segment",
            default="rank",
            choices=("rank", "replace", "longest"),
            phrases={"rank": "", "replace": "by replacement", "longest": "longest merge first"},
        ),
        Axis(
            "dropout",
            "dropout",
            "Rate of BPE-dropout, such as 0.1 or 1/3.",
            kind="rate",
            stage="segment",
            default=0,
            neutral=0,
        ),
        Axis(
            "dropout_kind",
            "dropout kind",
            "What dropout skips: `occurrence`: single applications of merges (Provilkov et al. 2020); "
            "`merge`: a merge in the whole corpus (the thesis).",
            stage="segment",
            default="occurrence",
            choices=("occurrence", "merge"),
            needs="dropout",
            phrases={"occurrence": "", "merge": "of merges"},
        ),
        Axis(
            "dropout_weight",
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
        ),
        Axis(
            "sampling",
            "sampling",
            "For unigram language models: `none`; `alpha-0.1`: draw segmentations in proportion to P(x)^0.1; "
            "`alpha-0.1-best-64`: draw from the 64 best.",
            kind="text",
            stage="segment",
            default="none",
            neutral="none",
            phrase="{value}",
        ),
    )
}
"""The axes of one side, in the order of the fields of `Side` and of the parts of a path."""
