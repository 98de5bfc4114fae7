"""Write the models of a cell into one folder, in the format of `seggrid align --keep`."""

import shutil
from pathlib import Path

from seggrid.align.sample import MODELS
from seggrid.base.files import atomic_write
from seggrid.base.folders import fresh_folder
from seggrid.grid.jobs.script import timed
from seggrid.grid.learned import RECIPE, model_file
from seggrid.text.sides import SIDES


def main(
    recipe: str,
    samples: int,
    output: Path,
    source_model: Path | None = None,
    target_model: Path | None = None,
    folders: list[Path] = [],
) -> None:
    """Copy the segmenters' models, and those in other folders, into a folder, with the cell's recipe."""
    with timed("copying"), fresh_folder(output, digests=True) as folder:
        with atomic_write(folder / RECIPE) as file:
            file.write(recipe)
        for side, model in zip(SIDES, (source_model, target_model), strict=True):
            if model:
                shutil.copyfile(model, folder / model_file(side))
        for file in (file for other in folders for file in sorted(other.iterdir())):
            own = file.name.startswith(MODELS) and int(file.stem.removeprefix(MODELS)) < samples
            if own or file.name in map(model_file, SIDES):
                shutil.copyfile(file, folder / file.name)
