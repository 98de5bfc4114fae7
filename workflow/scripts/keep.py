"""Align a sample of a text, and keep the aligner's models, with which slices of the text are then aligned.

The segmenters' models are those of the cell. The seed determines the sample, which is drawn from all sentence
pairs. Its links and tokens are kept too: the slices with these sentence pairs copy them.
"""

import argparse
import shutil

from seggrid.align.sample import write_aligners
from seggrid.base.folders import fresh_folder
from seggrid.grid.learned import model_file, read_segmenters
from seggrid.grid.run import align_cell
from seggrid.workflow.jobs.script import run, timed
from seggrid.workflow.jobs.whole_text import (
    add_cell_arguments,
    add_model_arguments,
    add_sample_argument,
    alignment_settings,
    cell_of,
    drawn_lines,
    lines_of,
    model_files,
    read_sides,
    write_sliced,
)


def main() -> None:
    """Parse the arguments, draw, align, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_cell_arguments(parser)
    add_sample_argument(parser)
    add_model_arguments(parser)
    arguments = parser.parse_args()
    cell = cell_of(arguments)
    files = model_files(arguments)
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
