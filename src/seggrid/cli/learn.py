"""`seggrid learn`: a segmenter's model from a text."""

from __future__ import annotations

import argparse

from seggrid.cli.arguments import (
    add_side,
    add_tags,
    add_text,
    read_sentences,
    read_tags_of,
    side,
)
from seggrid.errors import InputError
from seggrid.grid.run import learn_model
from seggrid.segment import SEGMENTERS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """A text, a segmentation, a file for the model."""
    parser.add_argument("text", help="a sentence a line; - is standard input")
    add_text(parser)
    sampling = ("dropout", "dropout_kind", "dropout_weight", "sampling")
    add_side(parser, "knockout", "application", *sampling)
    add_tags(parser)
    parser.add_argument("-o", "--output", metavar="FILE", required=True, help="the model")


def run(arguments: argparse.Namespace) -> None:
    """Learn and write."""
    wanted = side(arguments)
    if not wanted.learns:
        raise InputError(
            f"{wanted.segmenter} learns nothing", hint="seggrid segment needs no model"
        )
    sentences = read_sentences(arguments.text, arguments)
    model = learn_model(sentences, wanted, read_tags_of(arguments, sentences))
    SEGMENTERS[wanted.segmenter].load_learner().write_model(model, arguments.output)
