"""Count the syllables of a word by its groups of vowels."""

from __future__ import annotations

import re

_VOWELS = "aeiouyäöüáéíóúàèìòùâêîôûëïœæ"
_GROUPS = re.compile(f"[{_VOWELS}]+")
_SILENT = re.compile(f"(?<![{_VOWELS}l])e$|(?<=[{_VOWELS}]l)e$")


def count_syllables(word: str, language: str | None = None) -> int:
    """The number of groups of vowels of a word, at least one.

    Adjacent vowels of two syllables (`Be·amter`, `cre·ate`) count as one group. In English, a final `e`
    after a consonant is silent, except in `-le` after a consonant (`ta·ble`).

    >>> [count_syllables(word, "English") for word in ("made", "table", "whole", "the")]
    [1, 2, 1, 1]
    >>> count_syllables("verstehen", "German")
    3
    """
    text = word.lower()
    groups = len(_GROUPS.findall(text))
    if language == "English" and _SILENT.search(text):
        groups -= 1
    return max(groups, 1)
