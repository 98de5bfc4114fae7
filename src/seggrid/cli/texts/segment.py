"""`seggrid segment`: cut a text into tokens: one sentence per line, tokens separated by spaces."""

from __future__ import annotations

import argparse
from itertools import chain
from typing import Any, NamedTuple

from seggrid.cli.arguments import (
    LARGEST_SEED,
    add_output,
    add_side,
    add_tags,
    add_text,
    read_filled,
    read_option,
    read_tags_of,
    remark,
    side,
    whole_number,
    write_lines,
)
from seggrid.cli.files import input_file
from seggrid.corpus.selection import laid_out
from seggrid.corpus.text import apply_case
from seggrid.data.segmentation import Segmentation, Sentences
from seggrid.data.sides import SIDES
from seggrid.errors import InputError
from seggrid.grid.config.checks.experiments import changes_nothing
from seggrid.grid.run import segment_text
from seggrid.grid.samples import sample_seeds
from seggrid.segment import SEGMENTERS
from seggrid.segment.axes import AXES
from seggrid.segment.external.segmenter import FORMATS
from seggrid.segment.side import CORPUS, Side, parse_spec

_LEFT_OUT = ("knockout", "scoring", "joint", "vocabulary", "dropout_weight")
"""Axes that only matter when a model is learned or pruned."""


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
        help="in place of the options of the segmentation, that of a grid, such as "
        "eng-deu/source/bpe+case=lower+…, as under results/segment: its samples are drawn",
    )
    add_side(parser, *_LEFT_OUT)
    add_tags(parser)


class Segmented(NamedTuple):
    """A text, how it is segmented, and its samples.

    Attributes:
        side: the segmentation.
        model: what the segmenter's `read_model` read; None without a model.
        sentences: the words of the text's lines, without empty ones.
        samples: the segmentations of these.
        filled: whether each line of the text is one of these.
    """

    side: Side
    model: Any
    sentences: Sentences
    samples: list[Segmentation]
    filled: list[bool]


def segment_as_asked(arguments: argparse.Namespace, samples: int = 1) -> Segmented:
    """Read the text and the model that the options name, and segment.

    Raises:
        InputError: a model is missing, or given for a segmenter without one, or the options do not fit it; or
            the segmentation is both named and given by options, or its name is none.
    """
    wanted, names = _wanted(arguments)
    outside = SEGMENTERS[wanted.segmenter].outside
    if (wanted.learns or outside) != bool(arguments.model):
        raise InputError(
            f"{wanted.segmenter} {'has no' if arguments.model else 'needs a'} model",
            hint="leave -m out"
            if arguments.model
            else "give the tokenizer's file with -m"
            if outside
            else "seggrid learn makes one: give it with -m",
        )
    if outside != bool(arguments.model_format):
        raise InputError(
            f"{wanted.segmenter} {'needs the' if outside else 'has no'} format of a file",
            hint=f"--model-format {'|'.join(FORMATS)}" if outside else "leave --model-format out",
        )
    segmenter = SEGMENTERS[wanted.segmenter].load()
    how = [arguments.model_format] if outside else []
    model = segmenter.read_model(arguments.model, *how) if arguments.model else None
    _check_model(wanted, model, arguments.model)
    seeds = sample_seeds(arguments.seed, names, (0, max(samples, 1) - 1))
    sentences, filled = read_filled(arguments.text, arguments)
    remark(_case_remarks(wanted, model, arguments.model, sentences))
    tags = read_tags_of(arguments, sentences)
    cut = segment_text(sentences, wanted, model, seeds, tags=tags)
    return Segmented(wanted, model, sentences, cut, filled)


def _check_model(wanted: Side, model: Any, file: str | None) -> None:
    """Refuse settings that the model was not learned with and that would have no effect, or a wrong one."""
    within = getattr(model, "spaces", None)
    if within is not None and within != (wanted.spaces in (None, True)):
        learned = "yes" if within else "no, or hidden"
        raise InputError(
            f"learned with spaces: {learned}", file=file, hint="give the same --spaces here"
        )
    registered = SEGMENTERS[wanted.segmenter]
    if registered.nested or wanted.merges is None:
        return
    learned = registered.load().learned(model)
    if wanted.merges * (1 + registered.tolerance) < learned:
        raise InputError(
            f"{learned} {registered.size_unit}, and the model cannot be cut to {wanted.merges}",
            file=file,
            hint=f"leave --merges out, or learn {wanted.merges}",
        )


def _case_remarks(
    wanted: Side, model: Any, file: str | None, sentences: list[list[str]]
) -> list[str]:
    """A remark if the text has upper-case letters, and the model's types only lower-case ones: a model does
    not say on which case it was learned."""
    types = getattr(SEGMENTERS[wanted.segmenter].load(), "types", None)
    known = types(model, wanted) if types and model is not None else None
    if not known or any(map(_has_upper, known)) or not any(one != one.upper() for one in known):
        return []
    if not any(_has_upper(word) for words in apply_case(sentences, wanted.case) for word in words):
        return []
    message = "no upper-case letters, but the text has some"
    return [f"{file}: {message}: if it was learned on lower-cased text, give --case lower"]


def _has_upper(text: str) -> bool:
    return text != text.lower()


def _wanted(arguments: argparse.Namespace) -> tuple[Side, list[str]]:
    """The segmentation, and the names that the seeds of its samples depend on."""
    own = side(arguments)
    given = given_axes(arguments, *_LEFT_OUT)
    if arguments.named is None:
        refuse_ignored(arguments, own, given)
        return own, ["text", str(own)]
    if given:
        raise InputError(
            f"--{given[0].replace('_', '-')} beside --as", hint="leave one of the two out"
        )
    pair, _, rest = arguments.named.partition("/")
    name, _, spec = rest.partition("/")
    try:
        wanted = parse_spec(spec)
        if name not in SIDES or str(wanted) != spec:
            raise ValueError(arguments.named)
        return wanted, [pair, name, spec]
    except (KeyError, ValueError):
        raise InputError(
            f"{arguments.named!r} is not a segmentation of a grid",
            hint="give PAIR/SIDE/SEGMENTATION as in the path of a file under results/segment",
        ) from None


def given_axes(arguments: argparse.Namespace, *left_out: str) -> list[str]:
    """The axes of a segmentation that are given as options, with another value than by default.

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


def refuse_ignored(arguments: argparse.Namespace, own: Side, given: list[str]) -> None:
    """Refuse the first option that the segmenter does not read, unless its value changes nothing.

    Args:
        arguments: arguments of `add_side`.
        own: the segmentation that they give.
        given: the axes that are given as options.
    """
    read = ("segmenter", *CORPUS, *SEGMENTERS[own.segmenter].axes)
    ignored = next(
        (
            name
            for name in given
            if name not in read and not changes_nothing(name, read_option(AXES[name], arguments))
        ),
        None,
    )
    if ignored is not None:
        readers = [name for name, entry in SEGMENTERS.items() if ignored in entry.axes]
        raise InputError(
            f"--{ignored.replace('_', '-')}: {own.segmenter} would ignore it",
            hint=f"leave it out, or use the segmenter {' or '.join(readers)}",
        )


def run(arguments: argparse.Namespace) -> None:
    """Segment and write."""
    found = segment_as_asked(arguments, arguments.samples)
    if arguments.samples > 1 and not found.side.sampled:
        remark(["--samples has no effect without dropout or sampling"])
    lines = (laid_out(sample.lines(), found.filled) for sample in found.samples)
    write_lines(arguments.output, chain.from_iterable(lines))
