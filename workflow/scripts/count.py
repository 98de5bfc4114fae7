"""Align a slice of a text by itself, and write the counts of its links, with which other slices are
aligned."""

import argparse

from seggrid.align.sample import write_counts
from seggrid.base.folders import fresh_folder
from seggrid.grid.learned import read_segmenters
from seggrid.grid.run import align_cell
from seggrid.workflow.jobs.script import run, timed
from seggrid.workflow.jobs.whole_text import (
    add_cell_arguments,
    add_lines_argument,
    add_model_arguments,
    alignment_settings,
    cell_of,
    model_files,
    read_slice,
)


def main() -> None:
    """Parse the arguments, read, align, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_cell_arguments(parser)
    add_lines_argument(parser)
    add_model_arguments(parser)
    arguments = parser.parse_args()
    cell = cell_of(arguments)
    segmenters = read_segmenters(cell, model_files(arguments))
    with timed():
        found = align_cell(
            cell,
            *read_slice(arguments),
            **alignment_settings(arguments),
            keep=True,
            segmenters=segmenters,
        )
    with fresh_folder(arguments.output) as folder:
        write_counts(folder, cell.aligner, found.models[0].aligners)


if __name__ == "__main__":
    run(main)
