"""Align and segment a slice of a text with models that were learned on a sample of it."""

import argparse
from pathlib import Path

from seggrid.data.files import fresh_folder
from seggrid.data.lines import write_lines
from seggrid.data.sides import SIDES
from seggrid.grid.learned import read_learned
from seggrid.grid.run import align_cell
from seggrid.grid.samples import parse_part
from seggrid.workflow.script import run, timed
from seggrid.workflow.whole_text import (
    add_cell_arguments,
    alignment_settings,
    cell_of,
    read_sides,
    slice_file,
)


def main() -> None:
    """Parse the arguments, read, align, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_cell_arguments(parser)
    parser.add_argument("--kept", type=Path, required=True, help="folder of the models")
    parser.add_argument("--lines", required=True, help="range of lines, such as 0-9999")
    arguments = parser.parse_args()
    cell = cell_of(arguments)
    first, last = parse_part(arguments.lines)
    sides = read_sides(arguments, range(first, last + 1))
    models = read_learned(arguments.kept, cell)
    with timed():
        found = align_cell(cell, *sides, **alignment_settings(arguments), models=models)
    with fresh_folder(arguments.output) as folder:
        write_lines(slice_file(folder, "links"), found.links.lines())
        for side, tokens in zip(SIDES, found.tokens, strict=True):
            write_lines(slice_file(folder, side), tokens.lines())


if __name__ == "__main__":
    run(main)
