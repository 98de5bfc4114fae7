"""A cell: one point of the grid; and the cells of a config's experiments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING, Any

from seggrid.align import ALIGNERS, spell_alignment
from seggrid.align import AXES as ALIGNER_AXES
from seggrid.base.axis import Axis, escape
from seggrid.grid.axes import CELL_AXES, NOT_AGGREGATED, RESULTS, SIDE_AXES, STAGES, path
from seggrid.score.votes import is_posterior
from seggrid.segment.side import Side, override

if TYPE_CHECKING:
    from seggrid.grid.config import Config
    from seggrid.grid.config.experiments import AxisKeys, Experiment


@dataclass(frozen=True)
class Cell:
    """One point of the grid: one row of `results/scores.csv`. A setting without effect has one value.

    Attributes:
        replicates: number of replicates; 1 if the aligner is not random.
        samples: number of samples; 1 if no side is sampled.
        aggregate: `none` with one sample and without a threshold on probabilities.
        own: the axes that its aligner reads, by name, with their values; they are attributes, too.
    """

    pair: str
    source: Side
    target: Side
    aligner: str
    symmetrization: str
    replicates: int = 1
    samples: int = 1
    aggregate: str = NOT_AGGREGATED
    own: tuple[tuple[str, Any], ...] = ()

    def __getattr__(self, name: str) -> Any:
        """The value of an axis that only some aligners read; None if this cell's does not."""
        if name in ALIGNER_AXES:
            return dict(self.own).get(name)
        raise AttributeError(name)

    def side(self, name: str) -> Side:
        """The segmentation of one side."""
        return self.source if name == "source" else self.target

    @property
    def alignment(self) -> str:
        """The aligner and the axes that it reads, as one part of a path."""
        return spell_alignment(self.aligner, dict(self.own))

    @property
    def sampled(self) -> bool:
        """Whether either side is sampled."""
        return self.source.sampled or self.target.sampled

    @property
    def sides(self) -> str:
        """Which sides are segmented: none, source, target, both (in the same way) or mixed (in two ways)."""
        source, target = self.source.segmenter != "words", self.target.segmenter != "words"
        if source and target:
            return "both" if self.source == self.target else "mixed"
        return "source" if source else "target" if target else "none"

    @property
    def group(self) -> Cell:
        """The cell that represents all cells that differ only in `aggregate`; one job scores them."""
        return replace(self, aggregate=NOT_AGGREGATED)

    def baseline(self) -> Cell:
        """The cell with words on both sides, of the same pair, whose links are made in the same way: in its
        segmentation alone it differs."""
        return self._unsampled(self.source.words(), self.target.words())

    def plain(self) -> Cell:
        """The same cell without dropout and without knockout."""
        return self._unsampled(self.source.plain(), self.target.plain())

    def _unsampled(self, source: Side, target: Side) -> Cell:
        """The cell with other segmentations and one sample, which has no votes of samples."""
        kept = self.aggregate if is_posterior(self.aggregate) else NOT_AGGREGATED
        return replace(self, source=source, target=target, samples=1, aggregate=kept)

    def columns(self) -> dict[str, Any]:
        """The cell's axes as columns of a table; an axis that it does not have is empty. Axes of a
        segmentation are those of the source, or of the target if the source is words; dropout and sampling
        are of the side that has them."""
        main, other = self.source, self.target
        if main.segmenter == "words":
            main, other = other, main
        columns = {"pair": self.pair, "source": str(self.source), "target": str(self.target)}
        for name, axis in SIDE_AXES.items():
            value = getattr(main, name)
            of_sampled = axis.random or (axis.needs is not None and SIDE_AXES[axis.needs].random)
            if of_sampled and not axis.has_effect(value):
                value = getattr(other, name)
            if value is None:
                value = axis.neutral
            if value is None:
                columns[name] = axis.absent
            else:
                columns[name] = axis.spell(value) if axis.kind == "flag" else axis.number(value)
        own = {name: axis.number(getattr(self, name)) for name, axis in CELL_AXES.items()}
        return columns | {name: "" if value is None else value for name, value in own.items()}

    def path(self, stage: str, **values: Any) -> str:
        """The path of this cell's file in a stage from alignment on."""
        own = {axis: getattr(self, axis) for axis in STAGES[stage].axes if axis not in values}
        own |= {"aligner": self.alignment, "aggregate": escape(self.aggregate)}
        return path(stage, **own | values)

    def __str__(self) -> str:
        """A short unique name, made from the path of its scores and the aggregate."""
        name = self.path("score").removeprefix(f"{RESULTS}/score/")
        return f"{name.removesuffix(STAGES['score'].suffix)}/{escape(self.aggregate)}"


def expand(config: Config) -> dict[Cell, tuple[str, ...]]:
    """The cells of all experiments, in a fixed order, each with the names of its experiments; and cells that
    they are compared with (words, and those without dropout and knockout), which may belong to none."""
    wanted: dict[Cell, set[str]] = {}
    for name, experiment in config.experiments.items():
        for cell in cells_of(experiment, experiment.pairs or list(config.pairs)):
            wanted.setdefault(cell, set()).add(name)
    for cell in list(wanted):
        for other in (cell.baseline(), cell.plain()):
            wanted.setdefault(other, set())
    return {cell: tuple(sorted(wanted[cell])) for cell in sorted(wanted, key=_order)}


def _order(cell: Cell) -> tuple[Any, ...]:
    """Sort key: None before any value, thresholds by their text."""

    def comparable(axis: Axis[Any], value: Any) -> tuple[bool, Any]:
        # A flag may have named values besides yes and no.
        spelled = axis.kind == "flag" and value is not None
        return (value is not None, axis.spell(value) if spelled else value)

    sides = [
        tuple(comparable(axis, getattr(side, name)) for name, axis in SIDE_AXES.items())
        for side in (cell.source, cell.target)
    ]
    rest = (cell.aligner, *(value for _, value in cell.own))
    rest += (cell.symmetrization, cell.replicates, cell.samples, cell.aggregate)
    return (cell.pair, *sides, *rest)


def cells_of(experiment: Experiment, pairs: Sequence[str]) -> Iterator[Cell]:
    """The cells of one experiment, pair by pair; a cell may occur twice."""
    for aligner in experiment.values("aligner"):
        every = {axis: experiment.values(axis) for axis in (*SIDE_AXES, *CELL_AXES)}
        every |= {axis: [value] for axis, value in experiment.usual(aligner).items()}
        every["aligner"] = [aligner]
        for values in product(*every.values()):
            common = dict(zip(every, values, strict=True))
            for own in _overrides(experiment.source):
                for other in _overrides(experiment.target):
                    source = Side.from_values(override(common, own))
                    target = Side.from_values(override(common, other))
                    if common["sides"] == "source":
                        target = target.words()
                    elif common["sides"] == "target":
                        source = source.words()
                    for pair in pairs:
                        yield _cell(pair, source, target, common)


def _overrides(own: AxisKeys | None) -> Iterator[dict[str, Any]]:
    given = {} if own is None else own.given()
    for values in product(*given.values()):
        yield dict(zip(given, values, strict=True))


def _cell(pair: str, source: Side, target: Side, common: Mapping[str, Any]) -> Cell:
    """A cell in its canonical form, without axes that have no effect in it."""
    samples = common["samples"] if source.sampled or target.sampled else 1
    aligner, aggregate = ALIGNERS[common["aligner"]], common["aggregate"]
    return Cell(
        pair,
        source,
        target,
        common["aligner"],
        common["symmetrization"] if aligner.directed else "intersect",
        common["replicates"] if aligner.random else 1,
        samples,
        aggregate if samples > 1 or is_posterior(aggregate) else NOT_AGGREGATED,
        tuple((axis, common[axis]) for axis in aligner.axes()),
    )
