"""The positions at which words are cut, and the number of cuts that two segmentations share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seggrid.text.ragged import offsets_of, ragged_rows


@dataclass(frozen=True)
class Cuts:
    """The C positions at which N words are cut.

    Attributes:
        positions: number of characters before each cut, ascending within a word, shape (C,).
        offsets: first cut of each word, shape (N + 1,).
    """

    positions: NDArray[np.int64]
    offsets: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def counts(self) -> NDArray[np.int64]:
        """The number of cuts in each word, shape (N,)."""
        return np.diff(self.offsets)

    @property
    def owners(self) -> NDArray[np.int64]:
        """The word of each cut, shape (C,)."""
        return np.repeat(np.arange(len(self)), self.counts)

    def word(self, index: int) -> list[int]:
        """The cuts of one word."""
        return list(map(int, self.positions[self.offsets[index] : self.offsets[index + 1]]))

    def pieces(self, words: Sequence[str]) -> list[list[str]]:
        """The pieces into which the cuts divide N words."""
        pieces = []
        for index, word in enumerate(words):
            ends = [*self.word(index), len(word)]
            pieces.append([word[i:j] for i, j in zip([0, *ends], ends, strict=False)])
        return pieces

    def take(self, rows: NDArray[np.integer]) -> Cuts:
        """The cuts of some words, by index."""
        return Cuts(self.positions[ragged_rows(self.offsets, rows)], offsets_of(self.counts[rows]))

    def mask(self, offsets: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Whether a cut precedes each character of the concatenated words, shape (characters,); `offsets` is
        the first character of each word."""
        mask = np.zeros(int(offsets[-1]), dtype=np.bool_)
        mask[np.repeat(offsets[:-1], self.counts) + self.positions] = True
        return mask

    @classmethod
    def from_mask(cls, mask: NDArray[np.bool_], offsets: NDArray[np.int64]) -> Cuts:
        """The inverse of `mask`."""
        flat = np.flatnonzero(mask)
        ends = np.searchsorted(flat, offsets)
        return cls(flat - np.repeat(offsets[:-1], np.diff(ends)), ends)

    @classmethod
    def from_pieces(cls, words: Iterable[Sequence[str]]) -> Cuts:
        """The cuts of words that are given as their pieces."""
        positions = []
        counts = []
        for pieces in words:
            counts.append(len(pieces) - 1)
            end = 0
            for piece in pieces[:-1]:
                end += len(piece)
                positions.append(end)
        return cls(np.array(positions, dtype=np.int64), offsets_of(counts))

    def shared(self, gold: Cuts, word_of: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
        """The number of cuts that each of A gold analyses shares with these for its word, shape (A,). By
        default, each word has one analysis; otherwise `word_of` is the word of each."""
        word_of = np.arange(len(gold)) if word_of is None else word_of
        found = self.take(word_of)
        width = 1 + max(cuts.positions.max(initial=0) for cuts in (found, gold))
        ours, theirs = (cuts.owners * width + cuts.positions for cuts in (found, gold))
        both = np.isin(theirs, ours, assume_unique=True)
        return np.bincount(gold.owners[both], minlength=len(gold))
