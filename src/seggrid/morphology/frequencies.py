"""Frequencies of words in general text from wordfreq (Speer 2022), in place of counts in a corpus."""

from __future__ import annotations

from collections.abc import Sequence

from seggrid.base.extras import check_installed

CODES = {"English": "en", "German": "de", "Dutch": "nl"}
"""wordfreq's code of each language that a config may name."""

SCALE = 10**9
"""Words of the text in which words are counted, such that the rarest words of wordfreq occur ten times."""


def check_wordfreq() -> None:
    """Check that the package wordfreq is installed.

    Raises:
        InputError: it is not installed.
    """
    check_installed(
        "frequencies", user="frequencies of words", instead="give a file of frequencies"
    )


def wordfreq_counts(words: Sequence[str], language: str) -> dict[str, int]:
    """Occurrences of words in a text of `SCALE` words; those that wordfreq does not list are left out.

    wordfreq lists lower-case words without spaces; words are looked up in lower case.

    Args:
        words: the words.
        language: one of `CODES`.

    Raises:
        InputError: the package is not installed.
    """
    check_wordfreq()
    from wordfreq import get_frequency_dict

    listed = get_frequency_dict(CODES[language], wordlist="best")
    shares = {word: listed.get(word.lower(), 0.0) for word in words}
    return {word: round(share * SCALE) for word, share in shares.items() if share}
