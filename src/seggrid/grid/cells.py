"""Expand the config's experiments into the cells of the grid."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

from seggrid.align import ALIGNERS
from seggrid.base.axis import Axis
from seggrid.grid.axes import CELL_AXES, SIDE_AXES
from seggrid.grid.cell import Cell
from seggrid.score.aggregates import is_posterior
from seggrid.segment.side import Side, override

if TYPE_CHECKING:
    from seggrid.grid.config.models import Config
    from seggrid.grid.config.models.experiments import AxisKeys, Experiment


def expand(config: Config) -> dict[Cell, tuple[str, ...]]:
    """The cells of all experiments, in a fixed order, each with the names of its experiments.

    Cells that others are compared with (words, and the cells without dropout and knockout) are added. They
    belong to no experiment, unless one contains them.

    Args:
        config: a checked config.
    """
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
    sides = [
        tuple(_comparable(axis, getattr(side, name)) for name, axis in SIDE_AXES.items())
        for side in (cell.source, cell.target)
    ]
    rest = (cell.aligner, *(getattr(cell, axis) for axis in ALIGNERS[cell.aligner].axes))
    rest += (cell.symmetrization, cell.replicates, cell.samples, cell.aggregate)
    return (cell.pair, *sides, *rest)


def _comparable(axis: Axis[Any], value: Any) -> tuple[bool, Any]:
    # A flag may have named values beside yes and no.
    spelled = axis.kind == "flag" and value is not None
    return (value is not None, axis.spell(value) if spelled else value)


def cells_of(experiment: Experiment, pairs: Sequence[str]) -> Iterator[Cell]:
    """The cells of one experiment, pair by pair. A cell that follows from two settings occurs twice."""
    axes = (*SIDE_AXES, *CELL_AXES)
    for values in product(*map(experiment.values, axes)):
        common = dict(zip(axes, values, strict=True))
        for own in _overrides(experiment.source):
            for other in _overrides(experiment.target):
                source, target = (
                    Side.from_values(override(common, own)),
                    Side.from_values(override(common, other)),
                )
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
    sampled = source.sampled or target.sampled
    aligner, aggregate = ALIGNERS[common["aligner"]], common["aggregate"]
    return Cell(
        pair,
        source,
        target,
        common["aligner"],
        common["symmetrization"] if aligner.directed else "intersect",
        common["replicates"] if aligner.random else 1,
        common["samples"] if sampled else 1,
        aggregate if sampled or is_posterior(aggregate) else "none",
        **{axis: common[axis] for axis in aligner.axes},
    )
