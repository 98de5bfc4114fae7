"""Write the models of a cell into one folder, in the format of `seggrid align --keep`."""

import argparse
import shutil
from pathlib import Path

from seggrid.align.sample import MODELS
from seggrid.base.files import atomic_write
from seggrid.base.folders import fresh_folder
from seggrid.data.sides import SIDES
from seggrid.grid.learned import RECIPE, model_file
from seggrid.workflow.jobs.script import run, timed
from seggrid.workflow.jobs.whole_text import add_model_arguments, model_files


def main() -> None:
    """Parse the arguments, copy."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--recipe", required=True, help="its text")
    add_model_arguments(parser)
    parser.add_argument(
        "--folders", type=Path, nargs="*", default=[], help="folders with other models"
    )
    parser.add_argument("--samples", type=int, required=True, help="number of the aligner's models")
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    with timed("copying"), fresh_folder(arguments.output, digests=True) as folder:
        with atomic_write(folder / RECIPE) as file:
            file.write(arguments.recipe)
        for side, model in model_files(arguments).items():
            shutil.copyfile(model, folder / model_file(side))
        for file in (file for other in arguments.folders for file in sorted(other.iterdir())):
            if file.name.startswith(MODELS):
                number = int(file.stem.removeprefix(MODELS))
                if number >= arguments.samples:
                    continue
            elif file.name not in map(model_file, SIDES):
                continue
            shutil.copyfile(file, folder / file.name)


if __name__ == "__main__":
    run(main)
