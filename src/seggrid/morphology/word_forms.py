"""Other forms in which a reference or a text may have a word."""

from __future__ import annotations

from collections.abc import Callable, Collection

TRANSCRIPTIONS = {
    **{"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"},
    **{"Ä": "Ae", "Ö": "Oe", "Ü": "Ue"},
}
"""The transcription of German letters in CELEX, which is ASCII."""


def transcribed(word: str) -> str:
    """A German word as CELEX writes it.

    >>> transcribed("ähnlich")
    'aehnlich'
    """
    return "".join(TRANSCRIPTIONS.get(c, c) for c in word)


FORMS: dict[str, Callable[[str], str]] = {
    "in lower case": str.lower,
    "capitalized": str.capitalize,
    "in upper case": str.upper,
    "transcribed": transcribed,
}
"""Other forms in which a reference or a text may have a word, by name of the form."""


def other_form(word: str, known: Collection[str]) -> tuple[str, str] | None:
    """The name of the first other form of a word that is in `known`, and that form; None if there is none.

    >>> other_form("Haus", {"haus"}), other_form("haus", {"haus"})
    (('in lower case', 'haus'), None)
    """
    forms = ((name, form(word)) for name, form in FORMS.items())
    return next(((name, form) for name, form in forms if form != word and form in known), None)
