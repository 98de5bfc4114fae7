"""What the rules for exports take from the grid: files, inputs and options of scripts."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import chain

from seggrid.align import ALIGNERS
from seggrid.corpus.selection import slices
from seggrid.data.sides import SIDES
from seggrid.errors import InputError, InputErrors, suggestion
from seggrid.grid.axes import path, tables_folder
from seggrid.grid.cell import Cell
from seggrid.grid.config.models.exports import Export
from seggrid.grid.grid import Grid
from seggrid.grid.recipes import recipe_of
from seggrid.grid.samples import part_name
from seggrid.segment import SEGMENTERS
from seggrid.workflow.rules.alignments import Alignments, Ensembles
from seggrid.workflow.rules.sides import Segmented, Sides

ENDINGS = {"plain": ".txt", "gz": ".txt.gz", "zst": ".txt.zst"}

LINKS, MODELS = "links", "models"

VOTE = "ensemble/"
"""The beginning of the name of an ensemble, which stands in paths in place of a cell's, after the pair."""

Wildcards = Mapping[str, str]


class Exports:
    """The exports of a grid.

    Args:
        grid: the grid.
        sides, alignments, ensembles: the segmentations, alignments and ensembles of the grid.
    """

    def __init__(
        self, grid: Grid, sides: Sides, alignments: Alignments, ensembles: Ensembles
    ) -> None:
        self._grid, self._sides, self._alignments = grid, sides, alignments
        self._ensembles = ensembles
        self._entries = grid.config.export

    @cached_property
    def _by_name(self) -> dict[str, Cell]:
        return {str(cell): cell for cell in self._grid.experiments}

    def cells(self, name: str) -> list[Cell]:
        """The cells of an export, in the order of the tables."""
        asked, named = {*self._experiments(name)}, {*(self._entries[name].cells or [])}
        cells = self._grid.experiments.items()
        return [cell for cell, names in cells if asked & {*names} or str(cell) in named]

    def _experiments(self, name: str) -> list[str]:
        """The experiments of an export, and the members of its ensembles."""
        entry = self._entries[name]
        members = [self._grid.config.ensemble[own].members for own in entry.ensembles or []]
        return list(dict.fromkeys(chain(entry.experiments or [], *members)))

    def _votes(self, name: str) -> dict[str, tuple[str, str]]:
        """Each ensemble of an export with each of its pairs, by the name under which the links are
        written."""
        return {
            f"{pair}/{VOTE}{own}": (own, pair)
            for own in self._entries[name].ensembles or []
            for pair in self._ensembles.voting_pairs(own)
        }

    # Checks

    def check(self, name: str) -> None:
        """Refuse an export of cells that do not exist or cannot be exported.

        Raises:
            InputErrors: all mistakes of the export.
        """
        entry = self._entries[name]
        found = [
            f"no cell {cell!r} ({suggestion(cell, list(self._by_name))})"
            for cell in entry.cells or []
            if cell not in self._by_name
        ]
        for cell in self.cells(name):
            in_parts = entry.parts is not None
            message = self._error_in_parts(cell) if in_parts else self._error_as_whole(cell, entry)
            if message:
                found.append(message)
        if found:
            errors = [InputError(f"export.{name}: {message}") for message in dict.fromkeys(found)]
            raise InputErrors(errors)

    @staticmethod
    def _error_as_whole(cell: Cell, entry: Export) -> str | None:
        """Why a cell cannot be exported as a whole; None if it can."""
        aligner = ALIGNERS[cell.aligner]
        aligns = entry.links != "none" or entry.models
        if cell.source.sentences is not None:
            return (
                f"a cell of {cell.source.sentences:,} sentences has no links of the others "
                "(add parts: 100000, or export one with sentences: all)"
            )
        if aligns and aligner.encodes:
            return f"{cell.aligner} encodes only the sentences with gold (use another aligner)"
        if aligns and aligner.random and not aligner.seeded:
            return f"{cell.aligner} would draw links other than the scored ones (use gibbs)"
        return None

    @staticmethod
    def _error_in_parts(cell: Cell) -> str | None:
        """Why a cell cannot be exported in parts; None if it can."""
        if not ALIGNERS[cell.aligner].keeps:
            keeping = " or ".join(name for name, entry in ALIGNERS.items() if entry.keeps)
            return f"{cell.aligner} keeps no model with which parts can be aligned (use {keeping})"
        for side in (cell.source, cell.target):
            segmenter = SEGMENTERS[side.segmenter]
            if segmenter.tagged or segmenter.outside:
                return f"{side.segmenter} cannot cut parts of a text (leave parts out)"
        return None

    # Files

    @property
    def folder(self) -> str:
        """The folder of all exports."""
        return str(tables_folder(self._grid.config.study) / "export")

    def files(self) -> list[str]:
        """All files of all exports."""
        return [
            file
            for name, entry in self._entries.items()
            for file in (
                *self._of_cells(name),
                *([self.table(name)] if entry.links != "none" else []),
            )
        ]

    def table(self, name: str) -> str:
        """The table of the cells of an export."""
        return f"{self.folder}/{name}/cells.csv"

    def _of_cells(self, name: str) -> list[str]:
        entry = self._entries[name]
        ending = ENDINGS[entry.format]
        whats = [LINKS] if entry.links != "none" else []
        whats += SIDES if entry.tokens != "none" else []
        files = [f"{what}{ending}" for what in whats] + [MODELS] * entry.models
        folder = f"{self.folder}/{name}"
        of_cells = [f"{folder}/{cell}/{file}" for cell in self.cells(name) for file in files]
        return of_cells + [f"{folder}/{vote}/{LINKS}{ending}" for vote in self._votes(name)]

    def link_files(self, name: str) -> list[str]:
        """The files of links of an export: of its cells, in order, then of its ensembles."""
        names = [*map(str, self.cells(name)), *self._votes(name)]
        return [self._links(name, own) for own in names]

    def _links(self, name: str, cell: str) -> str:
        """The file of links of a cell or an ensemble, given by name; `*` stands for any name."""
        return f"{self.folder}/{name}/{cell}/{LINKS}{ENDINGS[self._entries[name].format]}"

    # Inputs of the files

    def _cell(self, wildcards: Wildcards) -> Cell:
        return self._by_name[f"{wildcards['pair']}/{wildcards['cell']}"]

    def inputs(self, wildcards: Wildcards) -> list[str]:
        """The inputs of a file of links, or of the tokens of one side."""
        if vote := self._vote(wildcards):
            name, pair = vote
            cells = self._ensembles.member_cells(name, pair)
            links = [self._links(wildcards["export"], str(cell)) for cell in cells]
            return [self._ensembles.file(name, pair, "votes.csv"), *links]
        cell = self._cell(wildcards)
        if self._entries[wildcards["export"]].parts is not None:
            return self._slices(wildcards["export"], cell)
        if wildcards["what"] == LINKS:
            return self._wholes(cell)
        side = self._sides.of(cell.pair, wildcards["what"], cell.side(wildcards["what"]))
        return [side.path("segment", self._alignments.parts_of(cell)[0])]

    def _vote(self, wildcards: Wildcards) -> tuple[str, str] | None:
        """The ensemble and the pair of a file; None if the file belongs to a cell."""
        return self._votes(wildcards["export"]).get(f"{wildcards['pair']}/{wildcards['cell']}")

    def _wholes(self, cell: Cell) -> list[str]:
        parts = self._alignments.parts_of(cell)
        return [cell.path("whole", replicate=0, part=part) for part in parts]

    def _slices(self, name: str, cell: Cell) -> list[str]:
        entry = self._entries[name]
        assert entry.parts is not None, "the export has no parts"
        return [self._slice(name, cell, lines) for lines in self._cut(cell.pair, entry.parts)]

    def _slice(self, name: str, cell: Cell, lines: str) -> str:
        """The links and tokens of a slice of a cell's text; `*` stands for any `lines`."""
        entry = self._entries[name]
        if ALIGNERS[cell.aligner].shares:
            return cell.path("shared", parts=entry.parts, lines=lines)
        return cell.path("slice", drawn=entry.sample, lines=lines)

    def _cut(self, pair: str, size: int) -> list[str]:
        """The names of the slices of a pair's text, each of `size` sentence pairs."""
        return [part_name(lines) for lines in slices(self._sides.files.lines(pair), size)]

    def counted(self, wildcards: Wildcards) -> list[str]:
        """The folders with the counts of all slices, which the rule `summed` adds up."""
        every = self._cut(wildcards["pair"], int(wildcards["parts"]))
        return [path("counted", **{**wildcards, "lines": lines}) for lines in every]

    def counted_options(self, wildcards: Wildcards) -> list[str]:
        """The options of the script that adds up the counts of all slices."""
        # A pattern, since thousands of names would not fit into a command.
        pattern = path("counted", **{**wildcards, "lines": "*"})
        cut = self._sides.files.lines(wildcards["pair"]), wildcards["parts"]
        return [f"--slices={pattern}", "--cut", *map(str, cut)]

    def options(self, wildcards: Wildcards) -> list[str]:
        """The options of the script that writes a file of links or tokens."""
        name, what = wildcards["export"], wildcards["what"]
        if vote := self._vote(wildcards):
            # The table of votes has the names of the members, whose links the script reads.
            votes = self._ensembles.file(*vote, "votes.csv")
            return [f"--votes={votes}", f"--members={self._links(name, '*')}"]
        cell, entry = self._cell(wildcards), self._entries[name]
        key = LINKS if what == LINKS else "tokens"
        options = self._sides.files.layout(cell.pair, training=getattr(entry, key) == "all")
        if entry.parts is not None:
            # A pattern, since thousands of names would not fit into a command.
            pattern = self._slice(name, cell, "*")
            counts = (self._sides.files.lines(cell.pair), entry.parts)
            return [*options, f"--slices={pattern}", "--cut", *map(str, counts), f"--what={what}"]
        if what != LINKS:
            return [*options, "--segmentation", *self.inputs(wildcards)]
        options += [f"--symmetrization={cell.symmetrization}", f"--samples={cell.samples}"]
        return [*options, f"--aggregate={cell.aggregate}", "--alignments", *self.inputs(wildcards)]

    def model_inputs(self, wildcards: Wildcards) -> list[str]:
        """The inputs of the folder of a cell's models."""
        cell, entry = self._cell(wildcards), self._entries[wildcards["export"]]
        if entry.parts is not None:
            return [cell.path("kept", drawn=entry.sample)]
        learned = self.learned(self._sides.both(cell.pair, cell.source, cell.target))
        keeps = ALIGNERS[cell.aligner].keeps
        return [*learned.values(), *(self._wholes(cell) if keeps else [])]

    def model_options(self, wildcards: Wildcards) -> list[str]:
        """The options of the script that writes the folder of a cell's models."""
        cell, entry = self._cell(wildcards), self._entries[wildcards["export"]]
        options = self._grid.config.aligners.options(cell.aligner)
        recipe = recipe_of(cell, f"Of the export {wildcards['export']}.", options)
        arguments = [f"--recipe={recipe.text()}", f"--samples={cell.samples}"]
        if entry.parts is not None:
            return [*arguments, "--folders", *self.model_inputs(wildcards)]
        arguments += self.learned_options(self._sides.both(cell.pair, cell.source, cell.target))
        folders = self._wholes(cell) if ALIGNERS[cell.aligner].keeps else []
        return [*arguments, *(["--folders", *folders] if folders else [])]

    @staticmethod
    def learned(sides: Sequence[Segmented]) -> dict[str, str]:
        """The segmenter model of each side, with only the merges that the cell uses. Sides whose segmenter
        learns nothing are left out."""
        return {own.side: own.exact for own in sides if own.exact}

    def learned_options(self, sides: Sequence[Segmented]) -> list[str]:
        """The options of a script with the segmenters' models."""
        return [f"--{side}-model={file}" for side, file in self.learned(sides).items()]

    # The table of cells

    def gold_files(self, name: str) -> list[str]:
        """The gold alignments of the pairs of an export."""
        return [path("gold", pair=pair) for pair in sorted({c.pair for c in self.cells(name)})]

    def score_files(self, name: str) -> list[str]:
        """The files of the scores of an export's cells and ensembles."""
        votes = [self._ensembles.file(*vote, "csv") for vote in self._votes(name).values()]
        return [*dict.fromkeys(cell.path("score") for cell in self.cells(name)), *votes]

    def table_options(self, name: str) -> list[str]:
        """The options of the script that writes the table: cells, files of links, and the layout of each
        pair."""
        entry = self._entries[name]
        chosen = {"experiments": self._experiments(name), "cells": entry.cells or []}
        votes = [
            (vote, pair, self._ensembles.file(own, pair, "csv"))
            for vote, (own, pair) in self._votes(name).items()
        ]
        training = entry.links == "all"
        layouts = {
            pair: self._sides.files.layout(pair, training=training)
            for pair in sorted({cell.pair for cell in self.cells(name)})
        }
        return [
            f"--chosen={json.dumps(chosen)}",
            f"--votes={json.dumps(votes)}",
            f"--files={self._links(name, '*')}",
            f"--layouts={json.dumps(layouts)}",
        ]
