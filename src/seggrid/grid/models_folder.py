"""A folder with what was learned on a pair: the recipe, the segmenters' models, the aligner's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from seggrid.align import ALIGNERS
from seggrid.data.files import fresh_folder
from seggrid.data.sides import SIDES
from seggrid.errors import InputError
from seggrid.grid.cell import Cell
from seggrid.grid.recipes import Recipe, read_recipe
from seggrid.grid.run import Models
from seggrid.segment import SEGMENTERS

RECIPE = "recipe.yaml"


def write_models(folder: str | Path, recipe: Recipe, cell: Cell, models: Models) -> None:
    """Write a folder atomically; it replaces an earlier one with models.

    Raises:
        InputError: something else is there.
    """
    folder = Path(folder)
    if folder.exists() and not (folder / RECIPE).is_file():
        raise InputError("not a folder of models", file=folder, hint="name another one")
    with fresh_folder(folder) as new:
        recipe.write(new / RECIPE)
        for name, model in zip(SIDES, models.segmenters, strict=True):
            if model is not None:
                learner = SEGMENTERS[getattr(cell, name).segmenter].load_learner()
                learner.write_model(model, new / f"{name}.model")
        aligner = ALIGNERS[cell.aligner].load()
        for k, model in enumerate(models.aligners):
            aligner.write_model(model, new / f"aligner-{k}{aligner.MODEL_SUFFIX}")


def read_models(folder: str | Path, pair: str) -> tuple[Recipe, Cell, Models]:
    """What `write_models` wrote.

    Raises:
        InputError: the folder is not one of these, or a file in it is missing or damaged.
    """
    folder = Path(folder)
    if not (folder / RECIPE).is_file():
        raise InputError("not a folder of models", file=folder, hint="make one with --keep")
    recipe = read_recipe(folder / RECIPE)
    cell = recipe.cell(pair)
    segmenters = []
    for name in SIDES:
        side = getattr(cell, name)
        segmenter: Any = SEGMENTERS[side.segmenter].load()
        segmenters.append(segmenter.read_model(folder / f"{name}.model") if side.learns else None)
    aligner = ALIGNERS[cell.aligner].load()
    files = (folder / f"aligner-{k}{aligner.MODEL_SUFFIX}" for k in range(cell.samples))
    kept = [aligner.read_model(file) for file in files]
    return recipe, cell, Models((segmenters[0], segmenters[1]), kept)
