"""Inputs and parameters of the rules `measure`, `encode`, `align`, `score` and `ensemble`.

Samples are computed in parts, which are planned here.
"""

from __future__ import annotations

import json
from functools import cached_property
from pathlib import Path

from seggrid.align import ENCODING
from seggrid.base.rational import spell_rational
from seggrid.grid.axes import STAGES, tables_folder
from seggrid.grid.cell import Cell
from seggrid.grid.grid import Grid
from seggrid.grid.samples import Part, cover, first_parts, part_name, parts_in
from seggrid.workflow.rules.sides import Segmented, Sides


class Alignments:
    """The alignments of a grid, and their scores.

    The parts of an alignment are planned together for all cells that use it. If each cell planned its own
    parts, a part added for one cell would, at the next run, look like a changed input of another cell.

    Args:
        grid: the grid.
        sides: its segmentations.
    """

    def __init__(self, grid: Grid, sides: Sides) -> None:
        self._grid, self._sides = grid, sides
        self._planned: dict[str, list[Part]] = {}

    @cached_property
    def groups(self) -> dict[str, Cell]:
        """By score file, the cell that represents all cells scored by that file's job (`Cell.group`)."""
        return {group.path("score"): group for group in self._grid.groups}

    def score_files(self) -> list[str]:
        """The scores of every cell."""
        return list(self.groups)

    def replicates(self, group: Cell) -> list[list[str]]:
        """For each replicate, the files of links that a score job reads: existing parts, and new parts for
        the samples that they lack."""
        return [
            [
                group.path("align", replicate=replicate, part=part_name(part))
                for part in first_parts(self._parts(group, replicate), group.samples)
            ]
            for replicate in range(group.replicates)
        ]

    def parts_of(self, cell: Cell) -> list[str]:
        """The names of the parts with a cell's samples, in its first replicate."""
        return [part_name(part) for part in first_parts(self._parts(cell, 0), cell.samples)]

    def _parts(self, cell: Cell, replicate: int) -> list[Part]:
        """The parts with all samples of a cell's alignment that any cell needs."""
        folder = _folder(cell, replicate)
        if folder not in self._planned:
            present = parts_in(folder, STAGES["align"].suffix)
            most = self._most_samples[folder]
            self._planned[folder] = cover(most, present, self._grid.config.batch)
        return self._planned[folder]

    @cached_property
    def _most_samples(self) -> dict[str, int]:
        most: dict[str, int] = {}
        for group in self._grid.groups:
            for replicate in range(group.replicates):
                folder = _folder(group, replicate)
                most[folder] = max(group.samples, most.get(folder, 0))
        return most

    @cached_property
    def _first_parts(self) -> dict[Segmented, Part]:
        """For each segmentation, the part with its first sample; the shortest if there are several."""
        first: dict[Segmented, Part] = {}
        for group in self._grid.groups:
            part = self._parts(group, 0)[0]
            for own in self._sides.both(group.pair, group.source, group.target):
                first[own] = min(part, first.get(own, part))
        return first

    def measure_files(self) -> list[str]:
        """The files of measures of every segmentation."""
        return [own.path("measure") for own in sorted(self._first_parts, key=Segmented.order)]

    def first_sample(self, own: Segmented) -> str:
        """The name of the part of a segmentation's samples that has the first sample."""
        return own.path("segment", part_name(self._first_parts[own]))

    def aligner_options(self, aligner: str) -> str:
        """The options of an aligner in the config, as JSON."""
        return json.dumps(self._grid.config.aligners.options(aligner), sort_keys=True)

    def layers(self, own: Segmented) -> list[int]:
        """The layers whose vectors are saved for a side; an empty list means all layers."""
        keep = self._grid.config.aligners.options(ENCODING)["keep_layers"]
        return [] if keep == "all" else sorted(self._layers[own])

    @cached_property
    def _layers(self) -> dict[Segmented, set[int]]:
        layers: dict[Segmented, set[int]] = {}
        for cell in self._grid.experiments:
            if cell.layer is not None:
                for own in self._sides.both(cell.pair, cell.source, cell.target):
                    layers.setdefault(own, set()).add(cell.layer)
        return layers


def _folder(cell: Cell, replicate: int) -> str:
    return str(Path(cell.path("align", replicate=replicate, part="x")).parent)


class Ensembles:
    """The ensembles of a grid; methods take the name of an ensemble.

    Args:
        grid: the grid.
    """

    def __init__(self, grid: Grid) -> None:
        self._grid = grid

    def member_cells(self, name: str, pair: str) -> list[Cell]:
        """The cells of a pair that are members of an ensemble, in the order of the tables."""
        members = {*self._grid.config.ensemble[name].members}
        cells = self._grid.experiments.items()
        return [cell for cell, names in cells if cell.pair == pair and members & {*names}]

    def voting_pairs(self, name: str) -> list[str]:
        """The pairs with at least two member cells."""
        return [pair for pair in self._grid.pairs if len(self.member_cells(name, pair)) > 1]

    def file(self, name: str, pair: str, ending: str) -> str:
        """A file of a pair's vote: its scores (`csv`), the weights (`votes.csv`) or its links (`links`)."""
        return str(tables_folder(self._grid.config.study) / f"ensemble/{name}/{pair}.{ending}")

    def score_files(self, name: str, pair: str) -> list[str]:
        """The score files of the members."""
        return list(dict.fromkeys(cell.path("score") for cell in self.member_cells(name, pair)))

    def members(self, name: str, pair: str) -> str:
        """The members as JSON: name, score file, aggregate and number of votes. A cell in several experiments
        has the largest of their numbers."""
        entry = self._grid.config.ensemble[name]

        def votes(cell: Cell) -> int:
            names = self._grid.experiments[cell]
            return max(entry.weights.get(m, 1) for m in names if m in entry.members)

        cells = self.member_cells(name, pair)
        return json.dumps([[str(c), c.path("score"), c.aggregate, votes(c)] for c in cells])

    def options(self, name: str) -> list[str]:
        """The script's options for weights and threshold."""
        entry = self._grid.config.ensemble[name]
        choice = entry.choose
        if choice is None:
            return [f"--threshold={spell_rational(entry.threshold)}"]
        return ["--choose", f"--folds={choice.folds}", f"--penalty={choice.penalty}"]

    def seed(self, name: str) -> int:
        """The config's seed; 0 if there is no cross-validation."""
        return 0 if self._grid.config.ensemble[name].choose is None else self._grid.config.seed
