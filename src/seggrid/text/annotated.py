"""Texts whose words are annotated: bars stand between a word, what is said of it, and the class of that, as
in `houses|NN2|noun`, the notation of factored texts in Moses.

Such a text is read and cased as any other. A segmenter with `annotation` learns and cuts it.
"""

from __future__ import annotations

from collections.abc import Sequence

from seggrid.base.errors import InputError
from seggrid.text.words import Words

BAR = "|"


def annotate(word: str, note: str, kind: str) -> str:
    """A word with an annotation and its class.

    >>> annotate("houses", "NN2", "noun")
    'houses|NN2|noun'
    """
    if set(note + kind) & {BAR, " "}:
        raise InputError(f"{note!r} {kind!r} of {word!r}", hint="no space or bar may be in either")
    return BAR.join((word, note, kind))


def take_apart(annotated: str) -> tuple[str, str, str]:
    """A word, its annotation and the class of that; the two are empty if it has none.

    >>> take_apart("a|b|SYM|other")
    ('a|b', 'SYM', 'other')
    """
    word, *notes = annotated.rsplit(BAR, 2)
    return (word, notes[0], notes[1]) if word and len(notes) == 2 else (annotated, "", "")


def without_annotations(text: Sequence[Sequence[str]]) -> Words:
    """The words alone of an annotated text."""
    words = Words.of(text)
    return words.with_types([take_apart(one)[0] for one in words.types])
