"""What the verbs share: the axes as options, texts in, lines out, progress."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from seggrid.corpus.text import SEPARATOR, read_lines, read_text, words_of
from seggrid.data.axis import Axis
from seggrid.data.files import atomic_write
from seggrid.errors import InputError, one_line
from seggrid.segment import AXES
from seggrid.segment.side import Side

Sentences = list[list[str]]

LARGEST_SEED = 2**32 - 1
"""As in a config."""


def add_axis(parser: argparse._ActionsContainer, axis: Axis, default: object) -> None:
    """An axis as an option of its name."""
    flag = "--" + axis.name.replace("_", "-")
    text = axis.description.replace("%", "%%").replace("`", "")
    if axis.kind == "flag":
        parser.add_argument(flag, choices=("yes", "no"), default=axis.spell(default), help=text)
    elif axis.choices:
        parser.add_argument(flag, choices=axis.choices, default=default, help=text)
    else:
        kind = whole_number(axis.least, axis.most) if axis.kind == "integer" else str
        parser.add_argument(flag, type=kind, default=default, metavar=axis.kind.upper(), help=text)


def whole_number(least: int = 0, most: int | None = None) -> Callable[[str], int]:
    """What reads an option that is a whole number within bounds, both allowed.

    Args:
        least: the smallest.
        most: the largest; by default, the largest of 63 bits.
    """
    largest = (1 << 63) - 1 if most is None else most

    def read(text: str) -> int:
        if not re.fullmatch(r"-?[0-9]{1,19}", text):
            raise argparse.ArgumentTypeError(f"{one_line(text)!r} is not a whole number")
        if not least <= int(text) <= largest:
            raise argparse.ArgumentTypeError(f"{text} is not within {least} to {largest}")
        return int(text)

    return read


def add_side(parser: argparse.ArgumentParser, *left_out: str, segmenter: str = "bpe") -> None:
    """The axes of a segmentation as options; `merges` is by default all that the text has."""
    group = parser.add_argument_group("segmentation")
    for name, axis in AXES.items():
        if name not in left_out and not axis.shared:
            default = {"segmenter": segmenter, "merges": None}.get(name, axis.default)
            add_axis(group, axis, default)


def side(arguments: argparse.Namespace) -> Side:
    """The segmentation that the options ask for.

    Raises:
        InputError: a rate that is none.
    """
    values = {name: getattr(arguments, name, axis.neutral) for name, axis in AXES.items()}
    for name, axis in AXES.items():
        if axis.kind == "flag" and isinstance(values[name], str):
            values[name] = axis.read(values[name])
    return Side.from_values(values)


def read_sentences(path: str) -> Sentences:
    """The words of a text, a sentence a line; `-` is standard input."""
    return read_text(_path(path), "lines")[0]


def read_pair(paths: Sequence[str]) -> tuple[Sentences, Sentences]:
    """The words of both sides: of two files, or of one whose lines are `source ||| target`.

    Raises:
        InputError: the sides differ in length, or a line is not of two sides.
    """
    if len(paths) == 2:
        source, target = read_sentences(paths[0]), read_sentences(paths[1])
        if len(source) != len(target):
            raise InputError(
                f"{len(target)} lines, but {paths[0]} has {len(source)}",
                file=paths[1],
                hint="line k of one text must translate line k of the other",
            )
        return source, target
    sides: tuple[Sentences, Sentences] = ([], [])
    for number, line in enumerate(read_lines(_path(paths[0])), 1):
        parts = line.split(SEPARATOR)
        words = [words_of(part) for part in parts]
        if len(parts) != 2 or not all(words):
            raise InputError(
                f"not a sentence, {SEPARATOR} and its translation",
                file=paths[0],
                line=number,
                hint="or give two files, a sentence a line",
            )
        for sentences, sentence in zip(sides, words, strict=True):
            sentences.append(sentence)
    return sides


def _path(path: str) -> Path:
    return Path("/dev/stdin") if path == "-" else Path(path)


def add_output(parser: argparse.ArgumentParser, what: str) -> None:
    """Where the result goes; by default, to standard output."""
    parser.add_argument("-o", "--output", metavar="FILE", help=f"{what}; standard output if none")


def write_lines(path: str | None, lines: Iterable[str]) -> None:
    """Write lines to a file, whole or not at all, or to standard output."""
    text = (f"{line}\n" for line in lines)
    if path is None:
        sys.stdout.writelines(text)
        sys.stdout.flush()
        return
    try:
        with atomic_write(path) as file:
            file.writelines(text)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", file=path) from None


def progress(text: str) -> None:
    """Say on a terminal what is being done."""
    if sys.stderr.isatty():
        print(text, file=sys.stderr)
