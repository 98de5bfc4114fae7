"""Map tokens to words by the offsets of their characters in the text.

A tokenizer may normalize the text before it cuts it (NFKC, lower case, bytes for an unknown character,
`▁` for a space). A token's own text then does not tell which words it belongs to; its character offsets do.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seggrid.base.compiled import njit
from seggrid.data.boundary import unmarked
from seggrid.data.ragged import code_points, offsets_of
from seggrid.data.segmentation import Segmentation
from seggrid.errors import InputError

_SPACE = ord(" ")


class CodePoints(NamedTuple):
    """The code points of a text's sentences, with the words of each joined by a space or by nothing.

    Attributes:
        codes: code points of all sentences, uint32, shape (C,).
        offsets: first code point of each sentence, int64, shape (S + 1,).
        begins: whether a word begins at each code point, shape (C,).
    """

    codes: NDArray[np.uint32]
    offsets: NDArray[np.int64]
    begins: NDArray[np.bool_]

    @classmethod
    def from_lines(cls, lines: Sequence[str], separator: str = " ") -> CodePoints:
        """Build from sentences whose words are joined by a separator: one space, or nothing if each character
        is a word."""
        codes = code_points("".join(lines))
        offsets = offsets_of(np.fromiter(map(len, lines), dtype=np.int64, count=len(lines)))
        begins = np.ones(len(codes), dtype=np.bool_)
        if separator:
            begins[1:] = codes[:-1] == _SPACE
            begins[offsets[:-1][np.diff(offsets) > 0]] = True
        return cls(codes, offsets, begins)


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
    begun = offsets_of(text.begins)
    before = begun[base]
    # Words are separated by single spaces, so a word begins after each.
    own_start = np.minimum(start + spaces[start], limit)
    own_stop = np.where((stop > start) & spaces[stop - 1], stop - 1, stop)
    empty = own_start >= own_stop
    place = np.minimum(stop + spaces[np.minimum(stop, len(text.codes))], limit - 1)
    own_start = np.where(empty, place, own_start)
    own_stop = np.where(empty, place + 1, own_stop)
    first = begun[own_start + 1] - 1 - before
    last = begun[own_stop] - 1 - before
    next_word = begun[start] - before
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


class TypeTexts(NamedTuple):
    """The text of each type.

    Attributes:
        codes: code points of all types, shape (P,).
        offsets: first code point of each type, int64, shape (V + 1,).
    """

    codes: NDArray[np.uint32]
    offsets: NDArray[np.int64]

    @classmethod
    def from_texts(cls, texts: Sequence[str]) -> TypeTexts:
        """Build from the text of each type; for `spelled_words`, without spaces and marks."""
        return cls(code_points("".join(texts)), offsets_of(list(map(len, texts))))


@njit
def spelled_words(
    text: CodePoints,
    types: TypeTexts,
    ids: NDArray[np.int32],
    counts: NDArray[np.int64],
    unknown: int,
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.bool_]]:
    """The words that tokens overlap whose texts, one after another, spell their sentence without its spaces.

    Args:
        types: the text of each type; a type without text stands for a space.
        ids: type of each token, shape (T,).
        counts: tokens of each sentence, shape (S,).
        unknown: the type that stands for unknown text; -1 if there is none. If a sentence has exactly one
            such token, it spells the text that the other tokens leave.

    Returns:
        First and last word of each token, as in `seggrid.data.segmentation.Segmentation`, shape (T,); and
        whether the tokens of each sentence spell it, shape (S,). In other sentences, the words are undefined.
    """
    first = np.zeros(len(ids), dtype=np.int32)
    last = np.zeros(len(ids), dtype=np.int32)
    right = np.zeros(len(counts), dtype=np.bool_)
    begin = 0
    for s in range(len(counts)):
        end = begin + counts[s]
        left = gaps = 0
        for place in range(text.offsets[s], text.offsets[s + 1]):
            left += text.codes[place] != _SPACE
        for token in range(begin, end):
            if ids[token] == unknown:
                gaps += 1
            else:
                left -= types.offsets[ids[token] + 1] - types.offsets[ids[token]]
        # An unknown token must spell at least one character.
        is_right = left > 0 if gaps == 1 else gaps == left == 0
        place, word = text.offsets[s], -1
        for token in range(begin, end if is_right else begin):
            is_gap = ids[token] == unknown
            at = types.offsets[ids[token]]
            length = left if is_gap else types.offsets[ids[token] + 1] - at
            first[token] = word + 1
            for k in range(length):
                while text.codes[place] == _SPACE:
                    word += text.begins[place]
                    place += 1
                word += text.begins[place]
                if k == 0:
                    first[token] = word
                is_right &= is_gap or types.codes[at + k] == text.codes[place]
                place += 1
            last[token] = word
        right[s] = is_right
        begin = end
    return first, last, right


def map_to_words(segmentation: Segmentation, sentences: Sequence[Sequence[str]]) -> Segmentation:
    """Map the tokens of a segmentation to the words that they overlap.

    Args:
        segmentation: S sentences, spelled by its tokens without the marks of words. Its `first` and `last`
            are ignored.
        sentences: words of the same sentences.
    """
    text = CodePoints.from_lines(list(map(" ".join, sentences)))
    bare = list(map(unmarked, segmentation.types))
    counts = segmentation.lengths
    types = TypeTexts.from_texts(bare)
    first, last, right = spelled_words(text, types, segmentation.ids, counts, -1)
    assert right.all(), "the tokens spell other sentences"
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
