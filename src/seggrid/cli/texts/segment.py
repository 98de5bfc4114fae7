"""`seggrid segment`: cut a text into tokens, one sentence per line, tokens separated by spaces."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import chain, repeat
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seggrid.api.segmenter import OF_MODELS, Segmenter, refuse_ignored
from seggrid.cli.arguments import (
    LARGEST_SEED,
    add_output,
    add_plugin,
    add_side,
    add_tags,
    add_text,
    read_filled,
    read_option,
    read_parts,
    read_tags_of,
    remark,
    side,
    whole_number,
    write_lines,
)
from seggrid.cli.files import input_file
from seggrid.corpus.selection import laid_out
from seggrid.data.segmentation import Segmentation
from seggrid.data.sides import SIDES
from seggrid.data.words import Words
from seggrid.errors import InputError
from seggrid.segment.axes import AXES
from seggrid.segment.external.segmenter import FORMATS
from seggrid.segment.marks import STYLES
from seggrid.segment.side import Side, parse_spec


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options: text, segmentation, model, samples, output."""
    parser.add_argument("text", type=input_file, help="a text; - is standard input")
    add_model(parser)
    parser.add_argument(
        "--samples",
        type=whole_number(1, 100_000),
        default=1,
        help="number of samples, written one after the other",
    )
    parser.add_argument(
        "--style",
        choices=STYLES,
        help="mark words as another program does: @@ after a token that does not end its word "
        "(subword-nmt), ## before one that does not begin its word (BERT), ▁ before a word "
        "(sentencepiece), </w> after a word; by default, as the segmenter does",
    )
    add_output(parser, "the tokens")


def add_model(parser: argparse.ArgumentParser) -> None:
    """Add the options of a segmentation and its model."""
    add_text(parser)
    parser.add_argument(
        "-m",
        "--model",
        type=input_file,
        metavar="FILE",
        help="a model of seggrid learn; for the segmenter external, a tokenizer",
    )
    parser.add_argument("--model-format", choices=FORMATS, help="format of that tokenizer")
    parser.add_argument(
        "--seed", type=whole_number(0, LARGEST_SEED), default=1, help="seed of the samples"
    )
    parser.add_argument(
        "--as",
        dest="named",
        metavar="PAIR/SIDE/SEGMENTATION",
        help="instead of the options below, the segmentation of a grid, as named under "
        "results/segment, such as eng-deu/source/bpe+case=lower+…: gives the same samples",
    )
    add_side(parser, *OF_MODELS)
    add_tags(parser)
    add_plugin(parser)


class Segmented(NamedTuple):
    """A text, or a part of it, and its segmentations.

    Attributes:
        segmenter: how it is segmented.
        sentences: the words of the lines that are not empty.
        samples: the segmentations of these sentences.
        filled: whether each line is not empty.
    """

    segmenter: Segmenter
    sentences: Words
    samples: list[Segmentation]
    filled: NDArray[np.bool_]


def segmenter_as_asked(arguments: argparse.Namespace) -> tuple[Segmenter, list[str]]:
    """The segmentation that the options describe, and the names on which the seeds of its samples depend."""
    wanted, names = _wanted(arguments)
    return Segmenter.of(wanted, arguments.model, arguments.model_format), names


def segmented(
    arguments: argparse.Namespace,
    segmenter: Segmenter,
    names: list[str],
    samples: int = 1,
    *,
    in_parts: bool = False,
) -> Iterator[Segmented]:
    """Read the text that the options name, and segment it, whole or in parts."""
    read = read_parts if in_parts else _whole
    for sentences, filled in read(arguments.text, arguments):
        tags = read_tags_of(arguments, sentences)
        cut = segmenter.samples(sentences, samples, seed=arguments.seed, names=names, tags=tags)
        yield Segmented(segmenter, sentences, cut, filled)


def _whole(path: str, arguments: argparse.Namespace) -> Iterator[tuple[Words, NDArray[np.bool_]]]:
    yield read_filled(path, arguments)


def _wanted(arguments: argparse.Namespace) -> tuple[Side, list[str]]:
    """The segmentation, and the names on which the seeds of its samples depend."""
    own = side(arguments)
    given = given_axes(arguments, *OF_MODELS)
    if arguments.named is None:
        refuse_ignored(own, {name: read_option(AXES[name], arguments) for name in given})
        return own, ["text", own.seed_spec]
    if given:
        raise InputError(
            f"--{given[0].replace('_', '-')} together with --as", hint="leave one of the two out"
        )
    pair, _, rest = arguments.named.partition("/")
    name, _, spec = rest.partition("/")
    try:
        wanted = parse_spec(spec)
        if name not in SIDES or str(wanted) != spec:
            raise ValueError(arguments.named)
        return wanted, [pair, name, wanted.seed_spec]
    except (KeyError, ValueError):
        raise InputError(
            f"{arguments.named!r} is not a segmentation of a grid",
            hint="give PAIR/SIDE/SEGMENTATION as in the path of a file under results/segment",
        ) from None


def given_axes(arguments: argparse.Namespace, *left_out: str) -> list[str]:
    """The axes of a segmentation that are given as options with a value other than the default.

    Args:
        arguments: arguments of `add_side`.
        left_out: axes without an option.
    """
    unset = argparse.ArgumentParser()
    add_side(unset, *left_out)
    defaults = vars(unset.parse_args([]))
    return [
        name for name in AXES if name in defaults and getattr(arguments, name) != defaults[name]
    ]


def run(arguments: argparse.Namespace) -> None:
    """Segment and write."""
    segmenter, names = segmenter_as_asked(arguments)
    sampled = segmenter.side.sampled
    if arguments.samples > 1 and not sampled:
        remark(["--samples has no effect without dropout or sampling"])
    # In parts only without random draws, which depend on the sentences before, and without tags, which cover
    # the whole text.
    in_parts = not sampled and not arguments.tags
    parts = segmented(arguments, segmenter, names, arguments.samples, in_parts=in_parts)
    write_lines(arguments.output, chain.from_iterable(map(_lines, parts, repeat(arguments.style))))


def _lines(part: Segmented, style: str | None) -> Iterator[str]:
    """The lines of all samples, one sample after another."""
    for sample in part.samples:
        yield from laid_out(part.segmenter.lines(sample, part.sentences, style), part.filled)
