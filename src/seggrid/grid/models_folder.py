"""A folder with the models that were learned on a pair: recipe, segmenters' models, aligner's models, and the
digests of these files."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from seggrid.align.sample import MODELS
from seggrid.base.folders import DIGESTS, fresh_folder, is_unchanged, read_digests
from seggrid.data.sides import SIDES
from seggrid.errors import InputError, refuse
from seggrid.grid.cell import Cell
from seggrid.grid.learned import RECIPE, model_file, read_learned, write_learned
from seggrid.grid.recipes import Recipe, read_recipe
from seggrid.grid.run import Models

_HINT = f"copy the folder again, or make it again; if you changed it on purpose, delete {DIGESTS}"


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


def check_digests(folder: Path) -> bool:
    """Compare the files of a folder of models with their digests.

    Returns:
        Whether there are digests: folders of earlier versions have none.

    Raises:
        InputError: a file is missing, changed, or without a digest; all such files are named.
    """
    if not (folder / DIGESTS).exists():
        return False
    digests = read_digests(folder, _HINT)
    refuse(
        InputError(message, file=folder / name, hint=_HINT)
        for name, digest in digests.items()
        if (message := _wrong(folder / name, digest))
    )
    read = [RECIPE, *map(model_file, SIDES)]
    refuse(
        InputError(f"no digest in {DIGESTS}", file=file, hint=_HINT)
        for file in sorted(folder.iterdir())
        if file.name not in digests and (file.name in read or file.name.startswith(MODELS))
    )
    return True


def _wrong(file: Path, digest: str) -> str | None:
    if not file.is_file():
        return f"missing, but {DIGESTS} has it"
    return None if is_unchanged(file, digest) else f"damaged or changed: not the file of {DIGESTS}"
