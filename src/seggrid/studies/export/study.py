"""The study `export`: its key of a config, its checks, its stages and files."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, ClassVar

from pydantic import Field

from seggrid.align import ALIGNERS
from seggrid.align.aligner import Keeps
from seggrid.base.errors import InputError, InputErrors, suggestion
from seggrid.grid.axes import ALIGN, Stage, tables_folder
from seggrid.grid.cell import Cell
from seggrid.grid.config import Config
from seggrid.grid.config.read import ConfigFindings
from seggrid.grid.config.values import Name
from seggrid.grid.cost import Cost, Most
from seggrid.grid.grid import Grid
from seggrid.grid.study import Check, Study
from seggrid.segment import SEGMENTERS
from seggrid.studies.export.config import Export, check_export
from seggrid.text.sides import SIDES


class Exports(Study):
    """Links, tokens and models of some cells."""

    key = "export"
    value: ClassVar[Any] = (
        dict[Name, Export],
        Field(
            {},
            description="Named exports of cells: links and tokens of all sentence pairs, and the models.",
        ),
    )
    of_experiments = True
    stages: ClassVar = {
        # For exports: a folder with the links of all sentence pairs, and the aligner's model.
        "whole": Stage((*ALIGN, "replicate", "part"), ""),
        # Of an aligner that shares: what it counts in a slice of both texts, such as the `lines` 0-9999; the
        # sum of slices of `parts` sentence pairs; and a slice's links and tokens with what the others
        # counted.
        "counted": Stage((*ALIGN, "samples", "lines"), ""),
        "summed": Stage((*ALIGN, "samples", "parts"), ""),
        "shared": Stage((*ALIGN, "symmetrization", "samples", "aggregate", "parts", "lines"), ""),
        # Models, links and tokens of a sample of `drawn` sentence pairs; and, of other aligners, the links
        # and tokens of a slice by these models.
        "kept": Stage((*ALIGN, "symmetrization", "samples", "aggregate", "drawn"), ""),
        "slice": Stage((*ALIGN, "symmetrization", "samples", "aggregate", "drawn", "lines"), ""),
    }
    costs: ClassVar = {
        # The same job as `align`.
        "whole": Cost(aligns=1.0, most=Most(700, 300, 2, 2.0)),
        # Texts are read line by line, but the words, segmentations and links of the lines in memory are
        # large.
        "kept": Cost(aligns=1.0, most=Most(700, 500, 3, 3.0)),
        "slice": Cost(aligns=0.5, most=Most(700, 500, 3, 1.0)),
        "counted": Cost(aligns=1.0, most=Most(700, 500, 3, 3.0)),
        # It reads the sum.
        "shared": Cost(aligns=0.5, most=Most(1000, 500, 3, 3.0)),
        # Of all slices; the cells that they count grow less than the text.
        "summed": Cost(most=Most(1000, 3, 3, 0.1)),
        "export": Cost(most=Most(500, 300, 2, 0.5)),
    }

    @classmethod
    def check(cls, config: Config, findings: ConfigFindings) -> None:
        """Check each export."""
        for name, export in cls.given(config).items():
            check_export(name, export, config, findings)

    @classmethod
    def sources(cls, grid: Grid, files: Any, *, deployed: bool) -> Iterator[Check]:
        """Each cell must exist, and be one that can be exported."""
        for name in cls.given(grid.config):
            yield partial(_check_cells, grid, name)

    @classmethod
    def targets(cls, grid: Grid) -> list[str]:
        """All files of all exports."""
        folder = tables_folder(grid.config.study)
        return [
            str(folder / file)
            for name in cls.given(grid.config)
            for file in exported_files(grid, name)
        ]


def exported(grid: Grid, name: str) -> list[Cell]:
    """The cells of an export."""
    entry = Exports.given(grid.config)[name]
    return grid.named(entry.experiments or [], entry.cells or [])


ENDINGS = {"plain": ".txt", "gz": ".txt.gz", "zst": ".txt.zst"}


def exported_files(grid: Grid, name: str) -> Iterator[str]:
    """All files of an export, in the folder of the tables."""
    entry = Exports.given(grid.config)[name]
    for cell in exported(grid, name):
        folder, ending = f"export/{name}/{cell}", ENDINGS[entry.format]
        if entry.links != "none":
            yield f"{folder}/links{ending}"
        if entry.tokens != "none":
            yield from (f"{folder}/{side}{ending}" for side in SIDES)
        if entry.models:
            yield f"{folder}/models"


def _check_cells(grid: Grid, name: str) -> None:
    """Refuse an export of cells that do not exist or cannot be exported, with all its mistakes."""
    entry, every = Exports.given(grid.config)[name], [str(cell) for cell in grid.experiments]
    found = [
        f"no cell {cell!r} ({suggestion(cell, every)})"
        for cell in entry.cells or []
        if cell not in every
    ]
    for cell in exported(grid, name):
        error = _error_as_whole(cell, entry) if entry.parts is None else _error_in_parts(cell)
        found += [error] if error else []
    if found:
        errors = [InputError(f"export.{name}: {message}") for message in dict.fromkeys(found)]
        raise InputErrors(errors)


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


def _error_in_parts(cell: Cell) -> str | None:
    """Why a cell cannot be exported in parts; None if it can."""
    if not issubclass(ALIGNERS[cell.aligner], Keeps):
        keeping = " or ".join(name for name, entry in ALIGNERS.items() if issubclass(entry, Keeps))
        return f"{cell.aligner} keeps no model with which parts can be aligned (use {keeping})"
    for side in (cell.source, cell.target):
        segmenter = SEGMENTERS[side.segmenter]
        if segmenter.annotation or segmenter.outside:
            return f"{side.segmenter} cannot cut parts of a text (leave parts out)"
    return None
