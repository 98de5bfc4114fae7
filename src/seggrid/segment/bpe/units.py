"""Cut a corpus into the units that merges never leave, and units into characters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from seggrid.errors import InputError
from seggrid.text import BOUNDARY

SEPARATOR = "\n"
"""What stands before, between and after units in a flat array of code points."""


def sentence_units(sentences: Iterable[Sequence[str]]) -> list[str]:
    """Each sentence as one unit, `▁` between its words (thesis, section 4.5)."""
    return [BOUNDARY.join(words) for words in sentences]


def code_points(units: Sequence[str]) -> NDArray[np.uint32]:
    """Units as code points, uint32, shape (C,), a separator before, between and after them."""
    text = SEPARATOR.join(["", *units, ""]) if units else SEPARATOR
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)


def check_words(words: Iterable[str]) -> None:
    """Refuse words that could not be told from what marks and separates words.

    Raises:
        InputError: a word is empty, or has a `▁`, a space or a line end in it.
    """
    words = words if isinstance(words, Sequence) else list(words)
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
