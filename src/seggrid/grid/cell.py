"""A cell: one point of the grid."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from seggrid.align import AlignerValues, spell_alignment
from seggrid.base.axis import escape
from seggrid.grid.axes import CELL_AXES, RESULTS, SIDE_AXES, STAGES, path
from seggrid.segment.side import Side

# A cell is sampled if either side is.
_OF_EITHER = frozenset(
    name
    for name, axis in SIDE_AXES.items()
    if axis.random or (axis.needs is not None and SIDE_AXES[axis.needs].random)
)


@dataclass(frozen=True)
class Cell(AlignerValues):
    """One point of the grid: one row of `results/scores.csv`.

    Attributes:
        pair: name of the language pair in the config.
        source, target: the two sides' segmentations.
        aligner: a name in `seggrid.align.ALIGNERS`.
        symmetrization: a name in `seggrid.align.SYMMETRIZATIONS`.
        replicates: number of runs of the same alignment; 1 if the aligner is not random.
        samples: number of samples; 1 if no side is sampled.
        aggregate: `none` (one sample, no threshold on probabilities), or an aggregate as spelled by
            `seggrid.grid.axes.canonical_aggregate`.
    """

    pair: str
    source: Side
    target: Side
    aligner: str
    symmetrization: str
    replicates: int = 1
    samples: int = 1
    aggregate: str = "none"

    def side(self, name: str) -> Side:
        """The segmentation of one side."""
        return self.source if name == "source" else self.target

    @property
    def alignment(self) -> str:
        """The aligner and the axes that it reads, as one part of a path."""
        return spell_alignment(self.aligner, self)

    @property
    def sampled(self) -> bool:
        """Whether either side is sampled."""
        return self.source.sampled or self.target.sampled

    @property
    def sides(self) -> str:
        """The sides that are segmented: none, source, target, both (in the same way) or mixed (in different
        ways)."""
        source, target = self.source.segmenter != "words", self.target.segmenter != "words"
        if source and target:
            return "both" if self.source == self.target else "mixed"
        return "source" if source else "target" if target else "none"

    @property
    def group(self) -> Cell:
        """The cell that represents all cells that differ only in `aggregate`, which one job scores."""
        return replace(self, aggregate="none")

    def baseline(self) -> Cell:
        """The cell of the words of the same pair with the same aligner."""
        return self._unsampled(self.source.words(), self.target.words())

    def plain(self) -> Cell:
        """The same cell without dropout and without knockout."""
        return self._unsampled(self.source.plain(), self.target.plain())

    def _unsampled(self, source: Side, target: Side) -> Cell:
        """The cell with other segmentations and one sample, aligned in the same way."""
        return replace(self, source=source, target=target, samples=1, aggregate="none")

    def columns(self) -> dict[str, Any]:
        """The cell's axes as columns of a table; an axis that it does not have is empty.

        Axes of a segmentation are those of the source side, or of the target side if the source is words.
        Dropout is that of the side that has it.
        """
        main, other = self.source, self.target
        if main.segmenter == "words":
            main, other = other, main
        columns = {"pair": self.pair, "source": str(self.source), "target": str(self.target)}
        for name, axis in SIDE_AXES.items():
            value = getattr(main, name)
            if name in _OF_EITHER and not axis.has_effect(value):
                value = getattr(other, name)
            if value is None:
                value = axis.neutral
            if value is None:
                columns[name] = axis.absent
            else:
                columns[name] = axis.spell(value) if axis.kind == "flag" else axis.number(value)
        of_cell = {name: axis.number(getattr(self, name)) for name, axis in CELL_AXES.items()}
        return columns | {name: "" if value is None else value for name, value in of_cell.items()}

    def path(self, stage: str, **values: Any) -> str:
        """The path of this cell's file in a stage from alignment on."""
        own = {axis: self._part(axis) for axis in STAGES[stage].axes if axis not in values}
        return path(stage, **own, **values)

    def _part(self, axis: str) -> Any:
        if axis == "aggregate":
            return escape(self.aggregate)
        return self.alignment if axis == "aligner" else getattr(self, axis)

    def __str__(self) -> str:
        """A short unique name, made from the path of its scores and the aggregate."""
        name = (
            self.path("score")
            .removeprefix(f"{RESULTS}/score/")
            .removesuffix(STAGES["score"].suffix)
        )
        return f"{name}/{self._part('aggregate')}"
