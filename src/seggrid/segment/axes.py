"""The axes of a segmentation, in the order in which paths name them.

Those of the text, and those that several segmenters read, are rows of `SideValues`; those of one segmenter
are in its class.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from typing import Any, Literal

from seggrid.base.axis import Axis, check_name
from seggrid.segment import HIDDEN, SEGMENTERS
from seggrid.segment.glossary import canonical_glossary
from seggrid.segment.segmenter import Segmenter
from seggrid.segment.variants import NONE, canonical_knockout, parse_sampling
from seggrid.segment.vocabulary import RULES

LABELS = {name: segmenter.label for name, segmenter in SEGMENTERS.items()}
"""The labels of segmenters by name."""


def row(description: str, **settings: Any) -> Any:
    """A field of `SideValues` with its `Axis`, which has its name."""
    return field(default=None, metadata={"axis": Axis("", description, **settings)})


@dataclass(frozen=True, order=True)
class SideValues:
    """A value for each axis of a segmentation; None if the segmenter does not read it.

    They are fields, not rows, since modules of all rooms read them, and types are checked only of fields.
    """

    segmenter: str = row(
        "How words are split into tokens.",
        stage="learn",
        default="bpe",
        choices=SEGMENTERS.keys(),
        phrases=LABELS,
    )
    tokenizer: str | None = row(
        "For the segmenter `external`: the name of one of the side's `tokenizers`.",
        kind="text",
        canonical=check_name,
        stage="segment",
        default="none",
        phrase="{value}",
    )
    case: Literal["keep", "first", "lower"] = row(
        "`keep`: case is kept; `first`: the first word of each sentence is lower-cased, as in the "
        "thesis; `lower`: every word is.",
        stage="corpus",
        default="keep",
        choices=("keep", "first", "lower"),
        phrases={"keep": "case kept", "first": "first word lowered", "lower": "lower case"},
    )
    sentences: int | None = row(
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
        "Words that are never cut: `none`, a regular expression that matches them whole, such as "
        "`\\d+|USA`, in the text's case (in lower case, it is lower-cased too), or `file:PATH`, one word (or "
        "/expression/) a line. A model is learned without them.",
        kind="text",
        canonical=canonical_glossary,
        stage="learn",
        default="none",
        neutral="none",
        phrase="without cutting {value}",
    )
    spaces: bool | str | None = row(
        "Whether tokens stay within words; `hidden`: the segmenter sees the sentence without its spaces, "
        "as in a language that writes none.",
        kind="flag",
        choices=(HIDDEN,),
        stage="learn",
        default=True,
        phrases={"yes": "", "no": "across spaces", HIDDEN: "spaces hidden"},
    )
    own: tuple[tuple[str, Any], ...] = ()
    """The values of the axes that the segmenter's class declares, by name; paths name these here."""
    joint: bool | None = row(
        "Whether one model is learned on the texts of both sides, as for `parity` and `bilingual`. Then "
        "`knockout: trim-50` is subword-nmt's vocabulary threshold: types with fewer than 50 tokens on "
        "their side are split.",
        kind="flag",
        stage="learn",
        default=False,
        neutral=False,
        phrases={"yes": "joint", "no": ""},
    )
    vocabulary: int | None = row(
        "In place of `merges`: number of types of the learned vocabulary, single characters included.",
        kind="count",
        stage="learn",
        uncounted="none",
        least=2,
        most=10_000_000,
        phrase="with {value:,} types",
    )
    merges: int | None = row(
        "Number of merges applied; for segmenters without merges, and `picky`, types besides single "
        "characters.",
        kind="integer",
        stage="prune",
        default=1000,
        most=10_000_000,
        phrase="{value:,}",
    )
    knockout: str | None = row(
        "How the model is pruned: `none`, or a variant such as `blame-0.5`, see docs/knockout.md.",
        kind="text",
        canonical=canonical_knockout,
        stage="prune",
        default="none",
        neutral="none",
    )
    application: str | None = row(
        "How words are split. By merges: `rank`: the earliest learned first, as in standard BPE; "
        "`replace`: each in turn in the whole text, as in the thesis; `longest`: the one with the longest "
        "result first. By the vocabulary alone: `left`, `right`: the longest type from that end; `flota`: "
        "the longest anywhere; `least`: into the fewest types.",
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
        "Rate of BPE-dropout, such as 0.1 or 1/3.",
        kind="rate",
        stage="segment",
        default=Fraction(0),
        neutral=Fraction(0),
        random=True,
    )
    dropout_kind: str | None = row(
        "What dropout skips: `occurrence`: each application of a merge by itself (Provilkov et al. 2020); "
        "`merge`: a merge in the whole corpus (the thesis); `nested`: as `merge`, and models of all sizes "
        "skip the same ones.",
        stage="segment",
        default="occurrence",
        choices=("occurrence", "merge", "nested"),
        needs="dropout",
        phrases={"occurrence": "", "merge": "of merges", "nested": "of the same merges"},
    )
    dropout_weight: str | None = row(
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
        "How segmentations are drawn: `none`; `alpha-0.1`: from a unigram language model, in proportion to "
        "P(x)^0.1; `alpha-0.1-best-64`: from the 64 best; `grampa-0.5`: half of the words are drawn "
        "uniformly from all segmentations into types of the vocabulary (GRaMPa); `grampa-0.5-least-2`: into "
        "types of 2 or more characters, where possible; `stochastok-0.1`: tokens are split into two types, "
        "a tenth as often as there are tokens (StochasTok).",
        kind="text",
        canonical=lambda name: str(parse_sampling(name) or NONE),
        stage="segment",
        default="none",
        neutral="none",
        random=True,
        phrase="{value}",
    )


def _collected() -> dict[str, Axis[Any]]:
    """All axes by name: those of segmenters, in the order of the registry, stand where `own` does."""
    axes: dict[str, Axis[Any]] = {}
    for each in fields(SideValues):
        if each.name == "own":
            axes |= {axis.name: axis for one in SEGMENTERS.values() for axis in one.own_axes}
        else:
            axes[each.name] = replace(each.metadata["axis"], name=each.name)
    return axes


AXES = _collected()
"""The axes of a segmentation by name; plug-ins add to them."""


def register_segmenter(name: str, segmenter: type[Segmenter]) -> None:
    """Add a segmenter to the registry, and its own axes to `AXES`."""
    segmenter.name = name
    SEGMENTERS[name], LABELS[name] = segmenter, segmenter.label
    axes = _collected()
    AXES.clear()
    AXES.update(axes)


def changes_nothing(axis: str, value: Any) -> bool:
    """Whether a value describes what a segmenter does that does not read the axis."""
    return not AXES[axis].has_effect(value) or (axis, value) == ("spaces", True)
