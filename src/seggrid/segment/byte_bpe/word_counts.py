"""The words of a large raw text with their counts, as BPE-knockout prepares its text.

Bauwens and Delobelle 2024, section B.1. A text is read in blocks and never held whole; what is done to
words is done once for each distinct one.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

# A character that is neither of a word, nor space, nor hyphen.
_PUNCTUATION = re.compile(r"([^\w\s-]|_)")


@dataclass(frozen=True)
class Preparation:
    """What is done to a raw text before merges are learned. All punctuation but hyphens is cut off words.

    Attributes:
        least_count: words that occur less often are dropped.
        longest: words of more characters are dropped.
        script: words with a letter of another script are dropped, such as `LATIN` (the first word of
            the letters' Unicode names); with None, none is.
    """

    least_count: int = 10
    longest: int = 60
    script: str | None = None


def count_words(lines: Iterable[str], preparation: Preparation | None = None) -> dict[str, int]:
    """Count the words of a text; without a preparation, whatever lies between spaces.

    Args:
        lines: stretches of text, none of which ends within a word.
        preparation: what is done to them.

    Returns:
        Words in the order of their first occurrence, those that punctuation is cut off in the order of
        the strings between spaces that they come from.
    """
    counts: Counter[str] = Counter()
    for line in lines:
        counts.update(line.split())
    if preparation is None:
        return dict(counts)
    return prepare(counts, preparation)


def prepare(counts: Mapping[str, int], preparation: Preparation) -> dict[str, int]:
    """Cut punctuation off words, and drop those that are rare, long, or of another script.

    As what is between spaces is cut by itself, cutting each distinct string once gives the same counts
    as cutting the text.
    """
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
    """The script of a letter, by the first word of its name; empty for what is no letter."""
    if not character.isalpha():
        return ""
    return unicodedata.name(character, "").partition(" ")[0]


def is_script(name: str) -> bool:
    """Whether a letter is of a script.

    >>> is_script("LATIN"), is_script("KLINGON")
    (True, False)
    """
    # Not the cache's: it would keep all of Unicode.
    of = _script.__wrapped__
    return any(of(chr(code)) == name for code in range(sys.maxunicode + 1))
