"""Cut a corpus into units, which merges never cross, and units into symbols."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from seggrid.base.compiled import int64, njit
from seggrid.data.boundary import BOUNDARY, WORD_END
from seggrid.data.ragged import code_points, offsets_of
from seggrid.data.segmentation import Sentences
from seggrid.data.words import WordCounts
from seggrid.errors import InputError

SEPARATOR = "\n"
"""The separator before, between and after units in a flat array of code points."""
GLUED = 0x110000
"""Added to a code point that a mark is joined to; greater than any code point."""
_END = ord(SEPARATOR)
_GLUE = {"start": -1, "end": 1}


def sentence_units(sentences: Iterable[Sequence[str]]) -> list[str]:
    """Each sentence as one unit, `▁` between its words (thesis, section 4.5)."""
    return [BOUNDARY.join(words) for words in sentences]


def check_words(words: Sequence[str]) -> None:
    """Refuse words that contain marks or separators of words."""
    text = SEPARATOR.join(words)
    marks = (BOUNDARY, WORD_END, " ", "\r")
    ends = text.count(SEPARATOR)
    if ends == max(len(words) - 1, 0) and "" not in words and not any(m in text for m in marks):
        return
    for word in words:
        if not word or any(mark in word for mark in (*marks, SEPARATOR)):
            raise InputError(
                f"{word!r} is not a word",
                hint=f"leave out empty words, and replace {BOUNDARY}, {WORD_END}, spaces and line "
                "ends in them",
            )


def counted_units(sentences: Sentences | WordCounts, spaces: bool) -> WordCounts:
    """The distinct units of a text, words or, without `spaces`, sentences, and how often each occurs."""
    words = WordCounts.of(sentences)
    check_words(words.types)
    if spaces or isinstance(sentences, WordCounts):
        return words
    return WordCounts.of([sentence_units(sentences)])


def symbols_of(unit: str, spaces: bool) -> list[str]:
    """The initial symbols of a unit; `▁` is joined to the first of a word, if units are words.

    >>> symbols_of("the", True)
    ['▁t', 'h', 'e']
    """
    return [BOUNDARY + unit[:1], *unit[1:]] if spaces else list(unit)


def numbered_symbols(
    units: Sequence[str], marking: str | None
) -> tuple[NDArray[np.int32], NDArray[np.uint32]]:
    """The initial symbols of units, any text without line ends, which are marked as words (see `BPEModel`)
    or, if `marking` is None, not: those of all units, shape (C,), with -1 before, between and after units;
    and the code of each symbol, in order of appearance, shape (A,): its code point, plus `GLUED` if a mark is
    joined to it."""
    marked = [BOUNDARY + unit for unit in units] if marking == "own" else units
    text = SEPARATOR.join(["", *marked, ""])
    cells, alphabet = _number(code_points(text), _GLUE.get(marking or "", 0))
    return cells, alphabet


@njit
def _number(codes: NDArray[np.uint32], glue: int) -> tuple[NDArray[np.int32], NDArray[np.uint32]]:
    """Number the code points; a mark is joined to those that have a separator at distance `glue`."""
    above = 1
    for i in range(len(codes)):
        above = max(above, int64(codes[i]) + 1)
    numbers = np.zeros(2 * above, dtype=np.int32)
    alphabet = np.empty(min(len(codes), 2 * above), dtype=np.uint32)
    cells = np.empty(len(codes), dtype=np.int32)
    found = 0
    for i in range(len(codes)):
        if codes[i] == _END:
            cells[i] = -1
        else:
            glued = codes[i + glue] == _END
            place = int64(codes[i]) + glued * above
            if numbers[place] == 0:
                alphabet[found] = codes[i] + glued * GLUED
                found += 1
                numbers[place] = found
            cells[i] = numbers[place] - 1
    return cells, alphabet[:found].copy()


def symbol_texts(alphabet: NDArray[np.uint32], marking: str | None) -> list[str]:
    """The text of each initial symbol."""
    start, end = (BOUNDARY, "") if marking == "start" else ("", WORD_END)
    return [chr(c) if c < GLUED else start + chr(c - GLUED) + end for c in alphabet.tolist()]


def unit_symbols(
    units: Sequence[str], marking: str | None
) -> tuple[NDArray[np.int32], NDArray[np.int64], list[str]]:
    """As `numbered_symbols`, without separators: the symbols of all units, shape (C,); the first symbol of
    each unit, shape (U + 1,); and the text of each symbol, in order of appearance."""
    cells, alphabet = numbered_symbols(units, marking)
    lengths = np.diff(np.flatnonzero(cells < 0)) - 1
    return cells[cells >= 0], offsets_of(lengths), symbol_texts(alphabet, marking)
