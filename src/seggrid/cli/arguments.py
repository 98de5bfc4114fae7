"""Functions shared by several verbs: options for axes, reading texts, writing lines, progress."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from seggrid.api.segmenter import refuse_two_sizes
from seggrid.api.texts import Filled
from seggrid.base.axis import Axis
from seggrid.base.compressed import write_text
from seggrid.cli.files import STDOUT, input_file, output_file
from seggrid.corpus.link_formats import LinksFormat
from seggrid.corpus.links import UNKNOWN, FoundLinks, Known, Notation, read_links
from seggrid.corpus.pair import PairFormat, pair_format, read_parallel, texts_in
from seggrid.corpus.pos import Tags, read_tags
from seggrid.corpus.text import (
    BadLines,
    ControlCharacters,
    EmptyLines,
    Numbered,
    Read,
    Text,
    TextFormat,
)
from seggrid.data.words import WordCounts, Words, filled_pairs
from seggrid.errors import InputError, one_line
from seggrid.segment import SEGMENTERS
from seggrid.segment.axes import AXES
from seggrid.segment.side import Side

Sentences = Sequence[list[str]]

LARGEST_SEED = 2**32 - 1
"""The largest seed, as in a config."""


def add_axis(parser: argparse._ActionsContainer, axis: Axis[Any], default: object) -> None:
    """Add an option for an axis, with its name."""
    flag = "--" + axis.name.replace("_", "-")
    text = axis.description.replace("%", "%%").replace("`", "")
    if axis.kind == "flag":
        spelled = axis.spell(default) if isinstance(default, bool) else default
        parser.add_argument(flag, choices=("yes", "no", *axis.choices), default=spelled, help=text)
    elif axis.choices:
        parser.add_argument(flag, choices=axis.choices, default=default, help=text)
    else:
        number = whole_number(axis.least, axis.most)
        kinds = {"integer": number, "count": _count(axis, number)}
        kind = kinds.get(axis.kind, str)
        parser.add_argument(flag, type=kind, default=default, metavar=axis.kind.upper(), help=text)


def _count(axis: Axis[Any], number: Callable[[str], int]) -> Callable[[str], int | str]:
    """A function that parses an option that is a number or the axis's word `uncounted`."""

    def read(text: str) -> int | str:
        return text if text == axis.uncounted else number(text)

    return read


def whole_number(least: int = 0, most: int | None = None) -> Callable[[str], int]:
    """A function that parses the value of an option as a whole number from `least` to `most`.

    Args:
        least: the smallest number allowed.
        most: the largest number allowed; by default, the largest number of 63 bits.
    """
    largest = (1 << 63) - 1 if most is None else most

    def read(text: str) -> int:
        if not re.fullmatch(r"-?[0-9]{1,19}", text):
            raise argparse.ArgumentTypeError(f"{one_line(text)!r} is not a whole number")
        if not least <= int(text) <= largest:
            raise argparse.ArgumentTypeError(f"{text} is not within {least} to {largest}")
        return int(text)

    return read


def add_side(
    parser: argparse.ArgumentParser,
    *left_out: str,
    unset: bool = False,
    segmenters: Iterable[str] = SEGMENTERS,
) -> None:
    """Add options for the axes of a segmentation; by default, there are as many `merges` as the text has.

    Args:
        parser: the parser.
        left_out: axes without an option.
        unset: whether an option that is not given is None, instead of its default.
        segmenters: the segmenters that can be chosen.
    """
    group = parser.add_argument_group("segmentation")
    for name, axis in AXES.items():
        # The file of a tokenizer is given as the model, not by a name.
        if name not in (*left_out, "tokenizer") and not axis.shared:
            if name == "segmenter":
                axis = replace(axis, choices=tuple(segmenters))
            default = {"segmenter": "bpe", "merges": None}.get(name, axis.plain(axis.default))
            add_axis(group, axis, argparse.SUPPRESS if unset else default)


def side(arguments: argparse.Namespace) -> Side:
    """The segmentation that the options describe.

    Raises:
        InputError: a rate is not a number from 0 to 1, or two sizes are given.
    """
    values = {name: read_option(axis, arguments) for name, axis in AXES.items()}
    refuse_two_sizes(values)
    return Side.from_values(values)


def read_option(axis: Axis[Any], arguments: argparse.Namespace) -> Any:
    """The value of an axis from its option; the neutral value if there is no such option."""
    value = getattr(arguments, axis.name, axis.neutral)
    if value is None:
        return None
    return axis.read(value) if axis.kind == "flag" and isinstance(value, str) else axis.value(value)


def add_text(parser: argparse._ActionsContainer) -> None:
    """Add the options of a single text: its format, and what to do with empty lines and control
    characters."""
    parser.add_argument(
        "--format",
        choices=("lines", "tsv", "wpt"),
        default="lines",
        help="format of the text; " + FORMATS,
    )
    add_empty_lines(parser, "an empty line is refused, or skipped: in tokens, it stays empty")
    _add_control_characters(parser)


def add_empty_lines(parser: argparse._ActionsContainer, what: str) -> None:
    """Add the option for empty lines."""
    parser.add_argument(
        "--empty-lines", choices=get_args(EmptyLines), default="refuse", help=f"whether {what}"
    )


def add_plugin(parser: argparse.ArgumentParser) -> None:
    """Add the option of plug-ins, which are loaded before any option is made (`seggrid.cli`)."""
    parser.add_argument(
        "--plugin",
        action="append",
        metavar="FILE",
        help="a Python file, or a module, with segmenters or aligners of your own; may be repeated",
    )


def add_tags(parser: argparse.ArgumentParser) -> None:
    """Add the option of the tagged text, for segmenters that read parts of speech."""
    parser.add_argument(
        "--tags",
        type=input_file,
        metavar="FILE",
        help="the parts of speech that seggrid tag wrote, for lexical",
    )


def read_tags_of(arguments: argparse.Namespace, sentences: Sentences) -> Tags | None:
    """Read the parts of speech of a text; None if they are not given."""
    return read_tags(arguments.tags, sentences) if arguments.tags else None


def share(text: str) -> float:
    """The type of an option that is a number from 0 to 1."""
    try:
        if 0 <= (value := float(text)) <= 1:
            return value
    except ValueError:
        pass
    raise argparse.ArgumentTypeError(f"{one_line(text)!r} is not a number from 0 to 1")


def add_pair(
    parser: argparse.ArgumentParser, *, training: bool = True, empty_lines: bool = True
) -> None:
    """Add the options of a pair: its texts, their format, control characters and, if requested, training text
    and empty lines."""
    parser.add_argument(
        "texts",
        nargs="+",
        type=input_file,
        metavar="TEXT",
        help="source and target, or one file that holds both; - is standard input",
    )
    group = parser.add_argument_group("texts")
    add_pair_format(group, "--format")
    if training:
        group.add_argument(
            "--training",
            nargs="+",
            action="append",
            default=[],
            type=input_file,
            metavar="TEXT",
            help="further text, given in the same way, that is learned from and aligned but not written; may "
            "be repeated; with a wpt text, it may be plain lines",
        )
    if empty_lines:
        add_empty_lines(
            group, "a sentence pair with an empty side is refused, or skipped: it gets no links"
        )
    _add_control_characters(group)


def add_pair_format(parser: argparse._ActionsContainer, option: str) -> None:
    """Add the options for the format of a pair's texts, which `read_pair` reads."""
    parser.add_argument(
        option,
        dest="format",
        choices=("lines", "tsv", "wpt", *get_args(PairFormat)),
        help="format of two texts: lines (by default), tsv, wpt; of one file that holds both: by default, "
        f"that of its ending (.tmx, .tsv), else bars; {FORMATS}; {_OF_BOTH}",
    )
    parser.add_argument(
        "--codes",
        nargs=2,
        metavar="CODE",
        help="language codes of source and target, for tmx and moses",
    )


FORMATS = "lines: one sentence per line; tsv: id<TAB>sentence; wpt: <s snum=1> sentence </s>"
_OF_BOTH = "bars: source ||| target; columns: source<TAB>target; moses: two files NAME.CODE; tmx"


def _add_control_characters(parser: argparse._ActionsContainer) -> None:
    parser.add_argument(
        "--control-characters",
        choices=get_args(ControlCharacters),
        default="refuse",
        help="whether control characters in a text are refused, or dropped and counted",
    )


def read_sentences(path: str, arguments: argparse.Namespace | None = None) -> Words:
    """Read the words of a text, without the empty lines that are skipped, see `read_filled`."""
    return read_filled(path, arguments)[0]


def read_filled(
    path: str, arguments: argparse.Namespace | None = None
) -> tuple[Words, NDArray[np.bool_]]:
    """Read the words of a text, and whether each of its lines has any.

    Args:
        path: path of the text.
        arguments: arguments of `add_text`; by default, the text is plain lines.

    Returns:
        The words of the sentences that are not empty; and for each sentence of the text, whether it is not
        empty.
    """
    read = _text(path, arguments).read_words()
    _Lines(path, read).remark()
    return read.words.without_empty(), read.filled


def read_counts(path: str, arguments: argparse.Namespace) -> WordCounts:
    """Count the words of a text; arguments and errors as for `read_filled`."""
    read = _text(path, arguments).read_counts()
    _Lines(path, read).remark()
    return read.words


def read_parts(
    path: str, arguments: argparse.Namespace
) -> Iterator[tuple[Words, NDArray[np.bool_]]]:
    """As `read_filled`, in parts, so that the whole text is never in memory; remarks are printed at the
    end."""
    lines = _Lines(path)
    for read in _text(path, arguments).read_parts(_PART):
        lines.add(read)
        yield read.words.without_empty(), read.filled
    lines.remark()


_PART = 1 << 23
"""Approximate size of a part in bytes: some 50,000 lines, which take less memory than the model and numba."""


def _text(path: str, arguments: argparse.Namespace | None) -> Text:
    format: TextFormat = getattr(arguments, "format", None) or "lines"
    return Text((path,), format, **_treatment(arguments))


class _Lines:
    """Collects what to remark about the lines of a text, part by part."""

    def __init__(self, path: str, *parts: Read) -> None:
        self._path = path
        self._remarks: list[str] = []
        self._filled = self._empty = 0
        self._first: int | None = None
        for read in parts:
            self.add(read)

    def add(self, read: Read) -> None:
        """Add the next part."""
        self._remarks += read.remarks
        empty = np.flatnonzero(~read.filled)
        if len(empty) and self._first is None:
            _, self._first = read.where(int(empty[0]))
        self._empty += len(empty)
        self._filled += len(read) - len(empty)

    def remark(self) -> None:
        """Print remarks.

        Raises:
            InputError: no line has a word.
        """
        remark(self._remarks)
        if not self._filled:
            raise InputError("no line has a word", file=self._path)
        if self._empty:
            lines = "1 empty line" if self._empty == 1 else f"{self._empty} empty lines"
            remark([f"{self._path}: {lines} skipped, the first on line {self._first}"])


def _treatment(arguments: argparse.Namespace | None) -> dict[str, Any]:
    """What to do with control characters and empty lines, as arguments of `Text`."""
    names = ("control_characters", "empty_lines")
    return {name: getattr(arguments, name, "refuse") for name in names}


def read_counted(path: str | None) -> Sequence[list[str]]:
    """Read a text whose words are only counted, so that empty lines do no harm; no words if `path` is
    None."""
    return read_sentences(path, argparse.Namespace(empty_lines="skip")) if path else []


@dataclass(frozen=True)
class PairOfTexts:
    """Both sides of a pair.

    Attributes:
        source, target: the words of S sentence pairs.
        ids: the ids of the sentence pairs; None if no text has any.
        bad: the numbers of the sentence pairs that were dropped for a mistake in a line.
    """

    source: Words
    target: Words
    ids: list[str] | None
    bad: Sequence[int] = ()

    @property
    def known(self) -> Known:
        """What links of the pair are checked against."""
        return Known.of(self.source, self.target, self.ids, self.bad)


def read_pair(
    paths: Sequence[str],
    arguments: argparse.Namespace,
    *,
    training: bool = False,
    tokens: bool = False,
    bad_lines: BadLines = "refuse",
) -> PairOfTexts:
    """Read both sides, from two files or from one file with both.

    Args:
        paths: paths of the texts.
        arguments: arguments of `add_pair`.
        training: whether it is training text, whose sentences need no ids.
        tokens, bad_lines: see `seggrid.corpus.text.Text`.

    Raises:
        InputError: the sides differ in length, or the format does not fit the number of files; or all
            sentence pairs have an empty side.
    """
    format, codes = arguments.format, arguments.codes
    treatment = {**_treatment(arguments), "tokens": tokens, "bad_lines": bad_lines}
    if len(paths) > 2:
        raise InputError(f"{len(paths)} texts", hint="give two, or one that holds both sides")
    if len(paths) == 2:
        if format in get_args(PairFormat):
            raise InputError(
                f"two texts, but {format} is a format of one file with both sides", hint="give one"
            )
        source, target = (
            Text((path,), format or "lines", untagged=training, **treatment) for path in paths
        )
    else:
        if format in ("lines", "tsv", "wpt"):
            raise InputError(
                f"one text, but {format} is a format of one side",
                hint="give the texts of both sides",
            )
        format = format or pair_format(paths[0])
        source, target = texts_in(paths, format, codes or (None, None), **treatment)
    if codes and format not in ("tmx", "moses"):
        raise InputError("--codes are for tmx and moses", hint="leave them out, or say --format")
    sides, remarks = read_parallel(source, target, Numbered)
    remark(remarks)
    ids = next((side.ids for side in sides if side.ids is not None), None)
    bad = sorted({*sides[0].bad, *sides[1].bad})
    pair = PairOfTexts(sides[0].words, sides[1].words, ids, bad)
    if not len(filled_pairs(pair.source, pair.target)):
        raise InputError("no sentence pair has words on both sides", file=paths[0])
    return pair


def filled_of(
    pair: PairOfTexts,
    arguments: argparse.Namespace,
    cut: Callable[[PairOfTexts], PairOfTexts] = lambda pair: pair,
    *,
    tokens: bool = False,
) -> Filled:
    """The sentence pairs to align, with the training text that the arguments name; `cut` changes the words,
    which may be tokens if `tokens`."""
    more = [
        cut(read_pair(paths, arguments, training=True, tokens=tokens))
        for paths in arguments.training
    ]
    return Filled.of(pair.source, pair.target, [(one.source, one.target) for one in more])


def add_links_notation(parser: argparse._ActionsContainer, *, swapped: bool = True) -> None:
    """Add the options that say how links are written, which `read_links_of` reads.

    Args:
        parser: the parser.
        swapped: whether to add `--links-swapped`.
    """
    parser.add_argument(
        "--links-format",
        choices=get_args(LinksFormat),
        help="format of the links; by default, the one that the first lines have: i-j, `id<TAB>i-j`, "
        "i-j:p, NAACL, A3 files of GIZA++, or one of gold",
    )
    parser.add_argument(
        "--links-base",
        type=int,
        choices=(0, 1),
        help="the number of the first word in the links and, if they name sentences by line numbers, of the "
        "first line; by default 0, or as the format says",
    )
    if swapped:
        parser.add_argument(
            "--links-swapped", action="store_true", help="the links have the target word first"
        )
    parser.add_argument(
        "--above",
        type=share,
        default=0.5,
        metavar="P",
        help="read the links with a probability above this, if links have probabilities (i-j:p)",
    )


def read_links_of(
    file: str, arguments: argparse.Namespace, known: Known = UNKNOWN, *, swapped: bool = False
) -> FoundLinks:
    """Read links, and print remarks on what is left out.

    Args:
        file: the file.
        arguments: arguments of `add_links_notation`.
        known: what is known of the text.
        swapped: whether links have the target word first; the option says so, too.
    """
    notation = Notation(
        arguments.links_format,
        arguments.links_base,
        swapped or getattr(arguments, "links_swapped", False) is True,
        above=arguments.above,
    )
    found = read_links(file, notation, known)
    remark(found.remarks)
    return found


def check_same_length(file: str, text: Sentences, other: str, lines: Sentences) -> None:
    """Refuse two files with the same text that differ in their number of lines."""
    if len(text) != len(lines):
        raise InputError(
            f"{len(text):,} lines, but {other} has {len(lines):,}",
            file=file,
            hint="line k of both must be the same sentence",
        )


def remark(lines: Iterable[str]) -> None:
    """Print remarks on standard error."""
    for line in lines:
        print(f"note: {line}", file=sys.stderr)


def add_output(parser: argparse.ArgumentParser, what: str) -> None:
    """Add the option of the output file; the default is standard output."""
    parser.add_argument(
        "-o",
        "--output",
        type=output_file,
        metavar="FILE",
        help=f"{what}; compressed if the name ends in .gz or .zst; by default, standard output",
    )


def write_lines(path: str | None, lines: Iterable[str]) -> None:
    """Write lines to a file, atomically, or to standard output."""
    text = (f"{line}\n" for line in lines)
    if path in (None, STDOUT):
        sys.stdout.writelines(text)
        sys.stdout.flush()
        return
    with write_text(str(path)) as file:
        file.writelines(text)


def progress(text: str) -> None:
    """Print a message on progress, if standard error is a terminal."""
    if sys.stderr.isatty():
        print(text, file=sys.stderr)
