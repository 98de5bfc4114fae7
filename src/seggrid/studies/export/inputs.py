"""Inputs and parameters of the rules beside this file."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from seggrid.align import ALIGNERS
from seggrid.align.aligner import CountingAligner, Keeps
from seggrid.grid.axes import path
from seggrid.grid.cell import Cell
from seggrid.grid.recipes import recipe_of
from seggrid.grid.rules.inputs import Function, Inputs, Wildcards, options, with_axes
from seggrid.grid.samples import Part
from seggrid.studies.export.study import Exports
from seggrid.text.selection import slices

KEEPS = with_axes(name for name, entry in ALIGNERS.items() if issubclass(entry, Keeps))
SHARES = with_axes(name for name, entry in ALIGNERS.items() if issubclass(entry, CountingAligner))
"""Aligners whose models are kept, and those of them whose slices share counts, as patterns."""


class ExportInputs(Inputs):
    """What the rules of exports ask."""

    def part_mb(self, wc: Wildcards) -> float:
        """The size of the part of a text that a job aligns."""
        size = Part.from_text(wc.lines).size if hasattr(wc, "lines") else int(wc.drawn)
        return min(1, size / max(1, self.files.lines(wc.pair))) * self.text_mb(wc)

    def samples_of_cell(self, wc: Wildcards) -> int:
        """The number of samples."""
        return int(wc.samples)

    @property
    def whole_text(self) -> dict[str, Function]:
        """What all parts of a text are aligned from."""
        return {
            "source": lambda wc: self.source(wc).whole_text,
            "target": lambda wc: self.target(wc).whole_text,
            "source_model": lambda wc: self.source(wc).exact or [],
            "target_model": lambda wc: self.target(wc).exact or [],
        }

    def settings_of_part(self, wc: Wildcards) -> list[str]:
        """The settings that are not in each of the paths."""
        own = ("symmetrization", "aggregate", "drawn", "lines")
        return options({name: getattr(wc, name) for name in own if hasattr(wc, name)})

    def cut(self, pair: str, size: int) -> list[Part]:
        """The names of the slices of a pair's text, each of `size` sentence pairs."""
        return [Part(*lines) for lines in slices(self.files.lines(pair), size)]

    def counts_of_all(self, wc: Wildcards) -> list[str]:
        """The counts of all slices."""
        return [
            path("counted", **{**wc, "lines": lines}) for lines in self.cut(wc.pair, int(wc.parts))
        ]

    def wholes(self, cell: Cell) -> list[str]:
        """The folders with all links of a cell, in order."""
        return [cell.path("whole", replicate=0, part=part) for part in self.grid.parts(cell)]

    def slice_of(self, export: str, cell: Cell, lines: Any) -> str:
        """The folder of a slice of a cell's text; `*` stands for any `lines`."""
        entry = Exports.given(self.config)[export]
        if issubclass(ALIGNERS[cell.aligner], CountingAligner):
            return cell.path("shared", parts=entry.parts, lines=lines)
        return cell.path("slice", drawn=entry.sample, lines=lines)

    @cached_property
    def _cells(self) -> dict[str, Cell]:
        return {str(cell): cell for cell in self.grid.experiments}

    def cell(self, wc: Wildcards) -> Cell:
        """The cell that is exported."""
        return self._cells[f"{wc.pair}/{wc.cell}"]

    def inputs(self, wc: Wildcards) -> list[str]:
        """What a file of links or tokens is made of."""
        cell, parts = self.cell(wc), Exports.given(self.config)[wc.export].parts
        if parts is not None:
            return [self.slice_of(wc.export, cell, lines) for lines in self.cut(cell.pair, parts)]
        if wc.what == "links":
            return self.wholes(cell)
        own = self.grid.segmented(cell.pair, wc.what, cell.side(wc.what))
        return [own.path("segment", self.grid.parts(cell)[0])]

    def settings(self, wc: Wildcards) -> list[str]:
        """How that file is made."""
        cell, entry = self.cell(wc), Exports.given(self.config)[wc.export]
        wanted = entry.links if wc.what == "links" else entry.tokens
        layout: dict[str, Any] = dict(
            self.files.part_of_layout(cell.pair, training=wanted == "all")
        )
        if entry.parts is not None:
            # A pattern, since thousands of names would not fit into a command.
            sizes = [self.files.lines(cell.pair), entry.parts]
            pattern = self.slice_of(wc.export, cell, "*")
            return options(layout | {"slices": pattern, "cut": sizes, "what": wc.what})
        if wc.what != "links":
            return options(layout | {"segmentation": self.inputs(wc)[0]})
        how = {name: getattr(cell, name) for name in ("symmetrization", "samples", "aggregate")}
        return options(layout | how | {"alignments": self.wholes(cell)})

    def models(self, wc: Wildcards) -> dict[str, Any]:
        """The models of the segmenters by side, and the folders of others."""
        cell, entry = self.cell(wc), Exports.given(self.config)[wc.export]
        if entry.parts is not None:
            return {"folders": [cell.path("kept", drawn=entry.sample)]}
        learned = {f"{own.side}_model": own.exact for own in self.grid.both(cell) if own.exact}
        keeps = issubclass(ALIGNERS[cell.aligner], Keeps)
        return learned | {"folders": self.wholes(cell) if keeps else []}

    def recipe(self, wc: Wildcards) -> list[str]:
        """The recipe and the models that are written."""
        cell = self.cell(wc)
        given = self.config.aligners.options(cell.aligner)
        recipe = recipe_of(cell, f"Of the export {wc.export}.", given).text()
        return options({"recipe": recipe, "samples": cell.samples} | self.models(wc))
