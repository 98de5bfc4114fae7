"""Read one side of a parallel text.

A text is UTF-8. Only `\\n` ends a line, and words are separated by runs of ASCII spaces: any other
space (no-break, ideographic, ...) is a character like others, so that a word's index is the one
that a gold alignment counts, whatever tool counted it. What a reader would not see and tools do
not agree about is refused: control characters and the Unicode line separators, on which some
tools end a line; `▁`, which marks word boundaries in segmented text; `|||`, which separates the
two languages in the input of aligners.
"""

import re
from pathlib import Path
from typing import Literal

from seggrid.data.boundary import BOUNDARY
from seggrid.data.lines import UNSEEN, read_lines
from seggrid.errors import InputError

TextFormat = Literal["lines", "tsv"]
Case = Literal["keep", "first", "lower"]

SEPARATOR = "|||"
_REFUSED = re.compile(rf"[{UNSEEN}{BOUNDARY}]")


def read_text(path: str | Path, format: TextFormat) -> tuple[list[list[str]], list[str] | None]:
    """Read the sentences of a text as words.

    Args:
        path: a UTF-8 file; a byte order mark, CRLF line ends and a missing last newline are borne.
        format: `"lines"`, a sentence a line, or `"tsv"`, `id<TAB>sentence`.

    Returns:
        The sentences as lists of words, and their ids if the format has them.

    Raises:
        InputError: the file is missing, empty or not UTF-8, a sentence is empty, a character is
            refused (see the module), an id is missing, empty or given twice.
    """
    sentences, ids = read_sentences(path, format)
    return [words_of(sentence) for sentence in sentences], ids


def read_sentences(path: str | Path, format: TextFormat) -> tuple[list[str], list[str] | None]:
    """Like `read_text`, with each sentence as a string, not yet cut into words."""
    lines = read_lines(path, hint="give a file with a sentence a line")
    _refuse_characters(path, "\n".join(lines))
    if format == "lines":
        sentences, ids = lines, None
        for number, line in enumerate(lines, 1):
            if "\t" in line:
                raise InputError(
                    "a tab in a text of plain lines",
                    file=path,
                    line=number,
                    hint="replace it by a space, or say that the text is tsv if it is "
                    "`id<TAB>sentence`",
                )
    elif format == "tsv":
        sentences, ids = _split_ids(path, lines)
    else:
        raise InputError(f"no text format {format!r}", file=path, hint="lines or tsv")
    for number, sentence in enumerate(sentences, 1):
        if not sentence.strip(" "):
            raise InputError(
                "an empty sentence", file=path, line=number, hint="remove the pair from both sides"
            )
    return sentences, ids


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


def _split_ids(path: str | Path, lines: list[str]) -> tuple[list[str], list[str]]:
    sentences, ids, seen = [], [], {}
    for number, line in enumerate(lines, 1):
        fields = line.split("\t")
        if len(fields) != 2:
            raise InputError(
                f"{len(fields) - 1} tabs where `id<TAB>sentence` has one",
                file=path,
                line=number,
                hint="say that the text is lines if it has no ids"
                if len(fields) == 1
                else "replace the tabs in the sentence by spaces",
            )
        name = fields[0].strip(" ")
        if not name:
            raise InputError("an empty id", file=path, line=number, hint="`id<TAB>sentence`")
        if seen.setdefault(name, number) != number:
            raise InputError(
                f"the id {name} again, after line {seen[name]}",
                file=path,
                line=number,
                hint="give each sentence its own id",
            )
        ids.append(name)
        sentences.append(fields[1])
    return sentences, ids


def _refuse_characters(path: str | Path, text: str) -> None:
    if refused := _REFUSED.search(text):
        found, position = refused.group(), refused.start()
    elif (position := text.find(SEPARATOR)) >= 0:
        found = SEPARATOR
    else:
        return
    if found == BOUNDARY:
        message = f"{BOUNDARY} (U+2581) in the text would be taken for a word boundary"
        hint = "replace it by another character, such as _"
    elif found == SEPARATOR:
        message = f"{SEPARATOR} in the text would be taken for the border between the languages"
        hint = "replace it by another string, such as |"
    else:
        message = f"the control character U+{ord(found):04X} inside a sentence"
        hint = "remove it or replace it by a space"
    raise InputError(message, file=path, line=text.count("\n", 0, position) + 1, hint=hint)
