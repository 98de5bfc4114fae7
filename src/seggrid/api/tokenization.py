"""Cut raw text into words, at Unicode's word boundaries."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from importlib.util import find_spec
from itertools import pairwise
from typing import Any

from seggrid.api.texts import Texts, words_in
from seggrid.data.words import Numbering, Words
from seggrid.errors import InputError

BOUNDARIES = ("icu", "unicode")
"""icu: words of Chinese, Japanese, Thai and others by the dictionaries of ICU (the package PyICU). unicode:
Unicode's default boundaries (UAX #29, by the package regex), for which each Chinese character and each
hiragana is a word."""


def tokenize(text: Texts, boundaries: str | None = None) -> Words:
    """The words of a raw text. Punctuation is cut off; no character is changed; spaces are left out.

    Args:
        text: S sentences, or a path, as for `seggrid.align`.
        boundaries: one of `BOUNDARIES`; by default `icu` if PyICU is installed, else `unicode`.

    Raises:
        InputError: the text is wrong, there are no such boundaries, or PyICU is not installed.

    >>> list(tokenize(["Don't go (yet).", "我们走"], "unicode"))
    [["Don't", 'go', '(', 'yet', ')', '.'], ['我', '们', '走']]
    """
    cut, numbering = _cutter(boundaries or default_boundaries()), Numbering()
    for words in words_in(text):
        # A space followed by a soft hyphen is one piece.
        pieces = (word for piece in cut(" ".join(words)) for word in piece.split())
        numbering.add(f"{' '.join(pieces)}\n".encode("utf-8", "surrogatepass"))
    return numbering.words()


def default_boundaries() -> str:
    """The boundaries that are used if none are named."""
    return BOUNDARIES[0] if find_spec("icu") else BOUNDARIES[1]


@cache
def _cutter(boundaries: str) -> Callable[[str], Iterator[str]]:
    """A function that cuts a sentence at all boundaries; spaces are pieces too."""
    if boundaries == "icu" and not find_spec("icu"):
        hint = "pip install PyICU, or take the boundaries unicode"
        raise InputError("the boundaries icu: the package PyICU is not installed", hint=hint)
    if boundaries not in BOUNDARIES:
        raise InputError(f"no boundaries {boundaries!r}", hint=f"one of {', '.join(BOUNDARIES)}")
    return _by_icu() if boundaries == "icu" else _by_regex()


def _by_icu() -> Callable[[str], Iterator[str]]:
    import icu

    iterator = icu.BreakIterator.createWordInstance(icu.Locale.getRoot())

    def cut(sentence: str) -> Iterator[str]:
        # ICU counts positions in UTF-16 units, of which some characters have two.
        text: Any = icu.UnicodeString(sentence)
        iterator.setText(text)
        for begin, end in pairwise([0, *iterator]):
            yield str(text[begin:end])

    return cut


def _by_regex() -> Callable[[str], Iterator[str]]:
    import regex

    boundary = regex.compile(r"\b", regex.WORD)

    def cut(sentence: str) -> Iterator[str]:
        ends = [found.start() for found in boundary.finditer(sentence)]
        for begin, end in pairwise([*ends, len(sentence)]):
            if begin < end:
                yield sentence[begin:end]

    return cut
