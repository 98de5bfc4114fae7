"""`seggrid learn`: a segmenter's model from a text."""

from __future__ import annotations

import argparse

from seggrid.cli.arguments import add_side, add_text, read_sentences, side
from seggrid.errors import InputError
from seggrid.grid.run import learn_model
from seggrid.segment import SEGMENTERS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """A text, a segmentation, a file for the model."""
    parser.add_argument("text", help="a sentence a line; - is standard input")
    add_text(parser)
    add_side(parser, "knockout", "application", "dropout", "dropout_kind")
    parser.add_argument("-o", "--output", metavar="FILE", required=True, help="the model")


def run(arguments: argparse.Namespace) -> None:
    """Learn and write."""
    wanted = side(arguments)
    if not wanted.learns:
        raise InputError(
            f"{wanted.segmenter} learns nothing", hint="seggrid segment needs no model"
        )
    model = learn_model(read_sentences(arguments.text, arguments), wanted)
    SEGMENTERS[wanted.segmenter].load_learner().write_model(model, arguments.output)
