"""By how much a unigram model of sentencepiece prefers its best segmentation of a word.

The library scores whole sentences, in single precision: a sum along the sentence, whose rounding depends on
the words before. A word is therefore cut as by itself wherever its best segmentation leads all others by
more than the rounding of that sum.

Without it a model of 8,000 types takes 0.8 times as much CPU time on 10,000 English sentences, 1.6 times on
100,000, 1.4 times on 300,000, and twice on 1,000,000 (`benchmarks/external.py` makes the texts).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seggrid.base.compiled import njit
from seggrid.data.ragged import offsets_of
from seggrid.segment.token_offsets import TypeTexts

UNKNOWN = 10.0
"""The difference between the least score of a piece and that of an unknown character, in the library."""
_EPSILON = 2.0**-23
"""Distance of 1 to the next number of single precision."""
_CAUTION = 4.0
"""How many times the rounding that can occur is called safe."""


@dataclass(frozen=True)
class PieceScores:
    """The pieces of a model, to be found by their characters.

    Attributes:
        texts: the text of each piece, `▁` included.
        scores: log probability of each piece, float64, shape (P,).
        table: piece at each place of a hash table, or -1, int32, shape (a power of two,).
        longest: characters of the longest piece.
    """

    texts: TypeTexts
    scores: NDArray[np.float64]
    table: NDArray[np.int32]
    longest: int

    @classmethod
    def from_pieces(cls, pieces: Sequence[str], scores: Sequence[float]) -> PieceScores:
        """Build from the text of each piece, `▁` included, and its score."""
        texts = TypeTexts.from_texts(pieces)
        size = 1 << (2 * len(pieces) + 1).bit_length()
        table = _hash_table(texts.codes, texts.offsets, size)
        numbers = np.array(scores, dtype=np.float64)
        return cls(texts, numbers, table, int(np.diff(texts.offsets).max(initial=1)))

    def lead(self, words: Sequence[str]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The score of each word's best segmentation, and its lead over the second best.

        Args:
            words: W words, each with the `▁` before it.

        Returns:
            Two arrays of shape (W,). A lead is infinite if there is one segmentation only.
        """
        spelled = TypeTexts.from_texts(words)
        unknown = self.scores.min(initial=0.0) - UNKNOWN
        score, lead = _lead(
            spelled.codes,
            spelled.offsets,
            self.texts.codes,
            self.texts.offsets,
            self.scores,
            self.table,
            self.longest,
            unknown,
        )
        return score, lead


def are_cut_alone(
    score: NDArray[np.float64],
    lead: NDArray[np.float64],
    symbols: NDArray[np.int64],
    occurrences: NDArray[np.int32],
    lengths: NDArray[np.int64],
) -> NDArray[np.bool_]:
    """Whether all words of a sentence are surely cut as by themselves.

    A path's score is a sum of at most as many numbers as the word has symbols, to which the sum along the
    sentence so far is added; each addition is off by at most half a unit in the last place of the result,
    whose size is at most that of the whole sentence's score. All scores are negative.

    Args:
        score, lead: of each of U distinct words, see `PieceScores.lead`, shape (U,).
        symbols: characters of each distinct word, `▁` included, shape (U,).
        occurrences: distinct word of each word of the corpus, shape (N,).
        lengths: words of each of S sentences, each above 0, shape (S,).

    Returns:
        Shape (S,).
    """
    begins = offsets_of(lengths)[:-1]
    allowed = lead / (_CAUTION * (symbols + 1.0))
    least = np.minimum.reduceat(allowed[occurrences], begins)
    size = -np.add.reduceat(score[occurrences], begins)
    return least > _EPSILON * (size + 1.0)


@njit
def _mixed(code: int, key: np.uint64) -> np.uint64:
    """The hash of a string that is one character longer (FNV-1a over code points, folded)."""
    return (np.uint64(key) ^ np.uint64(code)) * np.uint64(0x100000001B3)


@njit
def _place(key: np.uint64, mask: int) -> np.int64:
    return np.int64((np.uint64(key) ^ (np.uint64(key) >> np.uint64(29))) & np.uint64(mask))


@njit
def _hash_table(codes: NDArray[Any], offsets: NDArray[Any], size: int) -> NDArray[Any]:
    table = np.full(size, -1, dtype=np.int32)
    for piece in range(len(offsets) - 1):
        key = np.uint64(0xCBF29CE484222325)
        for k in range(offsets[piece], offsets[piece + 1]):
            key = _mixed(codes[k], key)
        place = _place(key, size - 1)
        while table[place] >= 0:
            place = (place + 1) & (size - 1)
        table[place] = piece
    return table


@njit
def _find(
    codes: NDArray[Any],
    begin: int,
    length: int,
    key: np.uint64,
    piece_codes: NDArray[Any],
    piece_offsets: NDArray[Any],
    table: NDArray[Any],
) -> int:
    """The piece that consists of `length` characters from `begin` on, whose hash is `key`; or -1."""
    mask = len(table) - 1
    place = _place(key, mask)
    while table[place] >= 0:
        piece = table[place]
        at = piece_offsets[piece]
        # A comparison of slices takes six times as long.
        k = 0 if piece_offsets[piece + 1] - at == length else length + 1
        while k < length and piece_codes[at + k] == codes[begin + k]:
            k += 1
        if k == length:
            return int(piece)
        place = (place + 1) & mask
    return -1


@njit
def _lead(
    codes: NDArray[Any],
    offsets: NDArray[Any],
    piece_codes: NDArray[Any],
    piece_offsets: NDArray[Any],
    scores: NDArray[Any],
    table: NDArray[Any],
    longest: int,
    unknown: float,
) -> tuple[NDArray[Any], NDArray[Any]]:
    n_words = len(offsets) - 1
    best, lead = np.empty(n_words), np.empty(n_words)
    most = 0
    for word in range(n_words):
        most = max(most, offsets[word + 1] - offsets[word])
    first, second = np.empty(most + 1), np.empty(most + 1)
    for word in range(n_words):
        begin, n = offsets[word], offsets[word + 1] - offsets[word]
        first[: n + 1] = -np.inf
        second[: n + 1] = -np.inf
        first[0] = 0.0
        for start in range(n):
            key = np.uint64(0xCBF29CE484222325)
            for length in range(1, min(longest, n - start) + 1):
                key = _mixed(codes[begin + start + length - 1], key)
                piece = _find(codes, begin + start, length, key, piece_codes, piece_offsets, table)
                if piece < 0 and length > 1:
                    continue
                score = scores[piece] if piece >= 0 else unknown
                for path in (first[start], second[start]):
                    total = path + score
                    if total > first[start + length]:
                        second[start + length] = first[start + length]
                        first[start + length] = total
                    elif total > second[start + length]:
                        second[start + length] = total
        best[word] = first[n]
        lead[word] = first[n] - second[n] if n else np.inf
    return best, lead
