"""Map tokens to words by the offsets of their characters in the text.

A tokenizer may normalize the text before it cuts it (NFKC, lower case, bytes for an unknown character,
`▁` for a space). A token's own text then does not tell which words it belongs to; its character offsets do.
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
from seggrid.data.ragged import code_points, offsets_of, ragged_rows
from seggrid.data.segmentation import Segmentation
from seggrid.errors import InputError

_SPACE = ord(" ")


@dataclass(frozen=True)
class CodePoints:
    """The code points of a text's sentences, with the words of each joined by a space or by nothing.

    Attributes:
        codes: code points of all sentences, uint32, shape (C,).
        offsets: first code point of each sentence, int64, shape (S + 1,).
        words_begun: number of words of the corpus that begin before each code point, int64, shape (C + 1,).
    """

    codes: NDArray[np.uint32]
    offsets: NDArray[np.int64]
    words_begun: NDArray[np.int64]

    @classmethod
    def from_lines(cls, lines: Sequence[str], sentences: Sequence[Sequence[str]]) -> CodePoints:
        """Build from lines.

        Args:
            lines: each sentence with its words joined by one space, or by nothing.
            sentences: the words of the same S sentences.
        """
        codes = code_points("".join(lines))
        offsets = offsets_of(np.fromiter(map(len, lines), dtype=np.int64, count=len(lines)))
        n_words = np.fromiter(map(len, sentences), dtype=np.int64, count=len(sentences))
        words = np.fromiter(map(len, chain.from_iterable(sentences)), dtype=np.int64)
        begins = np.cumsum(words) - words
        if len(codes) > words.sum():
            # There is a space between two words of a line, and none between two lines.
            begins += np.arange(len(words)) - np.repeat(np.arange(len(n_words)), n_words)
        starts = np.zeros(len(codes), dtype=np.int64)
        starts[begins] = 1
        return cls(codes, offsets, offsets_of(starts))


def overlapped_words(
    text: CodePoints,
    counts: NDArray[np.integer],
    begin: NDArray[np.integer],
    end: NDArray[np.integer],
    boundary: NDArray[np.bool_],
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The first and last word that each token overlaps.

    The offsets of a token may span no character although it stands for one (the first bytes of a character,
    or the first of two letters that NFKC makes of one); it then belongs to the word at its offset.

    Args:
        text: S sentences.
        counts: tokens of each sentence, shape (S,).
        begin, end: offsets of each token in its line, in characters, shape (T,).
        boundary: whether a token stands for a space alone, shape (T,).

    Returns:
        First and last word of each token, as in `seggrid.data.segmentation.Segmentation`.
    """
    base = np.repeat(text.offsets[:-1], counts)
    limit = np.repeat(text.offsets[1:], counts)
    spaces = np.append(text.codes == _SPACE, False)
    start = np.minimum(base + begin, limit)
    stop = np.minimum(base + end, limit)
    before = text.words_begun[base]
    # Words are separated by single spaces, so a word begins after each.
    own_start = np.minimum(start + spaces[start], limit)
    own_stop = np.where((stop > start) & spaces[stop - 1], stop - 1, stop)
    empty = own_start >= own_stop
    place = np.minimum(stop + spaces[np.minimum(stop, len(text.codes))], limit - 1)
    own_start = np.where(empty, place, own_start)
    own_stop = np.where(empty, place + 1, own_stop)
    first = text.words_begun[own_start + 1] - 1 - before
    last = text.words_begun[own_stop] - 1 - before
    next_word = text.words_begun[start] - before
    first = np.where(boundary, next_word, first)
    last = np.where(boundary, next_word - 1, last)
    return first.astype(np.int32), last.astype(np.int32)


class MappedTokens(NamedTuple):
    """The tokens of S sentences, mapped to words.

    Attributes:
        ids: type of each token, shape (T,).
        counts: tokens of each sentence, shape (S,).
        first, last: first and last word that each token overlaps, shape (T,).
    """

    ids: NDArray[np.int32]
    counts: NDArray[np.int64]
    first: NDArray[np.int32]
    last: NDArray[np.int32]


def join_parts(
    types: Sequence[str], parts: Sequence[MappedTokens], file: str | Path = ""
) -> Segmentation:
    """Join the tokens of a corpus's parts into one segmentation.

    Args:
        types: types of the tokenizer, which `ids` index.
        parts: tokens of the parts, in the order of the corpus.
        file: file of the tokenizer, for messages.

    Raises:
        InputError: a sentence has no token.
    """
    ids, counts, first, last = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    empty = np.flatnonzero(counts == 0)
    if len(empty):
        raise InputError(
            f"makes no token of sentence {empty[0] + 1:,}",
            file=file,
            hint="write a word there that the tokenizer knows",
        )
    return Segmentation(list(types), ids, offsets_of(counts), first, last).in_order()


@dataclass(frozen=True)
class TypeTexts:
    """The text of each type.

    Attributes:
        codes: code points of all types, shape (P,).
        offsets: first code point of each type, int64, shape (V + 1,).
    """

    codes: NDArray[np.uint32]
    offsets: NDArray[np.int64]

    @classmethod
    def from_texts(cls, texts: Sequence[str]) -> TypeTexts:
        """Build from the text of each type; for `offsets_in`, without spaces and marks."""
        return cls(code_points("".join(texts)), offsets_of(list(map(len, texts))))

    def offsets_in(
        self,
        text: CodePoints,
        ids: NDArray[np.integer],
        counts: NDArray[np.integer],
        unknown: int = -1,
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
        """The offsets of tokens whose texts, one after another, spell their sentence.

        Args:
            text: S sentences, with the words of each joined by nothing.
            ids: type of each token, shape (T,).
            counts: tokens of each sentence, shape (S,).
            unknown: the type that stands for unknown text, if there is one. If a sentence has exactly one
                such token, it spells the text that the other tokens leave.

        Returns:
            The offsets in its line at which each token begins and ends, shape (T,); and whether the tokens of
            each sentence spell it, shape (S,). In sentences that are not spelled, offsets are undefined.
        """
        lengths = np.diff(self.offsets)[ids]
        gaps = np.flatnonzero(ids == unknown)
        sentence_of_gap = np.repeat(np.arange(len(counts)), counts)[gaps]
        alone = np.bincount(sentence_of_gap, minlength=len(counts))[sentence_of_gap] == 1
        gaps, sentence_of_gap = gaps[alone], sentence_of_gap[alone]
        lengths[gaps] = 0
        left = np.diff(text.offsets) - np.diff(offsets_of(lengths)[offsets_of(counts)])
        # An unknown token must spell at least one character.
        lengths[gaps] = np.maximum(left[sentence_of_gap], 1)
        ends = offsets_of(lengths)
        spelled = ends[offsets_of(counts)]
        right = np.diff(spelled) == np.diff(text.offsets)
        tokens = ragged_rows(offsets_of(counts), np.flatnonzero(right))
        places = ragged_rows(text.offsets, np.flatnonzero(right))
        sentence = np.repeat(np.flatnonzero(right), np.diff(text.offsets)[right])
        if len(gaps):
            is_spelled = np.ones(len(ids), dtype=np.bool_)
            is_spelled[gaps] = False
            compared = np.repeat(is_spelled[tokens], lengths[tokens])
            tokens, places = tokens[is_spelled[tokens]], places[compared]
            sentence = sentence[compared]
        ours, theirs = self.codes[ragged_rows(self.offsets, ids[tokens])], text.codes[places]
        right[sentence[ours != theirs]] = False
        begin = ends[:-1] - np.repeat(spelled[:-1], counts)
        return begin, begin + lengths, right


def map_to_words(segmentation: Segmentation, sentences: Sequence[Sequence[str]]) -> Segmentation:
    """Map the tokens of a segmentation to the words that they overlap.

    Args:
        segmentation: S sentences, spelled by its tokens without `▁`. Its `first` and `last` are ignored.
        sentences: words of the same sentences.

    Returns:
        The segmentation with `first` and `last` of these words.
    """
    text = CodePoints.from_lines(list(map("".join, sentences)), sentences)
    bare = [token.replace(BOUNDARY, "") for token in segmentation.types]
    counts = segmentation.lengths
    begin, end, right = TypeTexts.from_texts(bare).offsets_in(text, segmentation.ids, counts)
    assert right.all(), "the tokens spell other sentences"
    boundary = np.array([not token for token in bare], dtype=np.bool_)[segmentation.ids]
    first, last = overlapped_words(text, counts, begin, end, boundary)
    return replace(segmentation, first=first, last=last)


def words_of_characters(
    segmentation: Segmentation, sentences: Sequence[Sequence[str]]
) -> Segmentation:
    """Turn a segmentation whose words are characters into one with the actual words of the sentences.

    Args:
        segmentation: S sentences without spaces; its words are their characters.
        sentences: words of the same sentences.
    """
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


def fold_text(text: str) -> tuple[str, list[int]]:
    """A text as tokenizers may normalize it: NFKD, lower case, without accents and spaces.

    Returns:
        The normalized text, and for each of its characters the position in `text` of the character that it
        comes from.

    >>> fold_text("Ça ½")
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
