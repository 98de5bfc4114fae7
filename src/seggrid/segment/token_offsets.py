"""Map tokens to words by the offsets of their characters in the text.

A tokenizer may normalize the text before it cuts it (NFKC, lower case, bytes for an unknown character,
`▁` for a space). A token's own text then does not tell which words it belongs to; its character offsets do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seggrid.base.compiled import worthwhile
from seggrid.base.errors import InputError
from seggrid.segment.by_word import LEAST, Mapped, WordCutter
from seggrid.text.boundary import unmarked
from seggrid.text.ragged import code_points, offsets_of, ragged_rows
from seggrid.text.segmentation import Segmentation, Sentences
from seggrid.text.words import Words

if TYPE_CHECKING:
    from seggrid.segment.own import OwnModel

_SPACE = ord(" ")
_STRANGE = "\ue000"
"""A character from Unicode's private use area."""
LINES = 10_000
"""Number of lines in one call of a library."""

Ints = NDArray[np.integer]
Encoding = tuple[NDArray[np.int32], NDArray[np.int64], Ints, Ints]
"""The tokens of S lines: their types, shape (T,); tokens of each line, shape (S,); offsets of each token's
first character in its line, and of the one after its last, shape (T,)."""


class CodePoints(NamedTuple):
    """The C code points of a text of S sentences.

    Attributes:
        codes: the code points, shape (C,).
        offsets: first code point of each sentence, shape (S + 1,).
        begins: whether a word begins at each code point, shape (C,).
    """

    codes: NDArray[np.uint32]
    offsets: NDArray[np.int64]
    begins: NDArray[np.bool_]

    @classmethod
    def from_lines(cls, lines: Sequence[str], separator: str = " ") -> CodePoints:
        """Of sentences whose words are joined by one space, or by nothing if each character is a word."""
        codes = code_points("".join(lines))
        offsets = offsets_of(np.fromiter(map(len, lines), dtype=np.int64, count=len(lines)))
        begins = np.ones(len(codes), dtype=np.bool_)
        if separator:
            begins[1:] = codes[:-1] == _SPACE
            begins[offsets[:-1][np.diff(offsets) > 0]] = True
        return cls(codes, offsets, begins)


def overlapped_words(
    text: CodePoints, counts: Ints, begin: Ints, end: Ints, boundary: NDArray[np.bool_]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The first and last word that each token overlaps, as in `seggrid.text.segmentation.Segmentation`, from
    the number of tokens of each sentence, the offsets of each token in its line, in characters, shape (T,),
    and whether it stands for a space alone."""
    base, limit = (np.repeat(ends, counts) for ends in (text.offsets[:-1], text.offsets[1:]))
    start, stop = (np.minimum(base + offset, limit) for offset in (begin, end))
    spaces = np.append(text.codes == _SPACE, False)
    begun = offsets_of(text.begins)  # words that begin before each code point
    before = begun[base]
    # Words are separated by single spaces; one at an end of a token is no part of it.
    own_start = np.minimum(start + spaces[start], limit)
    own_stop = np.where((stop > start) & spaces[stop - 1], stop - 1, stop)
    # The offsets may span no character although the token stands for one (the first bytes of a character, or
    # the first of two letters that NFKC makes of one): it is of the word at its offset.
    empty = own_start >= own_stop
    place = np.minimum(stop + spaces[np.minimum(stop, len(text.codes))], limit - 1)
    own_start = np.where(empty, place, own_start)
    own_stop = np.where(empty, place + 1, own_stop)
    # A space overlaps no word, and stands before the next one.
    following = begun[start] - before
    first = np.where(boundary, following, begun[own_start + 1] - 1 - before)
    last = np.where(boundary, following - 1, begun[own_stop] - 1 - before)
    return first.astype(np.int32), last.astype(np.int32)


class OffsetTokenizer:
    """A tokenizer that tells the offsets of its tokens: the text of each type, and whether it stands for a
    space alone, shape (V,); the file that it was read from; whether it is local, see
    `seggrid.segment.by_word`, in sentences of how many characters, and the types of its added tokens."""

    types: list[str]
    boundary: NDArray[np.bool_]
    file: str | Path
    local = False
    longest = inf
    added: Ints = np.zeros(0, dtype=np.int32)

    def encode(self, lines: list[str], threads: int = 1) -> Encoding:
        """The tokens of lines."""
        raise NotImplementedError

    @property
    def vocabulary(self) -> set[str]:
        return set(self.types).difference([""])

    def declared(self, sentences: Sentences) -> int:
        """The declared size of the vocabulary on a text."""
        return len(self.vocabulary)

    def as_learned(self) -> OwnModel | None:
        """The model of this package that cuts a text in the same way, if one is known."""
        return None

    def segment(self, sentences: Sentences, threads: int = 1, separator: str = " ") -> Segmentation:
        """Tokenize each sentence, its words joined by a separator as for `CodePoints`."""
        parts = None
        if self.local and separator == " ":
            sentences = Words.of(sentences)
            if worthwhile(len(sentences.ids), LEAST):
                parts = self._by_word.segment(sentences)
        cut = self._joined(parts or self._tokenized(sentences, threads, separator))
        empty = np.flatnonzero(cut.lengths == 0)
        if len(empty):
            raise InputError(
                f"makes no token of sentence {empty[0] + 1:,}",
                file=self.file,
                hint="write a word there that the tokenizer knows",
            )
        return cut

    @cached_property
    def _by_word(self) -> WordCutter:
        return WordCutter(self._tokenized, self.boundary, self.added, self.cut, self.longest)

    def cut(self, words: Sequence[str], at_start: bool) -> tuple[Ints, Ints] | None:
        """Cut words by themselves, see `seggrid.segment.by_word`."""
        return None

    def _tokenized(
        self, sentences: Sentences, threads: int = 1, separator: str = " "
    ) -> list[Mapped]:
        """The tokens of sentences, in parts."""
        parts: list[Mapped] = []
        for k in range(0, len(sentences), LINES):
            lines = [separator.join(words) for words in sentences[k : k + LINES]]
            ids, counts, begin, end = self.encode(lines, threads)
            text = CodePoints.from_lines(lines, separator)
            words = overlapped_words(text, counts, begin, end, self.boundary[ids])
            parts.append((ids, *words, counts))
        return parts

    def segment_words(self, words: Sequence[str]) -> Segmentation:
        """Cut words as in a text; the result's sentences are the words, and its words their characters.

        Many tokenizers cut a word in another way after a space than at the start of a text, and no setting
        tells which of them do. So each word is cut between two copies of itself, and the tokens of the middle
        one count. If a token joins it with a copy, its neighbours are a character that no text has.
        """
        parts = []
        for k in range(0, len(words), LINES):
            block = words[k : k + LINES]
            found, joined = self._middle(block, block)
            if joined.any():
                both = zip(block, joined, strict=True)
                found, _ = self._middle(block, [_STRANGE if one else word for word, one in both])
            parts.append(found)
        return self._joined(parts)

    def _joined(self, parts: Sequence[Mapped]) -> Segmentation:
        ids, first, last, counts = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
        return Segmentation(list(self.types), ids, offsets_of(counts), first, last).in_order()

    def _middle(
        self, words: Sequence[str], neighbours: Sequence[str]
    ) -> tuple[Mapped, NDArray[np.bool_]]:
        """The tokens of each word between two copies of its neighbour; and whether one has parts of both."""
        lines = [f"{one} {word} {one}" for word, one in zip(words, neighbours, strict=True)]
        ids, counts, begin, end = self.encode(lines)
        word_of = np.repeat(np.arange(len(words)), counts)
        start = np.array([len(one) + 1 for one in neighbours])[word_of]
        stop = start + np.array(list(map(len, words)))[word_of]
        is_mark = self.boundary[ids] & (begin >= start - 1) & (begin <= start)
        # A token without characters (the first byte of a letter) belongs to the character at its offset.
        place = np.where(end > begin, begin, np.maximum(begin, np.minimum(begin + 1, start)))
        kept = is_mark | ((np.maximum(end, place + 1) > start) & (place < stop))
        crosses = kept & ~is_mark & ((begin < start - 1) | (end > stop + 1))
        joined = np.bincount(word_of[crosses], minlength=len(words)) > 0
        own = np.bincount(word_of[kept], minlength=len(words))
        first, last = (
            np.clip(at[kept] - start[kept], 0, (stop - start)[kept]) for at in (begin, end)
        )
        text = CodePoints.from_lines(words, "")
        spans = overlapped_words(text, own, first, last, self.boundary[ids[kept]])
        return (ids[kept], *spans, own), joined


def spelled_words(
    text: CodePoints, types: Sequence[str], ids: Ints, counts: Ints
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.bool_]]:
    """The first and last word of each token, shape (T,), and whether the texts of the tokens of each
    sentence, one after another, spell it without its spaces, shape (S,); if not, the words are undefined. A
    type without text stands for a space; `counts` has the number of tokens of each sentence."""
    sizes = np.array(list(map(len, types)), dtype=np.int64)
    sentence = np.repeat(np.arange(len(counts)), counts)
    # The letters of tokens, and of sentences, before each of them and in all.
    spelled = offsets_of(sizes[ids])
    of_tokens = spelled[offsets_of(counts)]
    is_letter = text.codes != _SPACE
    of_text = offsets_of(is_letter)[text.offsets]
    right = np.diff(of_tokens) == np.diff(of_text)
    theirs = code_points("".join(types))[ragged_rows(offsets_of(sizes), ids[right[sentence]])]
    sentence_of = np.repeat(np.arange(len(counts)), np.diff(text.offsets))
    compared = is_letter & right[sentence_of]
    right[sentence_of[compared][text.codes[compared] != theirs]] = False

    word_of = (np.cumsum(text.begins) - 1)[is_letter]
    before = offsets_of(text.begins)[text.offsets[:-1]][sentence]
    base = of_text[:-1][sentence]
    start = base + spelled[:-1] - of_tokens[:-1][sentence]
    stop = start + sizes[ids]
    start, end = (np.clip(at, 0, len(word_of) - 1) for at in (start, stop - 1))
    last = np.where(stop > base, word_of[end] - before, -1)
    first = np.where(sizes[ids] > 0, word_of[start] - before, last + 1)
    return first.astype(np.int32), last.astype(np.int32), right


def map_to_words(segmentation: Segmentation, sentences: Sequence[Sequence[str]]) -> Segmentation:
    """Map the tokens of a segmentation, whose `first` and `last` are ignored, to the words that they overlap.
    Without the marks of words, they spell the sentences."""
    text = CodePoints.from_lines(list(map(" ".join, sentences)))
    bare = list(map(unmarked, segmentation.types))
    first, last, right = spelled_words(text, bare, segmentation.ids, segmentation.lengths)
    assert right.all(), "the tokens spell other sentences"
    return replace(segmentation, first=first, last=last)


def words_of_characters(
    segmentation: Segmentation, sentences: Sequence[Sequence[str]]
) -> Segmentation:
    """Turn a segmentation of sentences without spaces, whose words are characters, into one with the actual
    words of the sentences."""
    lengths = [len(word) for words in sentences for word in words]
    counts = np.array([len(words) for words in sentences], dtype=np.int64)
    place = np.arange(len(lengths)) - np.repeat(offsets_of(counts)[:-1], counts)
    word_of = np.repeat(place, lengths)
    ends = offsets_of([sum(map(len, words)) for words in sentences])
    base, limit = (np.repeat(bounds, segmentation.lengths) for bounds in (ends[:-1], ends[1:]))
    first = word_of[np.minimum(base + segmentation.first, limit - 1)]
    last = word_of[np.minimum(base + np.maximum(segmentation.last, 0), limit - 1)]
    # A token without characters overlaps no word.
    last = np.where(segmentation.last < segmentation.first, first - 1, last)
    return replace(segmentation, first=first.astype(np.int32), last=last.astype(np.int32))
