"""Occurrences of the words of a reference: from a file, or from wordfreq (Speer 2022), in general text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from seggrid.base.errors import InputError, one_line
from seggrid.base.extras import check_installed
from seggrid.morphology.references import read_entries

CODES = {"English": "en", "German": "de", "Dutch": "nl"}
"""wordfreq's code of each language that a config may name."""

SCALE = 10**9
"""Number of words in the imagined text in which words are counted; the rarest words of wordfreq occur ten
times."""


def check_wordfreq() -> None:
    """Check that the package wordfreq is installed."""
    check_installed(
        "frequencies", user="frequencies of words", instead="give a file of frequencies"
    )


def wordfreq_counts(words: Sequence[str], language: str) -> dict[str, int]:
    """Occurrences of words in a text of `SCALE` words; those that wordfreq does not list are left out.

    wordfreq lists lower-case words without spaces; words are looked up in lower case.
    """
    check_wordfreq()
    from wordfreq import get_frequency_dict

    listed = get_frequency_dict(CODES[language], wordlist="best")
    shares = {word: listed.get(word.lower(), 0.0) for word in words}
    return {word: round(share * SCALE) for word, share in shares.items() if share}


def read_frequencies(path: str | Path) -> dict[str, int]:
    """Read word frequencies, `word TAB count`; counts of a repeated word add up. Sums over words and their
    bytes must be exact in float64, so that a count has at most 12 digits."""
    frequencies: dict[str, int] = {}

    def read(line: str) -> None:
        word, tab, count = line.partition("\t")
        if not word or not (count.isascii() and count.isdigit() and len(count) < 13):
            hint = "a count has at most 12 digits" if word and tab else "write `word<TAB>count`"
            shown = one_line(repr(line), 40)
            raise InputError(f"{shown} is not a word, a tab and a count", hint=hint)
        frequencies[word] = frequencies.get(word, 0) + int(count)

    for _ in read_entries(Path(path), read):
        pass
    return frequencies


def respelled_counts(
    counts: Mapping[str, int], written: Sequence[str], respelled: Sequence[str]
) -> dict[str, int]:
    """Counts of the words of a reference under their new spellings: that of a new spelling is the sum of its
    own count and those of the words respelled to it. `written` and `respelled` are the words before and after
    `as_in_text`.

    >>> respelled_counts({"Haus": 100, "haus": 3}, ["Haus"], ["haus"])["haus"]
    103
    """
    spellings: dict[str, set[str]] = {}
    for old, new in zip(written, respelled, strict=True):
        spellings.setdefault(new, {new}).add(old)
    respelled_counts = {
        new: sum(counts.get(word, 0) for word in words)
        for new, words in spellings.items()
        if any(word in counts for word in words)
    }
    return {**counts, **respelled_counts}
