"""Coarse parts of speech, from the tags of a language's tagger."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from seggrid.errors import InputError

PARTS = ("verb", "noun", "name", "adjective", "adverb", "other")
"""The coarse parts of speech."""

ANY = "any"
"""Stands for all parts of speech."""

CELEX_PARTS = {"V": "verb", "N": "noun", "A": "adjective", "B": "adverb"}
"""The parts of speech that CELEX distinguishes, by its tag for a whole word."""

# The beginnings of the tags of each part of speech: STTS in German, CLAWS 5 in English, the tags of the
# Spoken Dutch Corpus. An auxiliary is a verb.
_PREFIXES: dict[str, dict[str, tuple[str, ...]]] = {
    "German": {
        "verb": ("VV", "VA", "VM"),
        "noun": ("NN",),
        "name": ("NE",),
        "adjective": ("ADJ",),
        "adverb": ("ADV", "PROAV", "PWAV"),
    },
    "English": {
        "verb": ("V",),
        "noun": ("NN",),
        "name": ("NP",),
        "adjective": ("AJ",),
        "adverb": ("AV",),
    },
    "Dutch": {
        "verb": ("WW(",),
        "noun": ("N(soort",),
        "name": ("N(eigen",),
        "adjective": ("ADJ(",),
        "adverb": ("BW(",),
    },
}

LANGUAGES = tuple(_PREFIXES)
"""The languages with a tagger, as a config names them."""


def part_of_speech(tag: str, language: str) -> str:
    """The coarse part of speech of a tag, one of `PARTS`.

    >>> part_of_speech("VV(FIN)", "German"), part_of_speech("AJ0", "English")
    ('verb', 'adjective')
    """
    for part, prefixes in _PREFIXES[language].items():
        if tag.startswith(prefixes):
            return part
    return "other"


def are_chosen(parts: Iterable[Sequence[str]], chosen: str) -> list[list[bool]]:
    """For each word of each sentence, whether it has the chosen part of speech; with `ANY`, all words do."""
    return [[chosen in (part, ANY) for part in sentence] for sentence in parts]


def check_language(language: str | None) -> None:
    """Refuse a language without a tagger.

    Raises:
        InputError: there is no tagger for the language, or it is None.
    """
    if language not in LANGUAGES:
        text = "a text whose language is not given" if language is None else f"{language} text"
        raise InputError(
            f"no tagger of parts of speech for {text}",
            hint=f"there are taggers for {', '.join(LANGUAGES)}; wordmap needs no tags",
        )
