"""`seggrid measure`: intrinsic measures of a segmentation, `name<TAB>value`."""

from __future__ import annotations

import argparse

from seggrid.api.segmenter import Segmenter, measure
from seggrid.cli.arguments import (
    REFERENCES,
    add_input,
    add_output,
    read_sentences,
    read_tags_of,
    whole_number,
    write_lines,
)
from seggrid.cli.files import NameOrInputFile
from seggrid.cli.texts.segment import add_segmentation, read_segmenter
from seggrid.errors import InputError, suggestion
from seggrid.segment import SEGMENTERS
from seggrid.segment.external import FORMATS

OUTSIDE = tuple(format for format in FORMATS if not format.startswith("tokens-"))
"""Formats of tokenizers; tokenized texts are left out, since they do not say how a single word is cut."""


def _kinds() -> tuple[str, ...]:
    """The segmenters and formats that `--against` takes."""
    learned = (name for name, entry in SEGMENTERS.items() if entry.learns and not entry.tagged)
    return (*learned, *OUTSIDE)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options: text, segmentation, model, what it is compared with."""
    add_segmentation(parser)
    parser.add_argument(
        "--size",
        type=whole_number(1),
        help="declared size of the vocabulary; by default, that of the model and the text's single "
        "characters",
    )
    add_input(
        parser,
        "--morphemes",
        help="a morphological reference: also measure how well token boundaries agree with it",
    )
    parser.add_argument(
        "--morphemes-format",
        choices=REFERENCES,
        default="surface",
        help="its format; surface: words as a text has them, each cut into morphemes; celex: lemmas",
    )
    parser.add_argument(
        "--against",
        nargs=2,
        type=NameOrInputFile(_kinds()),
        metavar=("KIND", "FILE"),
        help="another tokenizer: also measure how similarly it splits words; give its segmenter, or "
        "its format, and its file",
    )
    add_input(
        parser,
        "--beside",
        help="another text for the same model, such as that of the other language: also measure the "
        "divergence of the two token distributions",
    )
    add_output(parser, "the measures")


def _other(kind: str, file: str) -> Segmenter:
    """The tokenizer of `--against`."""
    if kind not in _kinds():
        hint = suggestion(kind, _kinds())
        raise InputError(f"--against {kind}: no kind of tokenizer", hint=hint)
    if kind in OUTSIDE:
        return Segmenter.load(file, "external", format=kind)
    return Segmenter.load(file, kind)


def run(arguments: argparse.Namespace) -> None:
    """Measure and write; measures that are not defined are left empty."""
    segmenter, names = read_segmenter(arguments)
    sentences = read_sentences(arguments.text, arguments)
    found = measure(
        sentences,
        segmenter,
        size=arguments.size,
        seed=arguments.seed,
        names=names,
        tags=read_tags_of(arguments, sentences),
        morphemes=arguments.morphemes,
        format=arguments.morphemes_format,
        against=_other(*arguments.against) if arguments.against else None,
        beside=read_sentences(arguments.beside, arguments) if arguments.beside else None,
    )
    rows = ((name, "" if value != value else f"{value:.6g}") for name, value in found.items())
    write_lines(arguments.output, ("\t".join(row) for row in rows))
