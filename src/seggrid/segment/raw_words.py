"""The words of a large raw text with their counts, as BPE-knockout prepares its text.

Bauwens and Delobelle 2024, section B.1. A text is read in blocks, never as a whole; each distinct word is
processed once.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

# A character that is not part of words, and neither space nor hyphen.
_PUNCTUATION = re.compile(r"([^\w\s-]|_)")


@dataclass(frozen=True)
class Preparation:
    """How a raw text is prepared for learning merges. All punctuation but hyphens is cut off words; those
    with a letter of another script are dropped, if one is named by the first word of its letters' Unicode
    names, such as `LATIN`."""

    least_count: int = 10
    longest: int = 60
    script: str | None = None


def count_words(lines: Iterable[str], preparation: Preparation | None = None) -> dict[str, int]:
    """The count of each word of a text, in order of the first occurrence of the string between spaces from
    which it was cut; without a preparation, words are these strings. No stretch of the text ends within a
    word."""
    counts: Counter[str] = Counter()
    for line in lines:
        counts.update(line.split())
    return dict(counts) if preparation is None else prepare(counts, preparation)


def prepare(counts: Mapping[str, int], preparation: Preparation) -> dict[str, int]:
    """Cut punctuation off words, and drop those that are rare, long, or of another script."""
    words: Counter[str] = Counter()
    for string, count in counts.items():
        if string.isalnum():
            words[string] += count
            continue
        for word in _PUNCTUATION.sub(r" \1 ", string).split():
            words[word] += count
    return {
        word: count
        for word, count in words.items()
        if count >= preparation.least_count
        and len(word) <= preparation.longest
        and (preparation.script is None or _is_of_script(word, preparation.script))
    }


def _is_of_script(word: str, script: str) -> bool:
    return all(_script(character) in ("", script) for character in word)


@cache
def _script(character: str) -> str:
    """The script of a letter, the first word of its Unicode name; empty if the character is not a letter."""
    if not character.isalpha():
        return ""
    return unicodedata.name(character, "").partition(" ")[0]


def is_script(name: str) -> bool:
    """Whether a name is that of a script: some letter's Unicode name begins with it.

    >>> is_script("LATIN"), is_script("KLINGON")
    (True, False)
    """
    # Without the cache of `_script`, which would store all of Unicode.
    script_of = _script.__wrapped__
    return any(script_of(chr(code)) == name for code in range(sys.maxunicode + 1))
