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
from seggrid.errors import InputError

TextFormat = Literal["lines", "tsv"]
Case = Literal["keep", "first", "lower"]

SEPARATOR = "|||"
# Tab and newline are left out: they are the formats' own.
_UNSEEN = r"\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029"
_REFUSED = re.compile(rf"[{_UNSEEN}{BOUNDARY}]")


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
    lines = read_lines(path)
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


def read_lines(path: str | Path) -> list[str]:
    """The lines of a UTF-8 file, without line ends (`\\n` or `\\r\\n`) and byte order mark.

    Raises:
        InputError: the file cannot be read, is empty, or is not UTF-8.
    """
    try:
        raw = Path(path).read_bytes()
    except FileNotFoundError:
        raise InputError("no such file", file=path, hint="check the path in the config") from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=path) from None
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _not_utf8(path, raw, error) from None
    if not text:
        raise InputError("an empty file", file=path, hint="give a file with a sentence a line")
    lines = text.replace("\r\n", "\n").split("\n")
    if not lines[-1]:
        lines.pop()  # the newline at the end of the file ends the last line, it begins no other
    else:
        lines[-1] = lines[-1].removesuffix("\r")
    return lines


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


def _not_utf8(path: str | Path, raw: bytes, error: UnicodeDecodeError) -> InputError:
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        return InputError("UTF-16, not UTF-8", file=path, hint="save it as UTF-8")
    if raw.startswith(b"\x1f\x8b"):
        return InputError("compressed by gzip", file=path, hint="unpack it")
    # The position counts from behind a byte order mark, if there is one.
    start = error.start + 3 * raw.startswith(b"\xef\xbb\xbf")
    return InputError(
        f"not UTF-8: byte 0x{raw[start]:02x} at offset {start}",
        file=path,
        line=raw.count(b"\n", 0, start) + 1,
        hint="convert the file to UTF-8",
    )
