"""What rules ask for alignments: measure, encode, align and score, and the parts of samples."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from functools import cached_property
from pathlib import Path

from seggrid.align import ALIGNERS, ENCODING, read_alignment
from seggrid.data.sides import SIDES
from seggrid.grid.axes import STAGES, path
from seggrid.grid.cell import Cell
from seggrid.grid.grid import Grid
from seggrid.grid.samples import Part, cover, first_parts, part_name, parts_in
from seggrid.segment.side import parse_spec
from seggrid.workflow.rules.sides import NO_SAMPLES, Sides


class Alignments:
    """The alignments of a grid, and their scores.

    Args:
        grid: the grid.
        sides: its segmentations.
    """

    def __init__(self, grid: Grid, sides: Sides) -> None:
        self._grid = grid
        self._sides = sides

    @cached_property
    def _samples(self) -> SampleParts:
        return SampleParts(self._grid.groups, self._grid.config.batch)

    @cached_property
    def _groups_by_file(self) -> dict[str, Cell]:
        return {group.path("score"): group for group in self._grid.groups}

    def score_files(self) -> list[str]:
        """The scores of every cell."""
        return list(self._groups_by_file)

    def replicates(self, wildcards: Mapping[str, str]) -> list[list[str]]:
        """The files of links of each replicate, which a score job reads."""
        group = self._group(wildcards)
        return [self._samples.files(group, replicate) for replicate in range(group.replicates)]

    def parts_of(self, cell: Cell) -> list[str]:
        """The names of the parts with the samples of a cell, in its first replicate."""
        planned = self._samples.planned(cell.group, 0)
        return [part_name(part) for part in first_parts(planned, cell.samples)]

    def aggregates(self, wildcards: Mapping[str, str]) -> list[str]:
        """The aggregates that a score job makes."""
        return self._grid.groups[self._group(wildcards)]

    def _group(self, wildcards: Mapping[str, str]) -> Cell:
        return self._groups_by_file[path("score", **wildcards)]

    def measure_files(self) -> list[str]:
        """The measures of every segmentation."""
        return [
            path("measure", pair=pair, side=side, spec=spec)
            for pair, side, spec in sorted(self._first_parts)
        ]

    def first_sample(self, pair: str, side: str, spec: str) -> str:
        """The part of a side's samples with the first sample."""
        return self._sides.segmentation(
            pair, side, spec, part_name(self._first_parts[pair, side, spec])
        )

    @cached_property
    def _first_parts(self) -> dict[tuple[str, str, str], Part]:
        """The part with the first sample of every side; the shortest if there are several."""
        first: dict[tuple[str, str, str], Part] = {}
        for group in self._grid.groups:
            part = self._samples.planned(group, 0)[0]
            for side in SIDES:
                key = (group.pair, side, str(getattr(group, side)))
                first[key] = min(part, first.get(key, part))
        return first

    def align_seed(self, aligner: str) -> int:
        """The config's seed; 0 if the aligner takes none."""
        return self._grid.config.seed if ALIGNERS[read_alignment(aligner)[0]].seeded else 0

    def aligner_options(self, aligner: str) -> str:
        """The options in the config of the aligner that a part of a path names, as JSON."""
        return json.dumps(
            self._grid.config.aligner_options(read_alignment(aligner)[0]), sort_keys=True
        )

    @staticmethod
    def aligner_module(aligner: str) -> str:
        """The module of the aligner that a part of a path names."""
        return ALIGNERS[read_alignment(aligner)[0]].module

    def encoded(self, pair: str, side: str, spec: str, part: str) -> str:
        """The encoded tokens of one part of a side's samples; without dropout, of the only part."""
        own = part if parse_spec(spec).sampled else NO_SAMPLES
        return path("encode", pair=pair, side=side, spec=spec, part=own)

    def layers(self, pair: str, side: str, spec: str) -> list[int]:
        """The layers that are kept of a side's encoded tokens; an empty list stands for all."""
        keep = self._grid.config.aligner_options(ENCODING)["keep_layers"]
        return [] if keep == "all" else sorted(self._layers[pair, side, spec])

    @cached_property
    def _layers(self) -> dict[tuple[str, str, str], set[int]]:
        asked: dict[tuple[str, str, str], set[int]] = {}
        for cell in self._grid.experiments:
            if cell.layer is not None:
                for side in SIDES:
                    where = (cell.pair, side, str(cell.side(side)))
                    asked.setdefault(where, set()).add(cell.layer)
        return asked


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
