"""`seggrid measure`: intrinsic measures of a segmentation, `name<TAB>value`."""

from __future__ import annotations

import argparse

from seggrid.cli.arguments import add_output, whole_number, write_lines
from seggrid.cli.files import input_file
from seggrid.cli.texts.segment import add_model, segment_as_asked
from seggrid.errors import InputError
from seggrid.segment import SEGMENTERS
from seggrid.segment.measures import declared_size, measure
from seggrid.segment.side_segmenter import SideSegmenter


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
    add_output(parser, "the measures")


def run(arguments: argparse.Namespace) -> None:
    """Measure and write; measures that are not defined are left empty.

    Raises:
        InputError: fewer types are declared than occur.
    """
    side, model, sentences, (segmentation,), _ = segment_as_asked(arguments)
    size = arguments.size
    if size is None:
        segmenter = SEGMENTERS[side.segmenter].load()
        size = declared_size(segmenter, model, side, SideSegmenter(side).segmenter_input(sentences))
    elif size < (occurring := len(set(segmentation.ids.tolist()))):
        raise InputError(
            f"--size {size}, but {occurring} types occur", hint="give the size of the vocabulary"
        )
    found = measure(segmentation, sentences, size)
    rows = ((name, "" if value != value else f"{value:.6g}") for name, value in found.items())
    write_lines(arguments.output, ("\t".join(row) for row in rows))
