"""Texts as arrays of numbers of distinct words, so that each distinct word is stored once.

Lists of strings take about a hundred bytes per word; a number takes four.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, count
from operator import eq
from tempfile import NamedTemporaryFile
from typing import IO, Protocol, TypeVar, cast, overload

import numpy as np
from numpy.typing import NDArray

from seggrid.base.compiled import worthwhile
from seggrid.base.lines import line_ends
from seggrid.text.ragged import offsets_of, place_kind, ragged_rows
from seggrid.text.word_kernels import WordTable

T = TypeVar("T", bound=Hashable)
_BLOCK = 1 << 12
"""Number of sentences whose words are looked up together."""


class Words(Sequence[list[str]]):
    """The words of S sentences, which behave as a sequence of lists of words: the distinct words in order of
    appearance, shape (V,); the index among them of each word, int32, shape (N,); and the first word of each
    sentence, int64, shape (S + 1,)."""

    def __init__(
        self, types: list[str], ids: NDArray[np.int32], offsets: NDArray[np.int64]
    ) -> None:
        self.types, self.ids, self.offsets = types, ids, offsets

    @classmethod
    def of(cls, sentences: Sequence[Sequence[str]]) -> Words:
        """Number the words of lists; `Words` are returned unchanged.

        >>> Words.of([["the", "house"], [], ["the"]]).ids.tolist()
        [0, 1, 0]
        """
        return sentences if isinstance(sentences, Words) else cls(*number_distinct(sentences))

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Number of words of each sentence, shape (S,)."""
        return np.diff(self.offsets)

    @property
    def filled(self) -> NDArray[np.bool_]:
        """Whether each sentence has a word, shape (S,)."""
        return self.lengths > 0

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @overload
    def __getitem__(self, index: int) -> list[str]: ...
    @overload
    def __getitem__(self, index: slice) -> Words: ...
    def __getitem__(self, index: int | slice) -> list[str] | Words:
        sentences = range(len(self))[index]
        if isinstance(sentences, range):
            return self.take(sentences)
        begin, end = self.offsets[sentences : sentences + 2].tolist()
        return [self.types[k] for k in self.ids[begin:end].tolist()]

    def __iter__(self) -> Iterator[list[str]]:
        for first in range(0, len(self), _BLOCK):
            ends = self.offsets[first : first + _BLOCK + 1]
            ids = self.ids[ends[0] : ends[-1]].tolist()
            words = list(map(self.types.__getitem__, ids))
            places = (ends - ends[0]).tolist()
            for k in range(len(places) - 1):
                yield words[places[k] : places[k + 1]]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        return len(self) == len(other) and all(map(eq, self, other))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<{len(self):,} sentences, {len(self.ids):,} words>"

    def without_empty(self) -> Words:
        """The sentences that have words."""
        filled = self.filled
        return self if filled.all() else self.take(np.flatnonzero(filled))

    def take(self, sentences: Sequence[int] | NDArray[np.integer]) -> Words:
        """The words of some sentences (by index)."""
        rows = ragged_rows(self.offsets, sentences)
        lengths = self.lengths[np.asarray(sentences, dtype=np.int64)]
        return Words(*in_order(self.types, self.ids[rows]), offsets_of(lengths))

    def with_types(self, types: Sequence[str], first: Sequence[str] | None = None) -> Words:
        """The text with other words in place of `types`, some of which may be equal; `first` are those at the
        start of a sentence, if they differ there; both of shape (V,).

        >>> text = Words.of([["The", "house"], ["A", "House"]])
        >>> list(text.with_types(text.types, [word.lower() for word in text.types]))
        [['the', 'house'], ['a', 'House']]
        """
        if list(types) == self.types and first in (None, self.types):
            return self
        distinct, number, begins = number_distinct([types, types if first is None else first])
        ids = number[self.ids]
        if first is None:
            # The order of appearance is that of `types`.
            return Words(distinct, ids, self.offsets)
        begins_at = self.offsets[:-1][self.lengths > 0]
        ids[begins_at] = number[begins[1] + self.ids[begins_at]]
        return Words(*in_order(distinct, ids), self.offsets)

    @classmethod
    def joined(cls, parts: Sequence[Words]) -> Words:
        """The sentences of several texts, one after another."""
        if len(parts) == 1:
            return parts[0]
        types, number, begins = number_distinct([part.types for part in parts])
        ids = np.concatenate(
            [number[begin:][part.ids] for part, begin in zip(parts, begins, strict=False)]
        )
        return cls(types, ids, offsets_of(np.concatenate([part.lengths for part in parts])))


@dataclass(frozen=True)
class WordCounts:
    """How often each word of a text occurs, which is all that many learners need.

    Attributes:
        types: the V distinct words in order of appearance.
        counts: their occurrences, int64, shape (V,).
    """

    types: list[str]
    counts: NDArray[np.int64]

    @classmethod
    def of(cls, text: Sequence[Sequence[str]] | WordCounts) -> WordCounts:
        """Count the words of sentences; `WordCounts` are returned unchanged.

        >>> WordCounts.of([["the", "house"], [], ["the"]]).counts.tolist()
        [2, 1]
        """
        if isinstance(text, WordCounts):
            return text
        if isinstance(text, Words):
            return cls(text.types, np.bincount(text.ids, minlength=len(text.types)))
        found = Counter(chain.from_iterable(text))
        return cls([*found], np.fromiter(found.values(), dtype=np.int64, count=len(found)))

    def with_types(self, types: Sequence[str]) -> WordCounts:
        """The counts of other words in place of `types`, some of which may be equal.

        >>> WordCounts(["The", "the"], np.array([1, 2])).with_types(["the", "the"]).counts.tolist()
        [3]
        """
        distinct, number, _ = number_distinct([types])
        counts = np.zeros(len(distinct), dtype=np.int64)
        np.add.at(counts, number, self.counts)
        return WordCounts(distinct, counts)


class HasWords(Protocol):
    """Anything that says which of its S sentences have words."""

    @property
    def filled(self) -> NDArray[np.bool_]: ...


def filled_pairs(source: HasWords, target: HasWords) -> NDArray[np.int64]:
    """The indices of the sentence pairs that have words on both sides, ascending.

    >>> filled_pairs(Words.of([["a"], [], ["b"]]), Words.of([["x"], ["y"], ["z"]])).tolist()
    [0, 2]
    """
    return np.flatnonzero(source.filled & target.filled)


class Numbering:
    """Numbers the words of a text, in order of appearance, while it is read.

    Words are looked up as UTF-8 bytes: those of a small text in Python, others by a kernel.
    """

    def __init__(self) -> None:
        self._number: defaultdict[bytes, int] = defaultdict(count().__next__)
        self._table: WordTable | None = None
        self._bytes = 0
        # Arrays of the standard library grow in place.
        self._ids, self._ends = array("i"), array("q", [0])

    def __len__(self) -> int:
        """The number of sentences."""
        return len(self._ends) - 1

    def add(self, lines: bytes) -> None:
        """Add sentences: lines in UTF-8, each ending in a newline; the only other ASCII white space is the
        space."""
        ids, lengths = self._numbered(lines)
        self._ends.frombytes((np.cumsum(lengths, dtype=np.int64) + len(self._ids)).tobytes())
        self._ids.frombytes(ids.tobytes())

    def _numbered(self, lines: bytes) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """The numbers of the words of lines, shape (N,), and the number of words of each line, shape (S,)."""
        self._bytes += len(lines)
        if self._table is None and not worthwhile(self._bytes, _LARGE):
            words = lines.split()
            numbers = map(self._number.__getitem__, words)
            return np.fromiter(numbers, np.int32, len(words)), words_of_lines(lines)
        if self._table is None:
            self._table = WordTable()
            self._table.number(b"".join(b"%s\n" % word for word in self._number))
        return self._table.number(lines)

    @property
    def filled(self) -> NDArray[np.bool_]:
        """Whether each sentence has a word, shape (S,)."""
        return np.diff(np.asarray(self._ends)) > 0

    def words(self) -> Words:
        """What was added."""
        types = (
            [word.decode("utf-8", "surrogatepass") for word in self._number]
            if self._table is None
            else self._table.words()
        )
        return Words(types, np.asarray(self._ids), np.asarray(self._ends))


_LARGE = 1 << 21
"""The bytes of a text that Python takes as long to number as numba takes to be imported."""


class Counting:
    """Counts the words of a text while it is read; for each sentence, it only keeps whether there are words.

    Who learns from counts needs kernels anyway, so a small text is no exception, as it is for `Numbering`.
    """

    def __init__(self) -> None:
        self._table = WordTable()
        self._counts = np.zeros(0, dtype=np.int64)
        self._filled = bytearray()

    def __len__(self) -> int:
        """The number of sentences."""
        return len(self._filled)

    def add(self, lines: bytes) -> None:
        """Add sentences, as for `Numbering`."""
        ids, lengths = self._table.number(lines)
        if (missing := len(self._table) - len(self._counts)) > 0:
            # Twice as long, so that few blocks make it grow.
            self._counts = np.pad(self._counts, (0, missing + len(self._counts)))
        np.add.at(self._counts, ids, 1)
        self._filled += (lengths > 0).tobytes()

    @property
    def filled(self) -> NDArray[np.bool_]:
        """Whether each sentence has a word, shape (S,)."""
        return np.frombuffer(self._filled, dtype=np.bool_)

    def counts(self) -> WordCounts:
        """What was added."""
        return WordCounts(self._table.words(), self._counts[: len(self._table)])


class Spool(WordCounts):
    """The words of a text that is put into a temporary file while it is read, for learners that read files;
    they are counted only if anyone asks.

    The file has a line for each sentence, with a space before each word. No line ends in white space, which
    would be one with the line end.
    """

    def __init__(self) -> None:
        """Begin an empty text."""

    @cached_property
    def _file(self) -> IO[bytes]:
        return cast("IO[bytes]", NamedTemporaryFile())

    @cached_property
    def _filled(self) -> bytearray:
        return bytearray()

    def __len__(self) -> int:
        """The number of sentences."""
        return len(self._filled)

    def add(self, lines: bytes) -> None:
        """Add sentences, as for `Numbering`."""
        # The last byte of each line, or the line end before it.
        last = np.frombuffer(lines, dtype=np.uint8)[line_ends(lines) - 1]
        is_plain = (last > ord(" ")).all()
        filled = np.ones(len(last), np.bool_) if is_plain else words_of_lines(lines) > 0
        self._filled.extend(filled.tobytes())
        spaced = b" " + lines.replace(b"\n", b"\n ", len(last) - 1)
        if not is_plain:
            spaced = re.sub(rb" +\n", b"\n", spaced)
        if not is_plain or (last >= 0x80).any():
            spaced = _ENDING.sub(b"", spaced)
        self._file.write(spaced)

    @property
    def filled(self) -> NDArray[np.bool_]:
        """Whether each sentence has a word, shape (S,)."""
        return np.frombuffer(self._filled, dtype=np.bool_)

    @property
    def name(self) -> str:
        """The path of the file."""
        self._file.flush()
        return str(self._file.name)

    @cached_property
    def _counted(self) -> WordCounts:
        counting = Counting()
        with open(self.name, "rb") as file:
            while lines := file.readlines(1 << 20):
                counting.add(b"".join(lines))
        return counting.counts()

    @cached_property
    def types(self) -> list[str]:
        return self._counted.types

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        return self._counted.counts

    @classmethod
    def with_words(cls, text: Sequence[Sequence[str]] | WordCounts) -> Spool:
        """The words of a text, in any order; a `Spool` is returned unchanged."""
        if isinstance(text, Spool):
            return text
        spool, counted = cls(), WordCounts.of(text)
        for word, times in zip(counted.types, counted.counts.tolist(), strict=True):
            spool.add(b" ".join([word.encode()] * times) + b"\n")
        return spool


_ENDING = re.compile(
    rb"\n(?:(?<=\xc2\xa0\n)|(?<=\xe1\x9a\x80\n)|(?<=\xe2\x80[\x80-\x8a\xaf]\n)|(?<=\xe2\x81\x9f\n)|"
    rb"(?<=\xe3\x80\x80\n))"
)
"""A line end after white space of Unicode, in UTF-8."""


def words_of_lines(lines: bytes) -> NDArray[np.int64]:
    """The number of words of each line; each line ends in a newline.

    >>> words_of_lines(b"the  house\\n\\n no\\n").tolist()
    [2, 0, 1]
    """
    codes = np.frombuffer(lines, dtype=np.uint8)
    inside = codes > ord(" ")
    begins = line_ends(lines) + 1
    starts = inside.copy()
    starts[1:] &= ~inside[:-1]
    if not len(begins):
        return np.zeros(0, dtype=np.int64)
    return np.add.reduceat(starts, np.append(0, begins[:-1]), dtype=np.int64)


def distinct_words(sentences: Iterable[Iterable[str]] | WordCounts) -> list[str]:
    """The distinct words of a text, in order of appearance."""
    if isinstance(sentences, Words | WordCounts):
        return sentences.types
    return list(dict.fromkeys(chain.from_iterable(sentences)))


def number_distinct(
    rows: Sequence[Sequence[T]],
) -> tuple[list[T], NDArray[np.int32], NDArray[np.int64]]:
    """Number the distinct items of some rows in order of appearance: the distinct items, shape (W,); the
    number of each item, int32, shape (N,); and the first item of each row, int64, shape (R + 1,)."""
    if isinstance(rows, Words):
        return cast("list[T]", rows.types), rows.ids, rows.offsets
    offsets = offsets_of(np.fromiter(map(len, rows), dtype=np.int64, count=len(rows)))
    items = list(dict.fromkeys(chain.from_iterable(rows)))
    number = dict(zip(items, range(len(items)), strict=True))
    numbers = map(number.__getitem__, chain.from_iterable(rows))
    return items, np.fromiter(numbers, dtype=np.int32, count=offsets[-1]), offsets


def in_order(types: Sequence[T], ids: NDArray[np.int32]) -> tuple[list[T], NDArray[np.int32]]:
    """The types that occur among V, in order of appearance, and their numbers in place of the `ids` of T
    tokens.

    >>> types, ids = in_order(["a", "b", "c"], np.array([2, 0, 2], dtype=np.int32))
    >>> types, ids.tolist()
    (['c', 'a'], [0, 1, 0])
    """
    tokens = len(ids)
    at = np.full(len(types), tokens, dtype=np.int64)
    # If an index is assigned several values, the last is kept: here, the first token of a type.
    for end in range(tokens, 0, -_PIECE):
        begin = max(0, end - _PIECE)
        at[ids[begin:end][::-1]] = np.arange(end - 1, begin - 1, -1)
    order = np.argsort(at, kind="stable")[: np.count_nonzero(at < tokens)]
    place = np.zeros(len(types), dtype=np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    return [types[k] for k in order.tolist()], place[ids]


_PIECE = 1 << 20
"""Number of tokens that are processed together, since temporary arrays for all would be larger than the
text."""


def places_of(offsets: NDArray[np.int64]) -> NDArray[np.signedinteger]:
    """The place of each row in its sentence, from 0, of the type `seggrid.text.ragged.place_kind`.

    >>> places_of(np.array([0, 2, 3])).tolist()
    [0, 1, 0]
    """
    longest = int(np.diff(offsets).max(initial=0))
    places = np.empty(offsets[-1], dtype=place_kind(longest))
    ramp = np.arange(longest, dtype=places.dtype)
    for first in range(0, len(offsets) - 1, _BLOCK):
        ends = offsets[first : first + _BLOCK + 1]
        lengths = np.diff(ends)
        begins = np.repeat(ends[:-1], lengths)
        places[ends[0] : ends[-1]] = ramp[np.arange(ends[0], ends[-1]) - begins]
    return places
