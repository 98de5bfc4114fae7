"""How one side of a pair is segmented, and how that is spelled in paths and tables."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache
from typing import Any

from seggrid.segment import SEGMENTERS

# The axes of one side's segmentation, in the order in which the stages come to use them.
CORPUS = ("case",)
LEARN = ("segmenter", *CORPUS, "spaces", "scoring", "learned")
PRUNE = ("segmenter", *CORPUS, "spaces", "scoring", "merges", "knockout")
SEGMENT = (*PRUNE, "application", "dropout", "dropout_kind")


@dataclass(frozen=True, order=True)
class Side:
    """How one side of a pair is segmented. An axis that the segmenter does not read is None.

    Attributes:
        segmenter: a name in `seggrid.segment.SEGMENTERS`.
        case: `keep`; `first`: each sentence's first word in lower case; `lower`: every word.
        spaces: whether units stay within words.
        scoring: how learning ranks pairs.
        merges: how many merges (or, for a vocabulary, types beside single characters) are used.
        knockout: which of them are pruned, `none` or a variant of `seggrid.morphology`.
        application: `rank`, or `replace`, the thesis's literal string replacement.
        dropout: rate, 0 to 1.
        dropout_kind: `occurrence`, or `merge`; None where `dropout` is 0.
    """

    segmenter: str
    case: str = "keep"
    spaces: bool | None = None
    scoring: str | None = None
    merges: int | None = None
    knockout: str | None = None
    application: str | None = None
    dropout: float | None = None
    dropout_kind: str | None = None

    @classmethod
    def from_values(cls, values: dict[str, Any]) -> Side:
        """From a value for every axis, keeping those that the segmenter reads."""
        read = {"segmenter", "case", *SEGMENTERS[values["segmenter"]].axes}
        kept = {axis: values[axis] for axis in SIDE_AXES if axis in read}
        if not kept.get("dropout"):
            kept.pop("dropout_kind", None)
        return cls(**kept)

    @property
    def sampled(self) -> bool:
        """Whether samples of it differ."""
        return bool(self.dropout)

    @property
    def learns(self) -> bool:
        """Whether a model is learned for it."""
        return SEGMENTERS[self.segmenter].learns

    @property
    def pruned(self) -> bool:
        """Whether that model is pruned."""
        return self.knockout not in (None, "none")

    def without_dropout(self) -> Side:
        """The same segmentation, every merge kept."""
        return self._neutral("dropout")

    def plain(self) -> Side:
        """The same segmentation, every merge kept and nothing pruned."""
        return self._neutral(*_NEUTRAL)

    def _neutral(self, *left_out: str) -> Side:
        values = {axis: getattr(self, axis) for axis in SIDE_AXES}
        read = [axis for axis in left_out if values[axis] is not None]
        return Side.from_values({**values, **{axis: _NEUTRAL[axis] for axis in read}})

    def words(self) -> Side:
        """The words that it segments."""
        return Side("words", self.case)

    def spec(self, axes: tuple[str, ...] = SEGMENT, **derived: Any) -> str:
        """The values of some axes as one part of a path; a value of None or `none` is left out.

        `+` joins them, for a comma would end the value where Snakemake hands wildcards to the jobs
        of a cluster.

        >>> Side("words", "first").spec()
        'words+case=first'
        """
        parts = []
        for axis in axes:
            value = derived[axis] if axis in derived else getattr(self, axis)
            if value is None or value == "none" or (axis == "dropout" and not value):
                continue
            parts.append(value if axis == "segmenter" else f"{axis}={_text(value)}")
        return "+".join(parts)

    def __str__(self) -> str:
        return _full_spec(self)


@cache
def _full_spec(side: Side) -> str:
    # A grid of 10,000 cells asks for a few hundred sides a hundred thousand times.
    return side.spec()


SIDE_AXES = tuple(field.name for field in fields(Side))


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)


_NEUTRAL = {"knockout": "none", "dropout": 0.0}
"""The values that leave a segmentation as it is; a spec does not name them."""

_PARSE = {
    "spaces": lambda text: text == "yes",
    "merges": int,
    "learned": int,
    "dropout": float,
}


@cache
def parse_spec(text: str) -> Side:
    """The side that `Side.spec()` wrote.

    >>> parse_spec("words+case=first")
    Side(segmenter='words', case='first', spaces=None, scoring=None, merges=None, knockout=None, application=None, dropout=None, dropout_kind=None)
    """  # noqa: E501
    segmenter, *rest = text.split("+")
    values = dict(part.split("=", 1) for part in rest)
    parsed = {axis: _PARSE.get(axis, str)(value) for axis, value in values.items()}
    parsed.pop("learned", None)
    axes = SEGMENTERS[segmenter].axes
    defaults = {axis: value for axis, value in _NEUTRAL.items() if axis in axes}
    return Side(segmenter, **{**defaults, **parsed})
