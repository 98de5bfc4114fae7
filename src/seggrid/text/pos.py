"""Parts of speech: coarse ones and the tags that they come from, tagged texts, lexicons.

A line of a tagged text is a word, its tag and its coarse part of speech, separated by tabs; an empty line
ends a sentence.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from seggrid.base.errors import InputError
from seggrid.base.lines import LARGEST_TEXT, parse_lines, read_lines, write_lines

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


def are_chosen(parts: Iterable[Sequence[str]], chosen: str) -> list[list[bool]]:
    """For each word of each sentence, whether it has the chosen part of speech; with `ANY`, all words do."""
    return [[chosen in (part, ANY) for part in sentence] for sentence in parts]


def check_language(language: str | None) -> None:
    """Refuse a language without a tagger."""
    if language not in LANGUAGES:
        text = "a text whose language is not given" if language is None else f"{language} text"
        raise InputError(
            f"no tagger of parts of speech for {text}",
            hint=f"there are taggers for {', '.join(LANGUAGES)}; wordmap needs no tags",
        )


_ONE_OF = f"a part of speech is one of {', '.join(PARTS)}"


def write_tags(
    path: str | Path, sentences: Sequence[Sequence[str]], tags: Tags, language: str
) -> None:
    """Write words with their tags."""
    lines = []
    for words, own in zip(sentences, tags, strict=True):
        rows = zip(words, own, strict=True)
        lines += [f"{word}\t{tag}\t{part_of_speech(tag, language)}" for word, tag in rows]
        lines.append("")
    write_lines(path, lines)


def read_tags(path: str | Path, sentences: Sequence[Sequence[str]], *, coarse: bool = True) -> Tags:
    """The coarse part of speech of every word, or the tagger's tag, from what `write_tags` wrote. The words
    of the text may be in any case."""
    found: Tags = []
    line = 0
    lines = read_lines(path, limit=LARGEST_TEXT)
    for words in sentences:
        parts = []
        for word in (*words, None):
            fields = lines[line].split("\t") if line < len(lines) else ["?"]
            line += 1
            if word is None and fields == [""]:
                continue
            if word is None or fields[0].lower() != word.lower():
                expected = "the end of a sentence" if word is None else repr(word)
                raise InputError(
                    f"{fields[0]!r} where the text has {expected}",
                    file=path,
                    line=line,
                    hint="tag this text again, as after every change of it",
                )
            if len(fields) != 3 or fields[2] not in PARTS:
                raise InputError(
                    f"{lines[line - 1]!r} is not a word, tag and part of speech, separated by tabs",
                    file=path,
                    line=line,
                    hint=_ONE_OF,
                )
            parts.append(fields[2 if coarse else 1])
        found.append(parts)
    if line < len(lines):
        hint = "tag this text again"
        raise InputError("more words than the text has", file=path, line=line + 1, hint=hint)
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
