"""`seggrid measure`: intrinsic measures of a segmentation, `name<TAB>value`."""

from __future__ import annotations

import argparse

from seggrid.api.segmenter import Segmenter
from seggrid.cli.arguments import add_output, read_filled, whole_number, write_lines
from seggrid.cli.files import NameOrInputFile, input_file
from seggrid.cli.texts.segment import add_model, segmented, segmenter_as_asked
from seggrid.errors import InputError, suggestion
from seggrid.segment import SEGMENTERS
from seggrid.segment.external.segmenter import FORMATS

OUTSIDE = tuple(format for format in FORMATS if not format.startswith("tokens-"))
"""Formats of tokenizers; tokenized texts are left out, since they do not say how a single word is cut."""


def _learned() -> tuple[str, ...]:
    return tuple(name for name, entry in SEGMENTERS.items() if entry.learns and not entry.tagged)


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
        help="a morphological reference: also measure how well token boundaries agree with it",
    )
    parser.add_argument(
        "--morphemes-format",
        choices=("surface", "celex"),
        default="surface",
        help="its format; surface: words as a text has them, each cut into morphemes; celex: lemmas",
    )
    parser.add_argument(
        "--against",
        nargs=2,
        type=NameOrInputFile(_learned() + OUTSIDE),
        metavar=("KIND", "FILE"),
        help="another tokenizer: also measure how similarly it splits words; give its segmenter, or "
        "its format, and its file",
    )
    parser.add_argument(
        "--beside",
        type=input_file,
        metavar="FILE",
        help="another text for the same model, such as that of the other language: also measure the "
        "divergence of the two token distributions",
    )
    add_output(parser, "the measures")


def _other(kind: str, file: str) -> Segmenter:
    """The tokenizer of `--against`."""
    if kind not in _learned() + OUTSIDE:
        hint = suggestion(kind, _learned() + OUTSIDE)
        raise InputError(f"--against {kind}: no kind of tokenizer", hint=hint)
    if kind in OUTSIDE:
        return Segmenter.load(file, "external", format=kind)
    return Segmenter.load(file, kind)


def run(arguments: argparse.Namespace) -> None:
    """Measure and write; measures that are not defined are left empty."""
    (asked,) = segmented(arguments, *segmenter_as_asked(arguments))
    found = asked.segmenter.measure(asked.sentences, asked.samples[0], arguments.size)
    if arguments.morphemes:
        found |= asked.segmenter.boundaries(
            asked.sentences, arguments.morphemes, arguments.morphemes_format, seed=arguments.seed
        )
    if arguments.against:
        found |= asked.segmenter.agreement(
            asked.sentences, _other(*arguments.against), seed=arguments.seed
        )
    if arguments.beside:
        found |= asked.segmenter.divergence(
            asked.samples[0], read_filled(arguments.beside, arguments)[0], seed=arguments.seed
        )
    rows = ((name, "" if value != value else f"{value:.6g}") for name, value in found.items())
    write_lines(arguments.output, ("\t".join(row) for row in rows))
