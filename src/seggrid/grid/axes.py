"""The axes of the grid, and which of them each stage's files depend on.

`STAGES` is the one place that says so. A file's path is made from that table by `path`, Snakemake's
patterns by `pattern`, and a cell's targets by `Cell.value`, so that a path names exactly the axes
that its file depends on, from the stage that first uses them.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache
from typing import Any

from seggrid.align import ALIGNERS
from seggrid.segment import SEGMENTERS

RESULTS = "results"

# The axes of one side's segmentation, in the order in which the stages come to use them.
CORPUS = ("case",)
LEARN = ("segmenter", *CORPUS, "spaces", "scoring", "learnt")
PRUNE = ("segmenter", *CORPUS, "spaces", "scoring", "merges", "knockout")
SEGMENT = (*PRUNE, "application", "dropout", "dropout_kind")


@dataclass(frozen=True)
class Stage:
    """What the files of a stage depend on.

    Attributes:
        axes: the path's parts, in order. `spec` stands for all of `side_axes` of one side, and
            `source` and `target` for all of `SEGMENT` of either.
        side_axes: the axes of one side that `spec` holds.
        suffix: how the file's name ends.
    """

    axes: tuple[str, ...]
    suffix: str
    side_axes: tuple[str, ...] = ()


_ALIGN = ("pair", "source", "target", "aligner")

STAGES = {
    "corpus": Stage(("pair", "side", "spec"), ".txt", CORPUS),
    "gold": Stage(("pair",), ".npz"),
    "learn": Stage(("pair", "side", "spec"), ".model", LEARN),
    "prune": Stage(("pair", "side", "spec"), ".model", PRUNE),
    # `part` is a run of samples, `4-7`, or `0-0` where there is no dropout.
    "segment": Stage(("pair", "side", "spec", "part"), ".npz", SEGMENT),
    "align": Stage((*_ALIGN, "replicate", "part"), ".npz"),
    # One job symmetrises, projects, aggregates a cell's samples in every way asked for and scores
    # the results: a new threshold redoes that job, which takes hardly longer than its start.
    "score": Stage((*_ALIGN, "symmetrization", "replicates", "samples"), ".npz"),
}


def path(stage: str, **values: Any) -> str:
    """The path of one file of a stage, relative to the working directory.

    >>> path("corpus", pair="eng-deu", side="source", spec="case=first")
    'results/corpus/eng-deu/source/case=first.txt'
    """
    parts = [f"{axis}={values[axis]}" if axis in _NAMED else values[axis] for axis in _axes(stage)]
    return "/".join([RESULTS, stage, *map(str, parts)]) + STAGES[stage].suffix


def pattern(stage: str) -> str:
    """The same path with a wildcard for each axis, as Snakemake wants it.

    >>> pattern("corpus")
    'results/corpus/{pair}/{side}/{spec}.txt'
    """
    return path(stage, **{axis: f"{{{axis}}}" for axis in _axes(stage)})


def _axes(stage: str) -> tuple[str, ...]:
    return STAGES[stage].axes


# A bare number in a path would not say what it counts.
_NAMED = frozenset({"replicate", "replicates", "samples"})


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
    def of(cls, values: dict[str, Any]) -> Side:
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
        """Whether a model is learnt for it."""
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
        return Side.of({**values, **{axis: _NEUTRAL[axis] for axis in read}})

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
    "learnt": int,
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
    parsed.pop("learnt", None)
    axes = SEGMENTERS[segmenter].axes
    defaults = {axis: value for axis, value in _NEUTRAL.items() if axis in axes}
    return Side(segmenter, **{**defaults, **parsed})


@dataclass(frozen=True, order=True)
class Cell:
    """One point of the grid: one row of `results/scores.csv`.

    Attributes:
        pair: name of the language pair in the config.
        source, target: the two sides' segmentations.
        aligner: a name in `seggrid.align.ALIGNERS`.
        symmetrization: a name in `seggrid.align.symmetrize.HEURISTICS`.
        replicates: how often the same alignment is repeated; 1 where the aligner is deterministic.
        samples: number of dropout samples; 1 where there is no dropout.
        aggregate: `none` (no dropout), `union`, `intersection`, or a threshold as text.
    """

    pair: str
    source: Side
    target: Side
    aligner: str
    symmetrization: str
    replicates: int = 1
    samples: int = 1
    aggregate: str = "none"

    @property
    def sampled(self) -> bool:
        """Whether either side has dropout."""
        return self.source.sampled or self.target.sampled

    @property
    def deterministic(self) -> bool:
        """Whether the same input gives the same scores."""
        return ALIGNERS[self.aligner].deterministic

    @property
    def sides(self) -> str:
        """Which sides are segmented: none, source, target, both (alike) or mixed (unlike)."""
        source, target = self.source.segmenter != "words", self.target.segmenter != "words"
        if source and target:
            return "both" if self.source == self.target else "mixed"
        return "source" if source else "target" if target else "none"

    @property
    def group(self) -> Cell:
        """The cells that one job scores, as one of them: all that differ in `aggregate` alone."""
        return Cell(*(getattr(self, f.name) for f in fields(self) if f.name != "aggregate"))

    def baseline(self) -> Cell:
        """The words of the same pair under the same aligner."""
        return Cell(
            self.pair,
            self.source.words(),
            self.target.words(),
            self.aligner,
            self.symmetrization,
            self.replicates,
        )

    def plain(self) -> Cell:
        """The same cell without dropout and without knockout."""
        return Cell(
            self.pair,
            self.source.plain(),
            self.target.plain(),
            self.aligner,
            self.symmetrization,
            self.replicates,
        )

    def value(self, axis: str) -> Any:
        """The value that a path's part takes for this cell."""
        return getattr(self, axis)

    def path(self, stage: str, **values: Any) -> str:
        """The path of this cell's file in a stage from alignment on."""
        own = {axis: getattr(self, axis) for axis in _axes(stage) if axis not in values}
        return path(stage, **own, **values)

    def __str__(self) -> str:
        """A short unique name: the path of its scores, and the aggregate."""
        score = path("score", **{axis: getattr(self, axis) for axis in _axes("score")})
        name = score.removeprefix(f"{RESULTS}/score/").removesuffix(STAGES["score"].suffix)
        return f"{name}/{self.aggregate}"
