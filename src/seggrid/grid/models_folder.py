"""A folder with the models that were learned on a pair: recipe, segmenters' models, aligner's models, and the
digests of these files."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from seggrid.base.folders import fresh_folder
from seggrid.errors import InputError
from seggrid.grid.cell import Cell
from seggrid.grid.learned import RECIPE, read_learned, write_learned
from seggrid.grid.model_digests import check_digests
from seggrid.grid.recipes import Recipe, read_recipe
from seggrid.grid.run import Models


def write_models(folder: str | Path, recipe: Recipe, cell: Cell, models: Models) -> None:
    """Write a folder atomically; an empty folder, or an earlier one of models, is replaced.

    Raises:
        InputError, OSError: as for `seggrid.base.folders.check_folder`.
    """
    with fresh_folder(folder, digests=True) as new:
        recipe.write(new / RECIPE)
        write_learned(new, cell, models)


class Kept(NamedTuple):
    """What a folder of models holds.

    Attributes:
        recipe: its recipe.
        cell: the cell of the recipe.
        models: the models.
        checked: whether the files were compared with digests: folders of earlier versions have none.
    """

    recipe: Recipe
    cell: Cell
    models: Models
    checked: bool


def read_models(folder: str | Path, pair: str) -> Kept:
    """Read what `write_models` wrote.

    Raises:
        InputError: it is not a folder of models, or a file in it is missing, damaged or changed.
    """
    folder = Path(folder)
    if not (folder / RECIPE).is_file():
        raise InputError("not a folder of models", file=folder, hint="make one with --keep")
    checked = check_digests(folder)
    recipe = read_recipe(folder / RECIPE, pruned=True)
    cell = recipe.cell(pair, pruned=True)
    return Kept(recipe, cell, read_learned(folder, cell), checked)
