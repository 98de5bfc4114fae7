"""Align a slice of a text again, as if the links in all other slices were part of it."""

import argparse
from pathlib import Path

from seggrid.align.sample import others
from seggrid.base.folders import fresh_folder
from seggrid.grid.learned import read_segmenters
from seggrid.grid.run import Models, align_cell
from seggrid.workflow.jobs.script import run, timed
from seggrid.workflow.jobs.whole_text import (
    add_cell_arguments,
    add_lines_argument,
    add_model_arguments,
    alignment_settings,
    cell_of,
    count_lines,
    lines_of,
    model_files,
    read_slice,
    write_sliced,
)


def main() -> None:
    """Parse the arguments, read, align, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_cell_arguments(parser)
    add_lines_argument(parser)
    add_model_arguments(parser)
    parser.add_argument("--counted", type=Path, required=True, help="folder of this slice's counts")
    parser.add_argument(
        "--summed", type=Path, required=True, help="folder of the sum of the counts of all slices"
    )
    arguments = parser.parse_args()
    cell = cell_of(arguments)
    segmenters = read_segmenters(cell, model_files(arguments))
    sides = read_slice(arguments)
    models = Models(
        segmenters, others(arguments.summed, arguments.counted, cell.aligner, cell.samples)
    )
    # If the slice is the whole text, there are no counts of other slices.
    is_whole = len(sides[0]) == count_lines(arguments.source)
    given = {"segmenters": segmenters} if is_whole else {"models": models}
    with timed():
        found = align_cell(cell, *sides, **alignment_settings(arguments), **given)
    with fresh_folder(arguments.output) as folder:
        write_sliced(folder, lines_of(found))


if __name__ == "__main__":
    run(main)
