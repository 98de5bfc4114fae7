"""Which parts of an alignment's samples there are, and are to be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path

from seggrid.grid.axes import STAGES
from seggrid.grid.cell import Cell
from seggrid.grid.samples import Part, cover, first_parts, part_name, parts_in
from seggrid.score.aggregates import is_posterior


class SampleParts:
    """The parts of every alignment, planned once for all cells that read it.

    If each cell planned its own, parts that one cell adds would count as changed inputs of another
    at the next run.

    Args:
        groups: the cells that one job scores, see `Cell.group`, with the aggregates it makes.
        batch: samples of a new part, at most.
    """

    def __init__(self, groups: Mapping[Cell, Sequence[str]], batch: int) -> None:
        self._groups, self._batch = groups, batch
        # One file serves all cells of an alignment, those that only count votes too.
        self._with_posteriors = {
            _alignment(group)
            for group, aggregates in groups.items()
            if any(map(is_posterior, aggregates))
        }
        self._planned: dict[str, list[Part]] = {}

    def files(self, group: Cell, replicate: int) -> list[str]:
        """The links of a group's samples: parts that are there, and new ones for the rest."""
        return [
            group.path(self._stage(group), replicate=replicate, part=part_name(part))
            for part in first_parts(self.planned(group, replicate), group.samples)
        ]

    def planned(self, group: Cell, replicate: int) -> list[Part]:
        """The parts that hold all samples of a group's alignment that any group asks for."""
        alignment = self._folder(group, replicate)
        if alignment not in self._planned:
            present = parts_in(alignment, STAGES[self._stage(group)].suffix)
            self._planned[alignment] = cover(self._most_samples[alignment], present, self._batch)
        return self._planned[alignment]

    @cached_property
    def _most_samples(self) -> dict[str, int]:
        most: dict[str, int] = {}
        for group in self._groups:
            for replicate in range(group.replicates):
                alignment = self._folder(group, replicate)
                most[alignment] = max(group.samples, most.get(alignment, 0))
        return most

    def _stage(self, group: Cell) -> str:
        """The stage whose files hold a group's links."""
        return "posteriors" if _alignment(group) in self._with_posteriors else "align"

    def _folder(self, group: Cell, replicate: int) -> str:
        return str(Path(group.path(self._stage(group), replicate=replicate, part="x")).parent)


def _alignment(group: Cell) -> tuple[object, ...]:
    """What a group's alignments, of all replicates, depend on."""
    return group.pair, group.source, group.target, group.aligner
