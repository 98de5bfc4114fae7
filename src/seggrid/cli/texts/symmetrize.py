"""`seggrid symmetrize`: combine the links of two directions, which are two files of Pharaoh lines."""

from __future__ import annotations

import argparse

from seggrid.align.symmetrize import symmetrize
from seggrid.cli.arguments import add_axis, add_output, write_lines
from seggrid.cli.files import input_file
from seggrid.corpus.pharaoh import read_links
from seggrid.grid.axes import CELL_AXES


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options: two files of links, heuristic, output."""
    parser.add_argument(
        "forward", type=input_file, help="links with at most one for each target token"
    )
    parser.add_argument(
        "reverse", type=input_file, help="links with at most one for each source token"
    )
    axis = CELL_AXES["symmetrization"]
    add_axis(parser, axis, axis.default)
    add_output(parser, "the links")


def run(arguments: argparse.Namespace) -> None:
    """Join and write."""
    forward, reverse = read_links(arguments.forward), read_links(arguments.reverse)
    write_lines(arguments.output, symmetrize(forward, reverse, arguments.symmetrization).lines())
