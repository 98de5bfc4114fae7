"""Lay tokens on words by where their characters stand in the text.

A tokenizer may change the text before it cuts it (NFKC, lower case, bytes in place of an unknown
character, `▁` in place of a space), so a token's own text does not say which words it is of: its
offsets into the text do.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seggrid.data.boundary import BOUNDARY
from seggrid.data.ragged import offsets_of, ragged_rows
from seggrid.data.segmentation import Segmentation
from seggrid.errors import InputError

_SPACE = ord(" ")


@dataclass(frozen=True)
class Text:
    """Sentences as code points, one after another, their words joined by a separator.

    Attributes:
        codes: of all sentences, uint32, shape (C,).
        offsets: where each sentence begins, int64, shape (S + 1,).
        begun: how many words begin before each code point, int64, shape (C + 1,).
    """

    codes: NDArray[np.uint32]
    offsets: NDArray[np.int64]
    begun: NDArray[np.int64]

    @classmethod
    def from_lines(cls, lines: Sequence[str], sentences: Sequence[Sequence[str]]) -> Text:
        """The text of lines that are the sentences' words, joined by one space or by nothing."""
        codes = np.frombuffer("".join(lines).encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
        offsets = offsets_of(np.fromiter(map(len, lines), dtype=np.int64, count=len(lines)))
        n_words = np.fromiter(map(len, sentences), dtype=np.int64, count=len(sentences))
        words = np.fromiter(map(len, chain.from_iterable(sentences)), dtype=np.int64)
        begins = np.cumsum(words) - words
        if len(codes) > words.sum():
            # A separator stands between two words of a line, none between two lines.
            begins += np.arange(len(words)) - np.repeat(np.arange(len(n_words)), n_words)
        starts = np.zeros(len(codes), dtype=np.int64)
        starts[begins] = 1
        return cls(codes, offsets, offsets_of(starts))


def lay(
    text: Text,
    counts: NDArray[np.integer],
    begin: NDArray[np.integer],
    end: NDArray[np.integer],
    boundary: NDArray[np.bool_],
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The words that tokens overlap.

    A token that stands for characters but has none of its own at its offsets (the first bytes of a
    character, the first of two letters that NFKC makes of one) is of the word that goes on there.

    Args:
        text: S sentences.
        counts: how many tokens each has, shape (S,).
        begin, end: where in its line each token begins and ends, shape (T,).
        boundary: whether a token stands for nothing but a space, shape (T,).

    Returns:
        First and last word of each token, as in `seggrid.data.segmentation.Segmentation`.
    """
    base = np.repeat(text.offsets[:-1], counts)
    limit = np.repeat(text.offsets[1:], counts)
    spaces = np.append(text.codes == _SPACE, False)
    start = np.minimum(base + begin, limit)
    stop = np.minimum(base + end, limit)
    before = text.begun[base]
    # Single spaces separate words: past one, a word begins.
    own_start = np.minimum(start + spaces[start], limit)
    own_stop = np.where((stop > start) & spaces[stop - 1], stop - 1, stop)
    empty = own_start >= own_stop
    place = np.minimum(stop + spaces[np.minimum(stop, len(text.codes))], limit - 1)
    own_start = np.where(empty, place, own_start)
    own_stop = np.where(empty, place + 1, own_stop)
    first = text.begun[own_start + 1] - 1 - before
    last = text.begun[own_stop] - 1 - before
    next_word = text.begun[start] - before
    first = np.where(boundary, next_word, first)
    last = np.where(boundary, next_word - 1, last)
    return first.astype(np.int32), last.astype(np.int32)


class Laid(NamedTuple):
    """Tokens of some sentences.

    Attributes:
        ids: types of all tokens, shape (T,).
        counts: how many each sentence has, shape (S,).
        first, last: the words that each overlaps, shape (T,).
    """

    ids: NDArray[np.int32]
    counts: NDArray[np.int64]
    first: NDArray[np.int32]
    last: NDArray[np.int32]


def laid_segmentation(
    types: Sequence[str], parts: Sequence[Laid], file: str | Path = ""
) -> Segmentation:
    """The segmentation of a corpus from those of its parts, in order.

    Args:
        types: the tokenizer's, which `ids` index.
        parts: of the corpus.
        file: the tokenizer's, for messages.

    Raises:
        InputError: a sentence has no token.
    """
    ids, counts, first, last = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    empty = np.flatnonzero(counts == 0)
    if len(empty):
        raise InputError(
            f"leaves nothing of sentence {empty[0] + 1:,}",
            file=file,
            hint="write a word there that the tokenizer knows",
        )
    return Segmentation(list(types), ids, offsets_of(counts), first, last).in_order()


@dataclass(frozen=True)
class Spelling:
    """What each type spells, spaces and marks left out.

    Attributes:
        codes: code points of all types, shape (P,).
        offsets: where each begins, int64, shape (V + 1,).
    """

    codes: NDArray[np.uint32]
    offsets: NDArray[np.int64]

    @classmethod
    def from_texts(cls, texts: Sequence[str]) -> Spelling:
        """Of the types' texts."""
        joined = "".join(texts).encode("utf-32-le", "surrogatepass")
        return cls(np.frombuffer(joined, dtype=np.uint32), offsets_of(list(map(len, texts))))

    def offsets_in(
        self, text: Text, ids: NDArray[np.integer], counts: NDArray[np.integer]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
        """Where tokens stand in a text without spaces that they spell out.

        Args:
            text: S sentences, their words joined by nothing.
            ids: types of all tokens, shape (T,).
            counts: how many tokens each sentence has, shape (S,).

        Returns:
            Where in its line each token begins and ends, shape (T,); and whether the tokens of each
            sentence spell it, shape (S,). The others' offsets are of no use.
        """
        lengths = np.diff(self.offsets)[ids]
        ends = offsets_of(lengths)
        spelled = ends[offsets_of(counts)]
        right = np.diff(spelled) == np.diff(text.offsets)
        tokens = ragged_rows(offsets_of(counts), np.flatnonzero(right))
        ours = self.codes[ragged_rows(self.offsets, ids[tokens])]
        theirs = text.codes[ragged_rows(text.offsets, np.flatnonzero(right))]
        sentence = np.repeat(np.flatnonzero(right), np.diff(text.offsets)[right])
        right[sentence[ours != theirs]] = False
        begin = ends[:-1] - np.repeat(spelled[:-1], counts)
        return begin, begin + lengths, right


def spelled_out(rows: Sequence[Sequence[str]], sentences: Sequence[Sequence[str]]) -> Segmentation:
    """The segmentation whose tokens spell the sentences, `▁` for a space.

    Args:
        rows: the tokens of S sentences.
        sentences: their words.
    """
    number: dict[str, int] = {}
    flat = [number.setdefault(token, len(number)) for token in chain.from_iterable(rows)]
    empty = np.zeros(len(flat), dtype=np.int32)
    offsets = offsets_of(np.fromiter(map(len, rows), dtype=np.int64, count=len(rows)))
    ids = np.array(flat, dtype=np.int32)
    return laid_anew(Segmentation(list(number), ids, offsets, empty, empty), sentences)


def laid_anew(segmentation: Segmentation, sentences: Sequence[Sequence[str]]) -> Segmentation:
    """A segmentation whose tokens spell some sentences, laid on their words.

    Args:
        segmentation: its tokens spell the sentences, `▁` and spaces aside; its `first` and `last` do
            not count.
        sentences: their words.
    """
    text = Text.from_lines(list(map("".join, sentences)), sentences)
    bare = [token.replace(BOUNDARY, "") for token in segmentation.types]
    counts = segmentation.lengths
    begin, end, right = Spelling.from_texts(bare).offsets_in(text, segmentation.ids, counts)
    assert right.all(), "the tokens spell other sentences"
    boundary = np.array([not token for token in bare], dtype=np.bool_)[segmentation.ids]
    first, last = lay(text, counts, begin, end, boundary)
    return replace(segmentation, first=first, last=last)


def folded(text: str) -> tuple[str, list[int]]:
    """A text as it compares with what tokenizers make of it: by NFKD, in lower case, without accents and
    spaces. Beside it, of which character of the text each of its own is.

    >>> folded("Ça ½")
    ('ca1⁄2', [0, 1, 3, 3, 3])
    """
    characters: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text):
        for one in unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", character).lower()):
            if unicodedata.category(one) not in ("Mn", "Zs", "Cf"):
                characters.append(one)
                places.append(place)
    return "".join(characters), places
