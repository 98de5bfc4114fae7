"""A folder with the models that were learned on a pair: recipe, segmenters' models, aligner's models."""

from __future__ import annotations

from pathlib import Path

from seggrid.data.files import fresh_folder
from seggrid.errors import InputError
from seggrid.grid.cell import Cell
from seggrid.grid.learned import RECIPE, read_learned, write_learned
from seggrid.grid.recipes import Recipe, read_recipe
from seggrid.grid.run import Models


def write_models(folder: str | Path, recipe: Recipe, cell: Cell, models: Models) -> None:
    """Write a folder atomically; an earlier folder of models is replaced.

    Raises:
        InputError: there is a file or another folder of that name.
    """
    folder = Path(folder)
    if folder.exists() and not (folder / RECIPE).is_file():
        raise InputError("not a folder of models", file=folder, hint="name another one")
    with fresh_folder(folder) as new:
        recipe.write(new / RECIPE)
        write_learned(new, cell, models)


def read_models(folder: str | Path, pair: str) -> tuple[Recipe, Cell, Models]:
    """Read what `write_models` wrote.

    Raises:
        InputError: it is not a folder of models, or a file in it is missing or damaged.
    """
    folder = Path(folder)
    if not (folder / RECIPE).is_file():
        raise InputError("not a folder of models", file=folder, hint="make one with --keep")
    recipe = read_recipe(folder / RECIPE, pruned=True)
    cell = recipe.cell(pair, pruned=True)
    return recipe, cell, read_learned(folder, cell)
