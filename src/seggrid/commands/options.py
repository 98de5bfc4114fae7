"""Groups of options that several verbs share, and what reads and writes what they name."""

from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from seggrid.base.axis import Axis
from seggrid.base.compressed import write_text
from seggrid.base.errors import InputError, note
from seggrid.base.parameters import Choices, Help, InputFile
from seggrid.base.parameters import Group as Part
from seggrid.commands.files import STDOUT
from seggrid.segment import SEGMENTERS
from seggrid.segment.axes import AXES
from seggrid.segment.external import FORMATS
from seggrid.text.link_notation import Known
from seggrid.text.pair import PairFormat, pair_format, read_parallel, texts_in
from seggrid.text.parameters import OneText, PairWritten, TextTagged, TextTreated
from seggrid.text.text_files import Numbered, Read, Text
from seggrid.text.words import WordCounts, Words, filled_pairs


def write_output_lines(path: str | None, lines: Iterable[str | bytes]) -> None:
    """Write lines to a file, atomically, or to standard output. Bytes are whole lines in UTF-8, with their
    ends, and never stand beside text."""
    if path not in (None, STDOUT):
        with write_text(str(path)) as file:
            _write(file, lines)
    elif sys.stdout is None:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))
    else:
        _write(sys.stdout, lines)
        sys.stdout.flush()


def _write(file: Any, lines: Iterable[str | bytes]) -> None:
    for line in lines:
        if isinstance(line, bytes):
            file.buffer.write(line)
        else:
            file.write(f"{line}\n")


Json = Annotated[bool, Help("as one JSON object; what is not defined is null")]
"""Whether a verb's values are written as JSON."""


def write_json_lines(path: str | None, values: Mapping[str, Any]) -> None:
    """Write an object of values, of which those that are NaN are null, as `write_output_lines` does."""
    text = json.dumps(_defined(values), indent=1, ensure_ascii=False, allow_nan=False)
    write_output_lines(path, text.split("\n"))


def _defined(value: Any) -> Any:
    """A value of JSON: None in place of NaN."""
    if isinstance(value, Mapping):
        return {name: _defined(own) for name, own in value.items()}
    if isinstance(value, list):
        return [_defined(own) for own in value]
    return None if value != value else value


def progress(text: str) -> None:
    """Print a message on progress, if standard error is a terminal."""
    if sys.stderr.isatty():
        print(text, file=sys.stderr)


def side_axes(
    *left_out: str, defaults: bool = True, segmenters: Iterable[str] = SEGMENTERS
) -> list[tuple[Axis[Any], Any]]:
    """The axes of a segmentation that are options, and the defaults that their help tells, or not."""
    found = []
    for name, axis in AXES.items():
        # The file of a tokenizer is given as the model, not by a name.
        if name not in (*left_out, "tokenizer") and not axis.shared:
            if name == "segmenter":
                axis = replace(axis, choices=tuple(segmenters))
            told = None if name == "merges" or not defaults else axis.plain(axis.default)
            found.append((axis, told))
    return found


_OF_ONE = get_args(OneText)

Treated = TextTreated | TextTagged


def read_sentences(path: str, treated: Treated) -> Words:
    """Read the words of a text, without the empty lines that are skipped, see `read_filled`."""
    return read_filled(path, treated)[0]


def read_filled(path: str, treated: Treated) -> tuple[Words, NDArray[np.bool_]]:
    """The words of a text's sentences that are not empty; and for each line, whether it is not empty."""
    (read,) = _told(path, [treated.text(path).read_words()])
    return read.words.without_empty(), read.filled


def read_word_counts(path: str, treated: Treated, *, spooled: bool = False) -> WordCounts:
    """Count the words of a text, or put it into a temporary file; arguments as for `read_filled`."""
    (read,) = _told(path, [treated.text(path).read_counts(spooled)])
    counts: WordCounts = read.words
    return counts


def read_parts(path: str, treated: Treated) -> Iterator[tuple[Words, NDArray[np.bool_]]]:
    """As `read_filled`, in parts, so that the whole text is never in memory."""
    for read in _told(path, treated.text(path).read_parts(_PART)):
        yield read.words.without_empty(), read.filled


_PART = 1 << 24
"""Approximate size of a part in bytes: some 100,000 lines, which take no more memory than the model and
numba."""


def _told(path: str, parts: Iterable[Read]) -> Iterator[Any]:
    """The parts of a text, and then a note on what was dropped; a text without words is refused."""
    filled, skipped, first = 0, 0, 0
    for read in parts:
        note(read.remarks)
        empty = np.flatnonzero(~read.filled)
        if len(empty) and not skipped:
            _, first = read.where(int(empty[0]))
        skipped += len(empty)
        filled += len(read) - len(empty)
        yield read
    if not filled:
        raise InputError("no line has a word", file=path)
    if skipped:
        lines = "1 empty line" if skipped == 1 else f"{skipped} empty lines"
        note([f"{path}: {lines} skipped, the first on line {first}"])


class PairOfTexts(NamedTuple):
    """Both sides of a pair of S sentences.

    Attributes:
        source: words of the source side.
        target: words of the target side.
        ids: id of each sentence pair; None if the text has none.
        bad: numbers of the sentence pairs that were dropped for a mistake in a line.
    """

    source: Words
    target: Words
    ids: list[str] | None = None
    bad: Sequence[int] = ()

    @property
    def known(self) -> Known:
        """What links of the pair are checked against."""
        return Known.of(self.source, self.target, self.ids, self.bad)


def read_pair(
    paths: Sequence[str],
    written: PairWritten,
    *,
    training: bool = False,
    tokens: bool = False,
    **how: Any,
) -> PairOfTexts:
    """Read both sides, from two files or from one file with both; sentences of training text need no ids.
    `tokens` and further arguments are those of `seggrid.text.text_files.Text`."""
    format: Any = written.format
    codes = written.codes
    treatment = {**written.treatment, "tokens": tokens, **how}
    if len(paths) > 2:
        raise InputError(f"{len(paths)} texts", hint="give two, or one that holds both sides")
    if len(paths) == 2 and format in get_args(PairFormat):
        message = f"two texts, but {format} is a format of one file with both sides"
        raise InputError(message, hint="give one")
    if len(paths) == 1 and format in _OF_ONE:
        message = f"one text, but {format} is a format of one side"
        raise InputError(message, hint="give the texts of both sides")
    if len(paths) == 2:
        how = {**treatment, "untagged": training}
        source, target = (Text((path,), format or "lines", **how) for path in paths)
    else:
        format = format or pair_format(paths[0])
        source, target = texts_in(paths, format, codes or (None, None), **treatment)
    if codes and format not in ("tmx", "moses"):
        raise InputError("--codes are for tmx and moses", hint="leave them out, or say --format")
    sides, remarks = read_parallel(source, target, Numbered)
    note(remarks)
    ids = next((side.ids for side in sides if side.ids is not None), None)
    bad = sorted({*sides[0].bad, *sides[1].bad})
    pair = PairOfTexts(sides[0].words, sides[1].words, ids, bad)
    if not len(filled_pairs(pair.source, pair.target)):
        raise InputError("no sentence pair has words on both sides", file=paths[0])
    return pair


FormatOfTokenizer = Annotated[
    str, Choices(FORMATS), Help("their format, in place of what the files show")
]
TEXTS = Part("texts")
GoldFile = Annotated[InputFile, Help("the gold links")]
PairFiles = Annotated[
    tuple[InputFile, ...],
    Help("source and target, or one file that holds both; - is standard input", metavar="TEXT"),
]


SEGMENTATION = Part("segmentation")
TextFile = Annotated[InputFile, Help("a text; - is standard input")]
Plugins = Annotated[
    Sequence[str],
    Help(
        "a Python file, or a module, with segmenters or aligners of your own; may be repeated",
        ("--plugin",),
        "FILE",
    ),
]
"""Plug-ins, which are loaded before any option is made (`seggrid.commands`)."""
