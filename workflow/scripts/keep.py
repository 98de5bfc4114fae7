"""Align a sample of a text, and keep the aligner's models, by which slices of the text are then aligned.

The segmenters' models are those of the cell. The sample is drawn from all sentence pairs, with the seed. Its
links and tokens are kept too, for the slices that contain them.
"""

import argparse
import shutil
from pathlib import Path

from seggrid.align.sample import write_aligners
from seggrid.base.folders import fresh_folder
from seggrid.data.sides import SIDES
from seggrid.grid.learned import model_file, read_segmenters
from seggrid.grid.run import align_cell
from seggrid.workflow.jobs.script import run, timed
from seggrid.workflow.jobs.whole_text import (
    add_cell_arguments,
    alignment_settings,
    cell_of,
    drawn_lines,
    lines_of,
    read_sides,
    write_sliced,
)


def main() -> None:
    """Parse the arguments, draw, align, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_cell_arguments(parser)
    for side in SIDES:
        parser.add_argument(
            f"--{side}-model", type=Path, help="model of its segmenter, if it has one"
        )
    arguments = parser.parse_args()
    cell = cell_of(arguments)
    files = {
        side: file for side in SIDES if (file := getattr(arguments, f"{side}_model")) is not None
    }
    sides = read_sides(arguments, drawn_lines(arguments).tolist())
    with timed():
        found = align_cell(
            cell,
            *sides,
            **alignment_settings(arguments),
            keep=True,
            segmenters=read_segmenters(cell, files),
        )
    with fresh_folder(arguments.output) as folder:
        for side, file in files.items():
            shutil.copyfile(file, folder / model_file(side))
        write_aligners(folder, cell.aligner, found.models[0].aligners)
        write_sliced(folder, lines_of(found))


if __name__ == "__main__":
    run(main)
