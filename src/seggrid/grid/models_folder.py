"""A folder with the models that were learned on a pair: recipe, models of segmenters and aligner, and the
digests of these files. If the recipe is a vote, the models of each cell are in a folder inside it, numbered
from 0."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from seggrid.base.errors import InputError, raise_mistakes
from seggrid.base.folders import DIGESTS, fresh_folder, is_unchanged, read_digests
from seggrid.grid.align_cell import Models
from seggrid.grid.cell import Cell
from seggrid.grid.learned import RECIPE, read_learned, write_learned
from seggrid.grid.recipes import Recipe, read_recipe

_HINT = f"copy the folder again, or make it again; if you changed it on purpose, delete {DIGESTS}"


def _folders(folder: Path, cells: Sequence[Cell]) -> list[Path]:
    """The folders with the models of each cell."""
    return [folder / f"cell-{k}" for k in range(len(cells))] if len(cells) > 1 else [folder]


def write_models(
    folder: str | Path, recipe: Recipe, cells: Sequence[Cell], models: Sequence[Models]
) -> None:
    """Write a folder of models atomically, with the models of each cell of the recipe; an empty folder, or an
    earlier folder of models, is replaced."""
    with fresh_folder(folder, digests=True) as new:
        recipe.write(new / RECIPE)
        for own, cell, learned in zip(_folders(new, cells), cells, models, strict=True):
            own.mkdir(exist_ok=True)
            write_learned(own, cell, learned)


def read_models(folder: str | Path, pair: str) -> tuple[Recipe, list[Cell], list[Models]]:
    """The recipe of a folder that `write_models` wrote, its cells, and the models of each. All files that are
    missing or changed are named, unless the user has deleted the digests."""
    folder = Path(folder)
    if not (folder / RECIPE).is_file():
        raise InputError("not a folder of models", file=folder, hint="make one with --keep")
    digests = read_digests(folder, _HINT) if (folder / DIGESTS).exists() else {}
    raise_mistakes(
        InputError(f"missing or changed: not the file of {DIGESTS}", file=folder / name, hint=_HINT)
        for name, digest in digests.items()
        if not is_unchanged(folder / name, digest)
    )
    recipe = read_recipe(folder / RECIPE, pruned=True)
    cells = recipe.cells(pair, pruned=True)
    models = [read_learned(*own) for own in zip(_folders(folder, cells), cells, strict=True)]
    return recipe, cells, models
