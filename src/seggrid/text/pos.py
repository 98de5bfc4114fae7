"""Parts of speech: coarse ones and the tags that they come from, tagged texts, lexicons.

The words of a tagged text are annotated (`seggrid.text.annotated`) with the tag of a tagger and the coarse
part of speech.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path

from seggrid.base.errors import InputError
from seggrid.base.lines import parse_lines, read_lines
from seggrid.text.annotated import annotate, take_apart
from seggrid.text.text_files import read_text

Tags = list[list[str]]
"""For each word of each sentence, a tag or a part of speech."""

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


def check_language(language: str | None) -> None:
    """Refuse a language without a tagger."""
    if language not in LANGUAGES:
        text = "a text whose language is not given" if language is None else f"{language} text"
        raise InputError(
            f"no tagger of parts of speech for {text}",
            hint=f"there are taggers for {', '.join(LANGUAGES)}; wordmap needs no tags",
        )


_ONE_OF = f"a part of speech is one of {', '.join(PARTS)}"


def tagged(sentences: Sequence[Sequence[str]], tags: Tags, language: str) -> list[list[str]]:
    """A text whose words are annotated with their tags and parts of speech."""
    return [
        [
            annotate(word, tag, part_of_speech(tag, language))
            for word, tag in zip(words, own, strict=True)
        ]
        for words, own in zip(sentences, tags, strict=True)
    ]


def word_and_part(annotated: str) -> tuple[str, str]:
    """A word of a tagged text, and its part of speech.

    >>> word_and_part("verstehe|VV(FIN)|verb")
    ('verstehe', 'verb')
    """
    word, _, part = take_apart(annotated)
    if part not in PARTS:
        raise InputError(
            f"{annotated!r} is not a word, its tag and its part of speech, as in houses|NN2|noun",
            hint=f"seggrid tag writes such a text; {_ONE_OF}",
        )
    return word, part


def read_tags(path: str | Path, sentences: Sequence[Sequence[str]]) -> Tags:
    """The tagger's tag of every word, from a tagged text. The words of the text may be in any case."""
    found, again = [], "tag this text again, as after every change of it"
    text, _ = read_text(path, "lines")
    for line, (own, words) in enumerate(zip_longest(text, sentences, fillvalue=()), 1):
        tags = []
        for annotated, word in zip_longest(own, words):
            said, tag, _ = take_apart(annotated or "")
            if not tag or word is None or said.lower() != word.lower():
                message = f"{annotated!r} where the text has {word!r}"
                raise InputError(message, file=path, line=line, hint=again)
            tags.append(tag)
        found.append(tags)
    return found


def read_lexicon(path: str | Path) -> list[tuple[str, str]]:
    """Read words with their parts of speech: `word<TAB>part` lines."""
    lines = enumerate(read_lines(path, hint="give one word per line"), 1)
    return [entry for _, entry in parse_lines(path, lines, _entry)]


def _entry(line: str) -> tuple[str, str]:
    word, _, part = line.partition("\t")
    if not word or " " in word or part not in PARTS:
        raise InputError(f"{line!r} is not a word, tab and part of speech", hint=_ONE_OF)
    return word, part
