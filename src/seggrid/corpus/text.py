"""Read one side of a parallel text.

A text is UTF-8. Only `\\n` ends a line, and words are separated by runs of ASCII spaces: any other
space (no-break, ideographic, ...) is a character like others, so that a word's index is the one
that a gold alignment counts, whatever tool counted it. What a reader would not see and tools do
not agree about is refused: control characters and the Unicode line separators, on which some
tools end a line; `▁`, which marks word boundaries in segmented text; `|||`, which separates the
two languages in the input of aligners.

Gold counts words and lines, so the hints say what a correction moves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from seggrid.data.boundary import BOUNDARY
from seggrid.data.lines import UNSEEN, read_lines
from seggrid.errors import InputError, refuse

TextFormat = Literal["lines", "tsv"]
Case = Literal["keep", "first", "lower"]

LONGEST = 10_000
"""Characters of a sentence, at most. Aligners compare every token of a sentence with every one of
its translation, and a character may be a token."""

SEPARATOR = "|||"
_REFUSED = re.compile(rf"[{UNSEEN}{BOUNDARY}]|\|\|\|")
_REFUSED_IN_TOKENS = re.compile(rf"[{UNSEEN}]|\|\|\|")
# As in the shared tasks of word alignment: <s snum=1> the house </s>
_TAGGED = re.compile(r"\s*<(s|seg)\b[^>]*>.*</\1>\s*")


def read_tokens(path: str | Path) -> list[list[str]]:
    """Read a text, a sentence a line, that is cut into tokens already: by the same rules as any text,
    but that `▁` may stand in it, as segmenters write it.

    Raises:
        InputError: as for `read_text`.
    """
    lines = read_lines(path, hint="give a file with a sentence a line")
    refuse(_mistakes(path, "lines", lines, _REFUSED_IN_TOKENS))
    return [words_of(line) for line in lines]


def read_text(path: str | Path, format: TextFormat) -> tuple[list[list[str]], list[str] | None]:
    """Read the sentences of a text as words.

    Args:
        path: a UTF-8 file; a byte order mark, CRLF line ends and a missing last newline are borne.
        format: `"lines"`, a sentence a line, or `"tsv"`, `id<TAB>sentence`.

    Returns:
        The sentences as lists of words, and their ids if the format has them.

    Raises:
        InputError: the file is missing, empty or not UTF-8, has tags, sentences are empty or longer
            than `LONGEST`, characters are refused (see the module), ids are missing, empty or given
            twice. Of several mistakes, the first are told together (`InputErrors`).
    """
    sentences, ids = read_sentences(path, format)
    return [words_of(sentence) for sentence in sentences], ids


def read_sentences(path: str | Path, format: TextFormat) -> tuple[list[str], list[str] | None]:
    """Like `read_text`, with each sentence as a string, not yet cut into words."""
    if format not in ("lines", "tsv"):
        raise InputError(f"no text format {format!r}", file=path, hint="lines or tsv")
    lines = read_lines(path, hint="give a file with a sentence a line")
    if _TAGGED.fullmatch(lines[0].partition("\t")[2] or lines[0]):
        raise InputError(
            f"a sentence in tags: {lines[0]}",
            file=path,
            line=1,
            hint="take the tags away: a sentence a line, or `id<TAB>sentence` (tsv) to keep the ids",
        )
    refuse(_mistakes(path, format, lines))
    if format == "lines":
        return lines, None
    pairs = [line.split("\t") for line in lines]
    return [sentence for _, sentence in pairs], [name.strip(" ") for name, _ in pairs]


def _mistakes(
    path: str | Path, format: TextFormat, lines: list[str], never: re.Pattern[str] = _REFUSED
) -> Iterator[InputError]:
    """What is wrong with a text, at most one mistake a line."""
    first_line: dict[str, int] = {}
    all_allowed = never.search("\n".join(lines)) is None
    for number, line in enumerate(lines, 1):
        name, tab, sentence = line.partition("\t")
        wrong: tuple[str, str] | None = None
        if not all_allowed and (refused := never.search(line)):
            wrong = _refused(refused.group())
        elif format == "lines":
            sentence = line
            if tab:
                wrong = (
                    "a tab in a text of plain lines",
                    "say that the text is tsv if it is `id<TAB>sentence`; a tab between two words "
                    "may become a space",
                )
        elif not tab:
            wrong = (
                "no tab, where `id<TAB>sentence` has one",
                "say that the text is lines if it has no ids",
            )
        elif "\t" in sentence:
            wrong = (
                f"{line.count(tab)} tabs, where `id<TAB>sentence` has one",
                "a tab between two words may become a space; take any other away",
            )
        elif not (name := name.strip(" ")):
            wrong = "an empty id", "`id<TAB>sentence`"
        elif first_line.setdefault(name, number) != number:
            wrong = (
                f"the id {name} again, after line {first_line[name]}",
                "give each sentence an id of its own, the same on both sides and in the gold",
            )
        if wrong is None and not sentence.strip(" "):
            wrong = (
                "an empty sentence",
                "write a word there that no gold links, such as -; without the line, later lines "
                "would move up, on this side and against the gold"
                if format == "lines"
                else "take its id out of both sides and the gold",
            )
        if wrong is None and len(sentence) > LONGEST:
            wrong = (
                f"a sentence of {len(sentence)} characters, where {LONGEST} are the most",
                "shorten it and its translation from the end, and their gold",
            )
        if wrong is not None:
            yield InputError(wrong[0], file=path, line=number, hint=wrong[1])


def _refused(found: str) -> tuple[str, str]:
    """Message and hint for a character that no text may have."""
    if found == BOUNDARY:
        return (
            f"{BOUNDARY} (U+2581) in the text would be taken for a word boundary",
            "replace it by another character, such as _",
        )
    if found == SEPARATOR:
        return (
            f"{SEPARATOR} in the text would be taken for the border between the languages",
            "replace it by another string, such as |",
        )
    utf16 = "; if this is UTF-16, save it as UTF-8" if found == "\0" else ""
    return (
        f"the control character U+{ord(found):04X} inside a sentence",
        "take it away, or write another character there if it is a word by itself; a space would "
        f"cut a word in two, and gold counts words{utf16}",
    )


def words_of(sentence: str) -> list[str]:
    """The words of a sentence: what stands between runs of ASCII spaces."""
    return [word for word in sentence.split(" ") if word]


def apply_case(sentences: list[list[str]], case: Case) -> list[list[str]]:
    """Fold case.

    Args:
        sentences: sentences as lists of words; left as they are.
        case: `"keep"` changes nothing, `"first"` lowercases the first word of each sentence (the
            thesis, section 5.2.1), `"lower"` lowercases every word.

    Raises:
        InputError: `case` is none of these.
    """
    if case == "keep":
        return sentences
    if case == "first":
        return [[word.lower() for word in words[:1]] + words[1:] for words in sentences]
    if case == "lower":
        return [[word.lower() for word in words] for words in sentences]
    raise InputError(f"no case {case!r}", hint="keep, first or lower")
