"""How often words occur in general text, by wordfreq (Speer 2022), in place of counts in a corpus."""

from __future__ import annotations

from collections.abc import Sequence

from seggrid.data.extras import check_installed

CODES = {"English": "en", "German": "de", "Dutch": "nl"}
"""Languages, as a config names them, by wordfreq's codes."""

SCALE = 10**9
"""Words of the text whose counts are given: the rarest words that wordfreq lists then occur ten times."""


def check_wordfreq() -> None:
    """See that the package is installed.

    Raises:
        InputError: it is not.
    """
    check_installed(
        "frequencies", user="frequencies of words", instead="give a file of frequencies"
    )


def wordfreq_counts(words: Sequence[str], language: str) -> dict[str, int]:
    """Occurrences of words in a text of `SCALE` words; those that wordfreq does not list are left out.

    It lists lower-case words without spaces; a word is looked up in lower case.

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
