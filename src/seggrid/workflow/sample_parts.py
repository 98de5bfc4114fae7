"""Which parts of an alignment's samples there are, and are to be."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from pathlib import Path

from seggrid.grid.axes import STAGES
from seggrid.grid.cell import Cell
from seggrid.grid.samples import Part, cover, first_parts, part_name, parts_in


class SampleParts:
    """The parts of every alignment, planned once for all cells that read it.

    Were each cell to plan its own, what one of them adds would be taken for a change of another's inputs
    at the next run.

    Args:
        groups: the cells that one job scores, see `Cell.group`.
        batch: samples of a new part, at most.
    """

    def __init__(self, groups: Iterable[Cell], batch: int) -> None:
        self._groups, self._batch = groups, batch
        self._planned: dict[str, list[Part]] = {}

    def files(self, group: Cell, replicate: int) -> list[str]:
        """The links of a group's samples: parts that are there, and new ones for the rest."""
        return [
            group.path("align", replicate=replicate, part=part_name(part))
            for part in first_parts(self.planned(group, replicate), group.samples)
        ]

    def planned(self, group: Cell, replicate: int) -> list[Part]:
        """The parts that hold all samples of a group's alignment that any group asks for."""
        alignment = _folder(group, replicate)
        if alignment not in self._planned:
            present = parts_in(alignment, STAGES["align"].suffix)
            self._planned[alignment] = cover(self._most_samples[alignment], present, self._batch)
        return self._planned[alignment]

    @cached_property
    def _most_samples(self) -> dict[str, int]:
        most: dict[str, int] = {}
        for group in self._groups:
            for replicate in range(group.replicates):
                alignment = _folder(group, replicate)
                most[alignment] = max(group.samples, most.get(alignment, 0))
        return most


def _folder(group: Cell, replicate: int) -> str:
    return str(Path(group.path("align", replicate=replicate, part="x")).parent)
