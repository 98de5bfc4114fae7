"""Plan the parts into which the samples of alignments are divided."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from pathlib import Path

from seggrid.grid.axes import STAGES
from seggrid.grid.cell import Cell
from seggrid.grid.samples import Part, cover, first_parts, part_name, parts_in


class SampleParts:
    """The parts of every alignment, planned together for all cells that read them.

    If each cell planned its own parts, a part that one cell adds would be a changed input of another cell at
    the next run.

    Args:
        groups: the groups of cells that one job scores, see `Cell.group`.
        batch: the most samples of a new part.
    """

    def __init__(self, groups: Collection[Cell], batch: int) -> None:
        self._groups, self._batch = groups, batch
        self._planned: dict[str, list[Part]] = {}

    def files(self, group: Cell, replicate: int) -> list[str]:
        """The files of links of a group's samples: existing parts, and new parts for the other samples."""
        return [
            group.path("align", replicate=replicate, part=part_name(part))
            for part in first_parts(self.planned(group, replicate), group.samples)
        ]

    def planned(self, group: Cell, replicate: int) -> list[Part]:
        """The parts with all samples of a group's alignment that any group needs."""
        alignment = self._folder(group, replicate)
        if alignment not in self._planned:
            present = parts_in(alignment, STAGES["align"].suffix)
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

    @staticmethod
    def _folder(group: Cell, replicate: int) -> str:
        return str(Path(group.path("align", replicate=replicate, part="x")).parent)
