"""`seggrid measure`: intrinsic measures of a segmentation, `name<TAB>value`."""

from __future__ import annotations

import argparse

from seggrid.cli.arguments import add_output, whole_number, write_lines
from seggrid.cli.files import input_file
from seggrid.cli.texts.segment import add_model, segment_as_asked


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options: text, segmentation, model."""
    parser.add_argument("text", type=input_file, help="a text; - is standard input")
    add_model(parser)
    parser.add_argument(
        "--size",
        type=whole_number(1),
        help="declared size of the vocabulary; by default, that of the model and the text's single "
        "characters",
    )
    parser.add_argument(
        "--morphemes",
        type=input_file,
        metavar="FILE",
        help="a morphological reference: measure, too, how well the cuts of its words agree with it",
    )
    parser.add_argument(
        "--morphemes-format",
        choices=("surface", "celex"),
        default="surface",
        help="its format; surface: words as a text has them, each cut into morphemes; celex: lemmas",
    )
    add_output(parser, "the measures")


def run(arguments: argparse.Namespace) -> None:
    """Measure and write; measures that are not defined are left empty.

    Raises:
        InputError: fewer types are declared than occur, or the reference cannot be read or used.
    """
    asked = segment_as_asked(arguments)
    found = asked.segmenter.measure(asked.sentences, asked.samples[0], arguments.size)
    if arguments.morphemes:
        found |= asked.segmenter.boundaries(
            asked.sentences, arguments.morphemes, arguments.morphemes_format, seed=arguments.seed
        )
    rows = ((name, "" if value != value else f"{value:.6g}") for name, value in found.items())
    write_lines(arguments.output, ("\t".join(row) for row in rows))
