"""Cut a corpus into the units that merges never leave, and units into symbols."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numba import njit
from numpy.typing import NDArray

from seggrid.errors import InputError
from seggrid.text import BOUNDARY

SEPARATOR = "\n"
"""What stands before, between and after units in a flat array of code points."""
GLUED = 0x110000
"""Added to a code point that has a `▁` glued to it: as many as code points there are."""
_SEPARATOR = ord(SEPARATOR)


def sentence_units(sentences: Iterable[Sequence[str]]) -> list[str]:
    """Each sentence as one unit, `▁` between its words (thesis, section 4.5)."""
    return [BOUNDARY.join(words) for words in sentences]


def check_words(words: Sequence[str]) -> None:
    """Refuse words that could not be told from what marks and separates words.

    Raises:
        InputError: a word is empty, or has a `▁`, a space or a line end in it.
    """
    text = SEPARATOR.join(words)
    if (
        "" not in words
        and BOUNDARY not in text
        and " " not in text
        and text.count(SEPARATOR) == max(len(words) - 1, 0)
    ):
        return
    for word in words:
        if not word or any(mark in word for mark in (BOUNDARY, " ", SEPARATOR)):
            raise InputError(
                f"{word!r} is no word",
                mend=f"leave out empty words, and replace {BOUNDARY}, spaces and line ends in them",
            )


def numbered_symbols(
    units: Sequence[str], spaces: bool
) -> tuple[NDArray[np.int32], NDArray[np.uint32]]:
    """The initial symbols of units.

    Args:
        units: any text without line ends.
        spaces: whether the first character of each unit has a `▁` glued to it.

    Returns:
        The symbols of all units, int32, shape (C,), -1 before, between and after units; and the
        code of each symbol, in order of appearance, uint32, shape (A,): its code point, `GLUED`
        added if it has a `▁` glued to it.
    """
    text = SEPARATOR.join(["", *units, ""]) if units else SEPARATOR
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    return _number(codes, spaces)


def symbol_texts(alphabet: NDArray[np.uint32]) -> list[str]:
    """The text of each initial symbol."""
    return [chr(c) if c < GLUED else BOUNDARY + chr(c - GLUED) for c in alphabet.tolist()]


@njit(cache=True, nogil=True)
def _number(
    codes: NDArray[np.uint32], spaces: bool
) -> tuple[NDArray[np.int32], NDArray[np.uint32]]:
    number = np.zeros(2 * GLUED, dtype=np.int32)
    alphabet = np.empty(min(len(codes), 2 * GLUED), dtype=np.uint32)
    cells = np.empty(len(codes), dtype=np.int32)
    found = 0
    glue = 0
    for i in range(len(codes)):
        if codes[i] == _SEPARATOR:
            cells[i] = -1
            glue = GLUED if spaces else 0
        else:
            code = codes[i] + glue
            glue = 0
            if number[code] == 0:
                alphabet[found] = code
                found += 1
                number[code] = found
            cells[i] = number[code] - 1
    return cells, alphabet[:found].copy()
