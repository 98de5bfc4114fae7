"""`seggrid measure`: intrinsic measures of a segmentation, `name<TAB>value`."""

from __future__ import annotations

import argparse

from seggrid.cli.arguments import add_output, read_sentences, whole_number, write_lines
from seggrid.cli.segment import add_model, segmentations
from seggrid.segment.measures import measure


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options: text, segmentation, model."""
    parser.add_argument("text", help="a sentence a line")
    add_model(parser)
    parser.add_argument(
        "--size", type=whole_number(1), help="declared size of the vocabulary, if it has one"
    )
    add_output(parser, "the measures")


def run(arguments: argparse.Namespace) -> None:
    """Measure and write; measures that are not defined are left empty."""
    (segmentation,) = segmentations(arguments)
    found = measure(segmentation, read_sentences(arguments.text, arguments), arguments.size)
    rows = ((name, "" if value != value else f"{value:.6g}") for name, value in found.items())
    write_lines(arguments.output, ("\t".join(row) for row in rows))
