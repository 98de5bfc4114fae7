"""Files of tagged texts, and lexicons.

A line of a tagged text is a word, its tag and its coarse part of speech (`seggrid.corpus.pos`), separated
by tabs; an empty line ends a sentence.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from seggrid.base.lines import LARGEST_TEXT, read_lines, write_lines
from seggrid.corpus.pos import PARTS, part_of_speech
from seggrid.errors import InputError

Tags = list[list[str]]
"""For each word of each sentence, a tag or a part of speech."""


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
    """The part of speech of every word, from what `write_tags` wrote.

    Args:
        path: the file.
        sentences: the words of the text, in any case.
        coarse: whether to return the coarse part of speech, or the tagger's tag.

    Raises:
        InputError: a line is not a word with its tags, or the words differ from those of the text.
    """
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
                    hint=f"a part of speech is one of {', '.join(PARTS)}",
                )
            parts.append(fields[2 if coarse else 1])
        found.append(parts)
    if line < len(lines):
        raise InputError(
            "more words than the text has", file=path, line=line + 1, hint="tag this text again"
        )
    return found


def read_lexicon(path: str | Path) -> list[tuple[str, str]]:
    """Read words with their parts of speech: `word<TAB>part` lines.

    Raises:
        InputError: a line is not of this format.
    """
    entries = []
    for number, line in enumerate(read_lines(path, hint="give one word per line"), 1):
        word, _, part = line.partition("\t")
        if not word or " " in word or part not in PARTS:
            raise InputError(
                f"{line!r} is not a word, tab and part of speech",
                file=path,
                line=number,
                hint=f"a part of speech is one of {', '.join(PARTS)}",
            )
        entries.append((word, part))
    return entries
