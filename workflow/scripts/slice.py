"""Align and segment a slice of a text with models that were learned on a sample of it.

Sentence pairs that are also in the sample keep the links and tokens that they have there. If they were
aligned again, they would count twice: as part of the slice and, through the models, as part of the sample.
"""

import argparse
from pathlib import Path

import numpy as np

from seggrid.base.folders import fresh_folder
from seggrid.base.lines import LARGEST_TEXT, read_lines
from seggrid.grid.learned import read_learned
from seggrid.grid.run import align_cell
from seggrid.grid.samples import parse_part
from seggrid.workflow.jobs.script import run, timed
from seggrid.workflow.jobs.whole_text import (
    SLICED,
    add_cell_arguments,
    add_lines_argument,
    add_sample_argument,
    alignment_settings,
    cell_of,
    drawn_lines,
    lines_of,
    read_sides,
    slice_file,
    write_sliced,
)


def main() -> None:
    """Parse the arguments, read, align, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_cell_arguments(parser)
    parser.add_argument("--kept", type=Path, required=True, help="folder of the sample")
    add_sample_argument(parser)
    add_lines_argument(parser)
    arguments = parser.parse_args()
    cell = cell_of(arguments)
    first, last = parse_part(arguments.lines)
    drawn = drawn_lines(arguments)
    in_sample = slice(*np.searchsorted(drawn, (first, last + 1)))
    rest = np.setdiff1d(np.arange(first, last + 1), drawn[in_sample])
    order = np.argsort(np.concatenate([drawn[in_sample], rest]))
    found = {what: [] for what in SLICED}
    if len(rest):
        sides = read_sides(arguments, rest.tolist())
        models = read_learned(arguments.kept, cell)
        with timed():
            aligned = align_cell(cell, *sides, **alignment_settings(arguments), models=models)
        found = lines_of(aligned)
    joined = {}
    for what in SLICED:
        both = [
            *read_lines(slice_file(arguments.kept, what), limit=LARGEST_TEXT)[in_sample],
            *found[what],
        ]
        joined[what] = [both[at] for at in order]
    with fresh_folder(arguments.output) as folder:
        write_sliced(folder, joined)


if __name__ == "__main__":
    run(main)
