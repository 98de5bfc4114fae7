"""Read one side of a parallel text.

A text is UTF-8, compressed or not, in one of several formats (`seggrid.text.text_formats`). Only `\\n`
ends a line, and words are separated by runs of ASCII spaces: any other space (no-break, ideographic,
...) is an ordinary character, so that the index of a word is the one that a gold alignment uses, whatever
tool made it. Characters that are invisible and that tools treat differently are refused: control
characters and the Unicode line separators, on which some tools end a line; `▁`, which marks word
boundaries in segmented text, unless the text is one of tokens; `|||`, which separates the two languages in
the input of aligners.

Gold counts words and lines, so hints say whether a correction would shift them.
"""

from __future__ import annotations

import json
import re
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, TypeVar, cast, get_args

import numpy as np
from numpy.typing import NDArray

from seggrid.base.errors import SHOWN, InputError, raise_mistakes
from seggrid.base.lines import UNSEEN, line_ends, lone_return, utf8_blocks
from seggrid.text.boundary import BOUNDARY, WORD_END
from seggrid.text.sides import SIDES
from seggrid.text.text_formats import (
    SEPARATOR,
    SKIP,
    TAGGED,
    WITH_IDS,
    Format,
    HalfEmpty,
    SentenceRow,
    refuse_other,
    sentence_rows,
)
from seggrid.text.tmx import TmxReader, xml_blocks
from seggrid.text.uncut import remarks_on_words
from seggrid.text.words import Counting, Numbering, Spool, WordCounts, Words

TextFormat = Format
ControlCharacters = Literal["refuse", "drop"]
EmptyLines = Literal["refuse", "skip"]
BadLines = Literal["refuse", "drop"]

LONGEST = 10_000
"""The most characters of a sentence. Aligners compare every token of a sentence with every token of its
translation, and a single character may be a token."""

REPLACEMENT = "\ufffd"
"""Replaces words that consist of dropped control characters, since gold counts these words."""

_UNSEEN = re.compile(rf"[{UNSEEN}]")
_HINT = "give a file with one sentence per line"

Place = tuple[str | Path, int]
"""A file, and a line of it, counted from 1."""


@dataclass(frozen=True)
class Text:
    """The files of one side's sentences, and how they are read.

    Attributes:
        files: the files, which are joined.
        format: format of all files, see `seggrid.text.text_formats`.
        part: for files with both sides, which side this is: `source` or `target`; for TMX, the language code.
        control_characters: whether control characters are a mistake, or are dropped and counted. A word of
            only such characters becomes `REPLACEMENT`, so that words keep their numbers.
        empty_lines: whether an empty sentence is a mistake, or is read, so that the caller can skip it with
            its translation (`seggrid.text.words.filled_pairs`).
        untagged: whether a file of a `wpt` text may consist of plain lines, as the training text of the
            shared tasks does; gold cannot name its sentences.
        tokens: whether the text may hold `▁` and `</w>`, which segmenters write.
        bad_lines: whether a line with a mistake is refused, or is read as an empty sentence that `Read.bad`
            names, even if it is not UTF-8.
        raw: whether the text will be cut into words, so that nothing is said about what spaces separate.
    """

    files: tuple[str | Path, ...]
    format: TextFormat = "lines"
    part: str = ""
    control_characters: ControlCharacters = "refuse"
    empty_lines: EmptyLines = "refuse"
    untagged: bool = False
    tokens: bool = False
    bad_lines: BadLines = "refuse"
    raw: bool = False

    @classmethod
    def of(cls, text: Text | str | Path, format: TextFormat = "lines") -> Text:
        """The text itself, or the text of a single file."""
        return text if isinstance(text, Text) else cls((text,), format)

    def to_text(self) -> str:
        """The text as an argument of a script, which `from_text` reads."""
        return json.dumps({**asdict(self), "files": list(map(str, self.files))})

    @classmethod
    def from_text(cls, text: str) -> Text:
        """Parse what `to_text` wrote."""
        values = json.loads(text)
        return cls(**{**values, "files": tuple(values["files"])})

    @classmethod
    def skipping(cls, path: str | Path, format: TextFormat = "lines", **how: Any) -> Text:
        """The text of a single file, of which empty sentences are read as such."""
        return cls((path,), format, empty_lines="skip", **how)

    @property
    def skips_empty(self) -> bool:
        """Whether empty sentences are no mistake."""
        return self.empty_lines == "skip"

    @property
    def has_ids(self) -> bool:
        """Whether the sentences have ids."""
        return self.format in WITH_IDS

    @property
    def name(self) -> str:
        """The name of the text in messages."""
        more = len(self.files) - 1
        return str(self.files[0]) + (f" and {more} more" if more else "")

    def read(self, blocks: Blocks | None = None) -> Sentences:
        """Read the sentences. `blocks` returns the content of a file in blocks of whole lines of UTF-8; by
        default, the file is read."""
        return read_sides([self], Sentences, blocks)[0]

    def read_words(self, blocks: Blocks | None = None) -> Numbered:
        """As `read`, but number the words while reading, so that sentences are not kept in memory."""
        return read_sides([self], Numbered, blocks)[0]

    def read_counts(self, spooled: bool = False) -> Counted:
        """As `read`, but count the words while reading, so that each distinct word is kept only once; or put
        the text into a temporary file, see `seggrid.text.words.Spool`."""
        return read_sides([self], Spooled if spooled else Counted)[0]

    def read_parts(self, size: int) -> Iterator[Numbered]:
        """As `read_words`, in parts of about `size` bytes, so that only one part need be in memory."""
        side = _Side(self, Numbered(self.has_ids))
        for file in self.files:
            side.open(file)
            fed = 0
            for block in _blocks_of(self, file):
                side.feed(block)
                fed += len(block)
                if fed >= size and not side.wrong:
                    yield side.take()
                    fed = 0
            side.close()
        if len(side.read) or side.read.remarks:
            yield side.read


def _blocks_of(text: Text, file: str | Path) -> Iterator[bytes]:
    """The content of a file: blocks of whole lines or, of TMX, any blocks."""
    if text.format == "tmx":
        return xml_blocks(file)
    return utf8_blocks(file, _HINT, checked=text.bad_lines == "refuse")


Blocks = Callable[[str | Path], Iterator[bytes]]


class Read:
    """The sentences of one side.

    Attributes:
        ids: ids of the sentences, if the format has them.
        remarks: remarks on what was dropped, and on words that are none, one line each.
        begins: for each file, the number of its first sentence, its name, and the lines of its sentences.
        bad: the numbers of the sentences that were dropped for a mistake in their line.
    """

    kind: type[Any]
    """Of what stores the sentences."""

    def __init__(self, has_ids: bool) -> None:
        self.sink = self.kind()
        self.ids: list[str] | None = [] if has_ids else None
        self.remarks: list[str] = []
        self.begins: list[tuple[int, str | Path, Sequence[int]]] = []
        self.bad = array("q")

    def __len__(self) -> int:
        return len(self.sink)

    @property
    def filled(self) -> NDArray[np.bool_]:
        """Whether each sentence has a word, shape (S,)."""
        filled: NDArray[np.bool_] = self.sink.filled
        return filled

    def where(self, sentence: int) -> Place:
        """The file and line of a sentence."""
        begin, file, lines = next(row for row in reversed(self.begins) if row[0] <= sentence)
        return file, int(lines[sentence - begin])


class _Lines(list[str]):
    """Sentences as strings."""

    def add(self, lines: bytes) -> None:
        self += lines[:-1].decode("utf-8", "surrogatepass").split("\n")

    @property
    def filled(self) -> NDArray[np.bool_]:
        return np.array([bool(sentence.strip(" ")) for sentence in self], dtype=np.bool_)


class Sentences(Read):
    """The sentences of one side as strings."""

    kind = _Lines

    @property
    def sentences(self) -> list[str]:
        """The sentences, one string each."""
        lines: list[str] = self.sink
        return lines


class Counted(Read):
    """The words of one side, counted."""

    kind: type[Any] = Counting

    @property
    def words(self) -> WordCounts:
        """The words, once all is read."""
        counted: WordCounts = self.sink.counts()
        return counted


class Spooled(Counted):
    """The same, in a temporary file."""

    kind = Spool

    @property
    def words(self) -> WordCounts:
        spool: Spool = self.sink
        return spool


class Numbered(Read):
    """The sentences of one side as numbered words."""

    kind = Numbering

    @cached_property
    def words(self) -> Words:
        """The words, once all is read."""
        numbered: Words = self.sink.words()
        return numbered


_Read = TypeVar("_Read", bound=Read)


def read_text(path: str | Path, format: TextFormat) -> tuple[list[list[str]], list[str] | None]:
    """The sentences of a file as lists of words, and their ids if the format has them."""
    read = Text.of(path, format).read_words()
    return list(read.words), read.ids


def read_sides(
    texts: Sequence[Text], kind: type[_Read], blocks: Blocks | None = None
) -> list[_Read]:
    """Read a text, or both sides of a pair, into sentences of some kind. Files that they share are read only
    once, since these may be pipes. `blocks` is that of `Text.read`."""
    for text in texts:
        if text.format not in get_args(Format):
            hint = " or ".join(get_args(Format))
            raise InputError(f"unknown text format {text.format!r}", file=text.files[0], hint=hint)
    sides = [_Side(text, kind(text.has_ids)) for text in texts]
    together = [sides] if len({text.files for text in texts}) == 1 else [[side] for side in sides]
    for group in together:
        for file in group[0].text.files:
            read = _blocks_of(group[0].text, file) if blocks is None else blocks(file)
            for side in group:
                side.open(file)
            for block in read:
                for side in group:
                    side.feed(block)
            for side in group:
                side.close()
    return [side.read for side in sides]


class _Side:
    """One side of a text while it is being read into `read`; `wrong` are the first mistakes so far."""

    def __init__(self, text: Text, read: Any) -> None:
        self.text, self.read = text, read
        # In a text of tokens, marks of words are tokens.
        self._marks = (SEPARATOR,) if text.tokens else (SEPARATOR, BOUNDARY, WORD_END)
        self._refused = re.compile("|".join([f"[{UNSEEN}]", *map(re.escape, self._marks)]))
        marks = [mark.encode() for mark in (*self._marks, "\u2028", "\u2029")]
        self._ascii_marks = [mark for mark in marks if mark.isascii()]
        self._other_marks = re.compile(b"|".join(mark for mark in marks if not mark.isascii()))
        self._drops = text.bad_lines == "drop"
        self._codec = ("utf-8", "surrogateescape") if self._drops else _ANY
        self._skips = self._drops or text.skips_empty
        self._first_line: dict[str, Place] = {}
        self._side = SIDES.index(text.part) if text.part in SIDES else 0
        self._sample = bytearray()

    def open(self, file: str | Path) -> None:
        """Begin to read a file."""
        self._file, self._format, self._line, self._first = file, "", 1, 1
        self._tmx = TmxReader(file, self.text.part) if self.text.format == "tmx" else None
        self._units = array("q")
        self._begin, self._dropped = len(self.read), 0
        self.wrong: list[InputError] = []
        self._bad_before = len(self.read.bad)

    def feed(self, block: bytes) -> None:
        """Read a block of the file: whole lines or, for TMX, any part."""
        if self._tmx is not None:
            self._add(self._tmx.feed(block))
            return
        if b"\r" in block:
            block = self._without_returns(block)
        if not block.endswith(b"\n"):
            block += b"\n"
        if not self._format:
            first = block[:_SAMPLE].decode("utf-8", "replace").split("\n")
            self._format = _format_of(self._file, first, self.text)
            if self._format != "wpt":
                try:
                    refuse_other(first, self._format, self._side)
                except InputError as error:
                    raise error.at(self._file, 1) from None
        if self._format == "lines" and self._is_plain(block):
            self._store(block)
            if self.read.ids is not None:
                self.read.ids += [""] * len(line_ends(block))
        else:
            lines = block[:-1].decode(*self._codec).split("\n")
            self._add(list(sentence_rows(lines, self._line, self._format, self._side)))
        self._line += len(line_ends(block))

    def close(self) -> None:
        """Finish reading the file, and refuse it if it has mistakes."""
        if self._tmx is not None:
            self._add(self._tmx.close())
        elif not self._format:
            # The file is a single carriage return, which is an empty line.
            self.feed(b"\n")
        if self._dropped:
            self.read.remarks.append(f"{self._file}: {self._dropped} control characters dropped")
        if not self._drops:
            raise_mistakes(self.wrong)
        elif self.wrong:
            count, first = len(self.read.bad) - self._bad_before, self.wrong[0]
            what = f"bad lines dropped: {count:,}, the first on line {first.line}: {first.message}"
            self.read.remarks.append(f"{self._file}: {what}")
        self._keep_lines()
        if self._file == self.text.files[-1] and not self.text.raw:
            sentences = self._sample.decode(errors="ignore").split("\n")
            self.read.remarks += remarks_on_words(sentences, self.text.name)

    def _store(self, lines: bytes) -> None:
        """Store sentences, and keep the first ones for remarks on their words."""
        self._sample += lines[: _SAMPLE - len(self._sample)]
        self.read.sink.add(lines)

    def take(self) -> Any:
        """Return what was read so far, and begin anew for the rest."""
        self._keep_lines()
        taken, self.read = self.read, type(self.read)(self.text.has_ids)
        self._begin, self._first, self._units = 0, self._line, array("q")
        return taken

    def _keep_lines(self) -> None:
        """Record the lines of the sentences that were read from the current file."""
        lines = range(self._first, self._line) if self._tmx is None else self._units
        self.read.begins.append((self._begin, self._file, lines))

    def _without_returns(self, block: bytes) -> bytes:
        """A block in which every line ends in `\\n`."""
        block = block.replace(b"\r\n", b"\n")
        place = block.find(b"\r")
        if place >= 0 and not self._drops:
            raise lone_return(self._file, self._line + block.count(b"\n", 0, place))
        return block

    def _is_plain(self, block: bytes) -> bool:
        """Whether no line of a block can have a mistake, so that lines need not be checked one by one."""
        # Single bytes are found many times as fast as several.
        if any(mark[:1] in block and mark in block for mark in (*self._ascii_marks, b"\x7f")):
            return False
        codes = np.frombuffer(block, dtype=np.uint8)
        ends = line_ends(block)
        if np.count_nonzero(codes < ord(" ")) > len(ends):
            return False
        if self._other_marks.search(block):
            return False
        if self._drops and _NOT_UTF8.search(block.decode(*self._codec)):
            return False
        if b"\xc2" in block and _FURTHER_CONTROLS.search(block):
            return False
        if np.diff(ends, prepend=-1).max() > LONGEST:
            return False
        if self._skips or (codes[ends - 1] > ord(" ")).all():
            return True
        return not _EMPTY.search(b"\n" + block)

    def _add(self, rows: list[SentenceRow]) -> None:
        """Check sentences, and store them."""
        if not rows:
            return
        if self._tmx is not None:
            self._units.extend(row.line for row in rows)
        if self.text.control_characters == "drop":
            for k, row in enumerate(rows):
                found = len(_UNSEEN.findall(row.sentence))
                if found:
                    self._dropped += found
                    rows[k] = row._replace(sentence=_without_unseen(row.sentence))
        for k, row in enumerate(rows):
            wrong = self._mistake(row)
            if wrong is None:
                continue
            if len(self.wrong) > SHOWN:
                if not self._drops:
                    return
            else:
                self.wrong.append(wrong.at(self._file, row.line))
            if self._drops:
                rows[k] = row._replace(sentence="")
                self.read.bad.append(len(self.read) + k)
        if self.wrong and not self._drops:
            return
        self._store("".join(f"{row.sentence}\n" for row in rows).encode(*_ANY))
        if self.read.ids is not None:
            self.read.ids += [row.name or "" for row in rows]

    def _mistake(self, row: SentenceRow) -> InputError | None:
        """A mistake in a line; None if it has none."""
        sentence, name = row.sentence, row.name
        if self._drops and _NOT_UTF8.search(sentence + (name or "")):
            return InputError("not UTF-8", hint="convert the file to UTF-8")
        refused = self._refused.search(sentence)
        # A wrong number of separators is a mistake of the format, which says more.
        if refused and not (row.wrong and refused.group() == SEPARATOR):
            return _refused(refused.group())
        if row.wrong is not None:
            skipped = self._skips and isinstance(row.wrong, HalfEmpty)
            return None if skipped else row.wrong
        if name is not None and (wrong := self._wrong_id(name, row.line)):
            return wrong
        if not self._skips and not sentence.strip(" "):
            return InputError(
                "an empty sentence",
                hint=f"{SKIP}, or take its id out of both sides and the gold"
                if name is not None
                else f"write a word there that no gold links, such as -, or {SKIP}; without the line, later "
                "lines would move up, on this side and against the gold",
            )
        if len(sentence) > LONGEST:
            return InputError(
                f"a sentence of {len(sentence)} characters, where {LONGEST} are the most",
                hint="shorten it and its translation from the end, and their gold",
            )
        return None

    def _wrong_id(self, name: str, line: int) -> InputError | None:
        """The mistake in an id; None if it is right."""
        if not name:
            return InputError("an empty id", hint="`id<TAB>sentence`")
        if refused := self._refused.search(name):
            return _refused(refused.group())
        before = self._first_line.setdefault(name, (self._file, line))
        if before == (self._file, line):
            return None
        where = f"line {before[1]}" + (f" of {before[0]}" if before[0] != self._file else "")
        return InputError(
            f"the id {name} again, after {where}",
            hint="give each sentence an id of its own, the same on both sides and in the gold",
        )


_ANY = ("utf-8", "surrogatepass")
"""For texts in memory, which may contain surrogates that no UTF-8 file can have."""

_SAMPLE = 1 << 17
"""The bytes of a text whose words are looked at."""

_FURTHER_CONTROLS = re.compile(rb"\xc2[\x80-\x9f]")
_NOT_UTF8 = re.compile("[\ud800-\udfff]")
_EMPTY = re.compile(rb"\n *\n")


def _format_of(file: str | Path, lines: Sequence[str], text: Text) -> str:
    """The format of a file's lines, judged by the first line."""
    line = lines[0]
    tagged = TAGGED.fullmatch(line.partition("\t")[2] or line)
    if tagged and text.format != "wpt":
        raise InputError(
            f"a sentence in tags: {line}",
            file=file,
            line=1,
            hint="set format: wpt (--format wpt) if all are `<s snum=1> sentence </s>`, or take the tags "
            "away: one sentence per line, or `id<TAB>sentence` (tsv) to keep the ids",
        )
    if tagged or text.format != "wpt":
        return text.format
    if not text.untagged:
        raise InputError(
            "a text without tags, but its format is wpt",
            file=file,
            line=1,
            hint="write `<s snum=1> sentence </s>` on each line, or give both texts as lines or tsv: "
            "only training text may lack the tags",
        )
    return "lines"


def _without_unseen(sentence: str) -> str:
    return " ".join(_UNSEEN.sub("", word) or REPLACEMENT for word in words_of(sentence))


_TAKEN_FOR = {
    BOUNDARY: (
        "▁ (U+2581) in the text would be taken for a word boundary",
        "replace it by another character, such as _; tokens can be aligned by --recipe words",
    ),
    SEPARATOR: (
        "||| in the text would be taken for the border between the languages",
        "replace it by another string, such as |",
    ),
    WORD_END: (
        "</w> in the text would be taken for the end of a word",
        "take it away, or replace it by another string",
    ),
}


def _refused(found: str) -> InputError:
    """The mistake of a character that is not allowed in texts."""
    if found in _TAKEN_FOR:
        message, hint = _TAKEN_FOR[found]
        return InputError(message, hint=hint)
    utf16 = "; if this is UTF-16 or UTF-32, save it as UTF-8" if found == "\0" else ""
    return InputError(
        f"the control character U+{ord(found):04X} inside a sentence",
        hint="set control_characters: drop (--control-characters drop), or write another character there if "
        f"it is a word by itself; a space would cut a word in two, and gold counts words{utf16}",
    )


def words_of(sentence: str) -> list[str]:
    """The words of a sentence, which are separated by runs of ASCII spaces."""
    return [word for word in sentence.split(" ") if word]


_Text = TypeVar("_Text", bound="Sequence[list[str]] | WordCounts")


def apply_case(sentences: _Text, case: str | None) -> _Text:
    """Apply the axis `case` to sentences as lists of words, which are not modified, or to counted words:
    `"keep"` changes nothing, `"first"` lowercases the first word of each sentence (the thesis, section
    5.2.1), `"lower"` every word."""
    if case not in ("keep", "first", "lower"):
        raise InputError(f"unknown case {case!r}", hint="keep, first or lower")
    if case == "keep":
        return sentences
    if isinstance(sentences, WordCounts):
        assert case == "lower", "counts do not say where sentences begin"
        counted = sentences.with_types([word.lower() for word in sentences.types])
        return cast("_Text", counted)
    text = Words.of(sentences)
    lower = [word.lower() for word in text.types]
    cased = text.with_types(lower) if case == "lower" else text.with_types(text.types, lower)
    return cast("_Text", cased if text is sentences else list(cased))
