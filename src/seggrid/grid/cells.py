"""From the config's experiments to the cells of the grid."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

from seggrid.align import ALIGNERS
from seggrid.errors import InputError
from seggrid.grid.axes import CELL_AXES, SIDE_AXES, canonical_aggregate
from seggrid.grid.cell import Cell
from seggrid.grid.config import blame
from seggrid.morphology.variants import parse_knockout
from seggrid.segment import SEGMENTERS
from seggrid.segment.side import Side


def expand(
    config: Mapping[str, Any], config_files: Sequence[str | Path] = ()
) -> dict[Cell, tuple[str, ...]]:
    """The cells of all experiments, in a fixed order, each with the experiments that want it.

    Cells that others are measured against (the words, and BPE without dropout or knockout) are added; they
    belong to no experiment unless one asks for them.

    Raises:
        InputError: an experiment names a pair that is not there, or a value that nothing can run.
    """
    wanted: dict[Cell, set[str]] = {}
    for name, experiment in config["experiments"].items():
        where = ["experiments", name]
        _check_values(experiment, config, where, config_files)
        for cell in _cells(experiment, list(config["pairs"])):
            _check_cell(cell, config, where, config_files)
            wanted.setdefault(cell, set()).add(name)
    for cell in list(wanted):
        for other in (cell.baseline(), cell.plain()):
            wanted.setdefault(other, set())
    return {cell: tuple(sorted(wanted[cell])) for cell in sorted(wanted, key=_order)}


def _order(cell: Cell) -> tuple:
    """Sort key: None before any value, thresholds by their text."""
    sides = [
        tuple((value is not None, value) for value in (getattr(side, axis) for axis in SIDE_AXES))
        for side in (cell.source, cell.target)
    ]
    rest = (cell.aligner, cell.symmetrization, cell.replicates, cell.samples, cell.aggregate)
    return (cell.pair, *sides, *rest)


def _cells(experiment: Mapping[str, Any], pairs: list[str]) -> Iterator[Cell]:
    axes = (*SIDE_AXES, *CELL_AXES)
    for values in product(*(experiment[axis] for axis in axes)):
        common = dict(zip(axes, values, strict=True))
        for own in _overrides(experiment.get("source", {})):
            for other in _overrides(experiment.get("target", {})):
                source, target = (
                    Side.from_values({**common, **own}),
                    Side.from_values({**common, **other}),
                )
                if common["sides"] == "source":
                    target = target.words()
                elif common["sides"] == "target":
                    source = source.words()
                for pair in experiment.get("pairs", pairs):
                    yield _cell(pair, source, target, common)


def _overrides(axes: Mapping[str, list]) -> Iterator[dict[str, Any]]:
    for values in product(*axes.values()):
        yield dict(zip(axes, values, strict=True))


def _cell(pair: str, source: Side, target: Side, common: Mapping[str, Any]) -> Cell:
    """A cell in its one canonical form: what an axis cannot change is not in it."""
    sampled = source.sampled or target.sampled
    return Cell(
        pair,
        source,
        target,
        common["aligner"],
        common["symmetrization"],
        1 if ALIGNERS[common["aligner"]].deterministic else common["replicates"],
        common["samples"] if sampled else 1,
        canonical_aggregate(common["aggregate"]) if sampled else "none",
    )


def _check_values(
    experiment: Mapping[str, Any],
    config: Mapping[str, Any],
    where: list[str],
    config_files: Sequence[str | Path],
) -> None:
    def check(axis: str, known: Sequence[str], values: Sequence[str], *inside: str) -> None:
        for value in values:
            if value not in known:
                raise blame(
                    f"{'.'.join([*where, *inside])}: no {axis} {value!r}",
                    [*where, *inside, axis],
                    config_files,
                    f"there are: {', '.join(known)}",
                )

    check("pairs", list(config["pairs"]), experiment.get("pairs", []))
    check("aligner", list(ALIGNERS), experiment["aligner"])
    for inside in ((), ("source",), ("target",)):
        axes = experiment
        for key in inside:
            axes = experiment.get(key, {})
        check("segmenter", list(SEGMENTERS), axes.get("segmenter", []), *inside)
        for value in axes.get("knockout", []):
            try:
                parse_knockout(value)
            except InputError as error:
                at = [*where, *inside, "knockout"]
                raise blame(error.message, at, config_files, error.hint) from None
    for value in experiment["aggregate"]:
        try:
            canonical_aggregate(value)
        except InputError as error:
            at = [*where, "aggregate"]
            raise blame(f"{'.'.join(at)}: {error.message}", at, config_files, error.hint) from None


def _check_cell(
    cell: Cell, config: Mapping[str, Any], where: list[str], config_files: Sequence[str | Path]
) -> None:
    """Refuse a combination of values that nothing can run."""
    for name, side in (("source", cell.source), ("target", cell.target)):
        if side.application == "replace" and side.dropout_kind == "occurrence":
            raise blame(
                f"{'.'.join(where)}: application replace knows no single occurrences to drop",
                [*where, "application"],
                config_files,
                "use dropout_kind: merge, or application: rank",
            )
        if side.pruned and parse_knockout(side.knockout).method == "dropout":
            raise blame(
                f"{'.'.join(where)}: knockout {side.knockout} is a rate of dropout, no pruned model",
                [*where, "knockout"],
                config_files,
                "use it under morphology, or the axis dropout here",
            )
        needs = side.pruned and parse_knockout(side.knockout).needs_reference
        if needs and "morphemes" not in config["pairs"][cell.pair][name]:
            raise blame(
                f"{'.'.join(where)}: knockout {side.knockout} needs the morphemes of the "
                f"{name} side of {cell.pair}",
                [*where, "knockout"],
                config_files,
                f"add pairs.{cell.pair}.{name}.morphemes",
            )
