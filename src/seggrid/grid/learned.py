"""The files of models that were learned on a pair: one for each segmenter, and one of the aligner per
sample."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from seggrid.align.sample import read_aligners, write_aligners
from seggrid.grid.align_cell import Models
from seggrid.grid.cell import Cell
from seggrid.segment import SEGMENTERS
from seggrid.text.sides import SIDES, SideName

RECIPE = "recipe.yaml"
"""Name of the recipe's file in a folder of models."""


def model_file(side: str) -> str:
    """The name of the file with the model of a side's segmenter."""
    return f"{side}.model"


def write_learned(folder: Path, cell: Cell, models: Models) -> None:
    """Write models into an existing folder."""
    for name, model in zip(SIDES, models.segmenters, strict=True):
        if model is not None:
            model.write(folder / model_file(name))
    write_aligners(folder, cell.aligner, models.aligners)


def read_learned(folder: Path, cell: Cell) -> Models:
    """Read what `write_learned` wrote."""
    files = {side: folder / model_file(side) for side in SIDES}
    aligners = read_aligners(folder, cell.aligner, cell.samples)
    return Models(read_segmenters(cell, files), aligners)


def read_segmenters(cell: Cell, files: Mapping[SideName, Path]) -> tuple[Any, Any]:
    """Read the models of both sides' segmenters from files; None for a side that learns none."""
    models = []
    for name in SIDES:
        side = getattr(cell, name)
        models.append(SEGMENTERS[side.segmenter].read(files[name]) if side.learns else None)
    return models[0], models[1]
