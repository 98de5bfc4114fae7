"""Read one side of a parallel text.

A text is UTF-8, compressed or not, in one of several formats (`seggrid.corpus.text_formats`). Only `\\n`
ends a line, and words are separated by runs of ASCII spaces: any other space (no-break, ideographic,
...) is an ordinary character, so that a word's index is the one that a gold alignment counts,
whatever tool counted it. Characters that are invisible and that tools treat differently are refused: control
characters and the Unicode line separators, on which some tools end a line; `▁`, which marks word
boundaries in segmented text; `|||`, which separates the two languages in the input of aligners.

Gold counts words and lines, so the hints say what a correction moves.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from itertools import chain
from pathlib import Path
from typing import Literal, NamedTuple, get_args

from seggrid.base.lines import LARGEST_TEXT, UNSEEN, read_utf8, split_lines
from seggrid.corpus.text_formats import (
    SEPARATOR,
    SPLITS,
    TAGGED,
    WITH_IDS,
    Format,
    HalfEmpty,
    Malformed,
)
from seggrid.corpus.tmx import read_tmx
from seggrid.data.boundary import BOUNDARY, WORD_END
from seggrid.data.sides import SIDES
from seggrid.errors import InputError, refuse

TextFormat = Format
Case = Literal["keep", "first", "lower"]
ControlCharacters = Literal["refuse", "drop"]
EmptyLines = Literal["refuse", "skip"]

LONGEST = 10_000
"""The most characters of a sentence. Aligners compare every token of a sentence with every token of its
translation, and a character may be a token."""

_SKIP = "skip such pairs (empty_lines: skip for the pair, --empty-lines skip)"

REPLACEMENT = "\ufffd"
"""Replaces a word of only control characters if these are dropped, since gold counts the word."""

_REFUSED = re.compile(rf"[{UNSEEN}{BOUNDARY}]|\|\|\||</w>")
_REFUSED_IN_TOKENS = re.compile(rf"[{UNSEEN}]|\|\|\|")
_UNSEEN = re.compile(rf"[{UNSEEN}]")
_HINT = "give a file with one sentence per line"

Place = tuple[str | Path, int]
"""A file, and a line of it, counted from 1."""


@dataclass(frozen=True)
class Text:
    """The files of one side's sentences, and how they are read.

    Attributes:
        files: the files, which are joined.
        format: format of all files, see `seggrid.corpus.text_formats`.
        part: of files that hold both sides, which one: `source` or `target`; of TMX, the language code.
        control_characters: whether they are a mistake, or are dropped and counted. A word of only such
            characters becomes `REPLACEMENT`, so that words keep their numbers.
        empty_lines: whether an empty sentence is a mistake, or is read, so that the caller can skip it with
            its translation (`seggrid.corpus.selection.filled_lines`).
        untagged: whether a file of a `wpt` text may be one of plain lines, as the shared tasks give training
            text; no gold names its sentences.
    """

    files: tuple[str | Path, ...]
    format: TextFormat = "lines"
    part: str = ""
    control_characters: ControlCharacters = "refuse"
    empty_lines: EmptyLines = "refuse"
    untagged: bool = False

    @classmethod
    def of(cls, text: Text | str | Path, format: TextFormat = "lines") -> Text:
        """The text itself, or the text of a single file."""
        return text if isinstance(text, Text) else cls((text,), format)

    def to_json(self) -> str:
        """The text as an argument of a script, which `from_json` reads."""
        return json.dumps({**asdict(self), "files": list(map(str, self.files))})

    @classmethod
    def from_json(cls, text: str) -> Text:
        """Parse what `to_json` wrote."""
        values = json.loads(text)
        return cls(**{**values, "files": tuple(values["files"])})

    @property
    def has_ids(self) -> bool:
        """Whether the sentences have ids."""
        return self.format in WITH_IDS

    @property
    def name(self) -> str:
        """The name of the text in messages."""
        more = len(self.files) - 1
        return str(self.files[0]) + (f" and {more} more" if more else "")

    def read(self, content: Callable[[str | Path], str] | None = None) -> Sentences:
        """Read the sentences.

        Args:
            content: gives the text of a file; by default, the file is read.

        Raises:
            InputError: as for `read_text`.
        """
        read = Sentences([], [] if self.has_ids else None)
        first: dict[str, Place] = {}
        for file in self.files:
            rows = _rows_of(file, self, read.remarks, content or read_content)
            refuse(_mistakes(file, rows, _REFUSED, first, self.empty_lines))
            read.begins.append((len(read.sentences), file, [row.line for row in rows]))
            read.sentences.extend(row.sentence for row in rows)
            if read.ids is not None:
                read.ids.extend(row.name or "" for row in rows)
        return read


@dataclass
class Sentences:
    """The sentences of one side.

    Attributes:
        sentences: the sentences as strings.
        ids: ids of the sentences, if the format has them.
        remarks: remarks on what was dropped, one line each.
        begins: of each file, its first sentence, its name, and the lines of its sentences.
    """

    sentences: list[str]
    ids: list[str] | None
    remarks: list[str] = field(default_factory=list)
    begins: list[tuple[int, str | Path, list[int]]] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.sentences)

    def words(self) -> list[list[str]]:
        """The sentences as lists of words. Equal words are one string: one for each would take most of the
        memory of a large text."""
        share = dict[str, str]().setdefault
        rows = map(words_of, self.sentences)
        return [list(map(share, words, words)) for words in rows]

    def where(self, sentence: int) -> Place:
        """The file and line of a sentence."""
        begin, file, lines = next(row for row in reversed(self.begins) if row[0] <= sentence)
        return file, lines[sentence - begin]


class _Row(NamedTuple):
    """A sentence with its line and its id; or the mistake in the line."""

    line: int
    name: str | None
    sentence: str
    wrong: tuple[str, str] | None = None


def read_tokens(path: str | Path) -> list[list[str]]:
    """Read a tokenized text, one sentence per line. The rules are those for other texts, except that `▁` is
    allowed, which segmenters write.

    Raises:
        InputError: as for `read_text`.
    """
    rows = _rows_of(path, Text.of(path), [], read_content)
    refuse(_mistakes(path, rows, _REFUSED_IN_TOKENS, {}))
    return [words_of(row.sentence) for row in rows]


def read_text(path: str | Path, format: TextFormat) -> tuple[list[list[str]], list[str] | None]:
    """Read the sentences of a text as words.

    Args:
        path: a UTF-8 file; a byte order mark, CRLF line ends and a missing last newline are accepted.
        format: see `seggrid.corpus.text_formats`.

    Returns:
        The sentences as lists of words, and their ids if the format has them.

    Raises:
        InputError: the file is missing, empty or not UTF-8, has tags, sentences are empty or longer
            than `LONGEST`, characters are refused (see the module), ids are missing, empty or given
            twice. Several mistakes are raised together (`InputErrors`).
    """
    read = Text.of(path, format).read()
    return read.words(), read.ids


def read_content(file: str | Path) -> str:
    """The content of a file with sentences.

    Raises:
        InputError: it cannot be read.
    """
    return read_utf8(file, _HINT, LARGEST_TEXT)


def _rows_of(
    file: str | Path, text: Text, remarks: list[str], content: Callable[[str | Path], str]
) -> list[_Row]:
    """The lines of a file, split by its format, with control characters dropped if this is asked for."""
    if text.format not in get_args(Format):
        raise InputError(
            f"unknown text format {text.format!r}", file=file, hint=" or ".join(get_args(Format))
        )
    if text.format == "tmx":
        rows = [
            _Row(line, None, sentence)
            for line, sentence in read_tmx(file, content(file), text.part)
        ]
    else:
        rows = list(_split(file, content(file), text))
    if text.control_characters == "drop":
        dropped = 0
        for k, row in enumerate(rows):
            found = len(_UNSEEN.findall(row.sentence))
            if found:
                dropped += found
                rows[k] = row._replace(sentence=_without_unseen(row.sentence))
        if dropped:
            remarks.append(f"{file}: {dropped} control characters dropped")
    return rows


def _split(file: str | Path, content: str, text: Text) -> Iterator[_Row]:
    lines = split_lines(content, file)
    tagged = TAGGED.fullmatch(lines[0].partition("\t")[2] or lines[0])
    if tagged and text.format != "wpt":
        raise InputError(
            f"a sentence in tags: {lines[0]}",
            file=file,
            line=1,
            hint="set format: wpt (--format wpt) if all are `<s snum=1> sentence </s>`, or take the tags "
            "away: one sentence per line, or `id<TAB>sentence` (tsv) to keep the ids",
        )
    format = text.format
    if format == "wpt" and not tagged:
        if not text.untagged:
            raise InputError(
                "a text without tags, but its format is wpt",
                file=file,
                line=1,
                hint="write `<s snum=1> sentence </s>` on each line, or give both texts as lines or tsv: "
                "only training text may lack the tags",
            )
        format = "lines"
    split, side = SPLITS[format], SIDES.index(text.part) if text.part in SIDES else 0
    for number, line in enumerate(lines, 1):
        try:
            yield _Row(number, *split(line, side))
        except HalfEmpty as error:
            wrong = None if text.empty_lines == "skip" else error.args
            yield _Row(number, None, "", wrong)
        except Malformed as error:
            message, hint = error.args
            yield _Row(number, None, line, (message, hint))


def _without_unseen(sentence: str) -> str:
    return " ".join(_UNSEEN.sub("", word) or REPLACEMENT for word in words_of(sentence))


def _mistakes(
    path: str | Path,
    rows: Iterable[_Row],
    never: re.Pattern[str],
    first_line: dict[str, Place],
    empty_lines: EmptyLines = "refuse",
) -> Iterator[InputError]:
    """The mistakes in a text, at most one for each line."""
    for number, name, sentence, malformed in rows:
        wrong = malformed
        if refused := never.search(sentence):
            if malformed is None or refused.group() != SEPARATOR:
                wrong = _refused(refused.group())
        elif wrong is None and name is not None:
            wrong = _wrong_id(path, number, name, never, first_line)
        if wrong is None and empty_lines == "refuse" and not sentence.strip(" "):
            wrong = (
                "an empty sentence",
                f"{_SKIP}, or take its id out of both sides and the gold"
                if name is not None
                else f"write a word there that no gold links, such as -, or {_SKIP}; without the line, later "
                "lines would move up, on this side and against the gold",
            )
        if wrong is None and len(sentence) > LONGEST:
            wrong = (
                f"a sentence of {len(sentence)} characters, where {LONGEST} are the most",
                "shorten it and its translation from the end, and their gold",
            )
        if wrong is not None:
            yield InputError(wrong[0], file=path, line=number, hint=wrong[1])


def _wrong_id(
    file: str | Path, number: int, name: str, never: re.Pattern[str], first: dict[str, Place]
) -> tuple[str, str] | None:
    """Message and hint for a wrong id; None if it is right."""
    if not name:
        return "an empty id", "`id<TAB>sentence`"
    if refused := never.search(name):
        return _refused(refused.group())
    before = first.setdefault(name, (file, number))
    if before != (file, number):
        where = f"line {before[1]}" + (f" of {before[0]}" if before[0] != file else "")
        return (
            f"the id {name} again, after {where}",
            "give each sentence an id of its own, the same on both sides and in the gold",
        )
    return None


def _refused(found: str) -> tuple[str, str]:
    """Message and hint for a character that is not allowed in texts."""
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
    if found == WORD_END:
        return (
            f"{WORD_END} in the text would be taken for the end of a word",
            "take it away, or replace it by another string",
        )
    utf16 = "; if this is UTF-16, save it as UTF-8" if found == "\0" else ""
    return (
        f"the control character U+{ord(found):04X} inside a sentence",
        "set control_characters: drop (--control-characters drop), or write another character there if it is "
        f"a word by itself; a space would cut a word in two, and gold counts words{utf16}",
    )


def words_of(sentence: str) -> list[str]:
    """The words of a sentence, which are separated by runs of ASCII spaces."""
    return [word for word in sentence.split(" ") if word]


def apply_case(sentences: list[list[str]], case: str | None) -> list[list[str]]:
    """Apply the axis `case`.

    Args:
        sentences: sentences as lists of words, which are not changed.
        case: `"keep"` changes nothing, `"first"` lowercases the first word of each sentence (the
            thesis, section 5.2.1), `"lower"` lowercases every word.

    Raises:
        InputError: `case` is none of these.
    """
    if case == "keep":
        return sentences
    if case in ("first", "lower"):
        # As in `Sentences.words`, equal words stay one string.
        distinct = dict.fromkeys(chain.from_iterable(sentences))
        shared: dict[str, str] = {}
        lower = {word: shared.setdefault(low, low) for word in distinct for low in [word.lower()]}
        if case == "lower":
            return [list(map(lower.__getitem__, words)) for words in sentences]
        return [[lower[word] for word in words[:1]] + words[1:] for words in sentences]
    raise InputError(f"unknown case {case!r}", hint="keep, first or lower")
