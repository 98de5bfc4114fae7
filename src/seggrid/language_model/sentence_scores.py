"""The scores of a language model on its test sentences, in memory and in a file."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seggrid.base.npz import read_arrays, write_arrays


@dataclass(frozen=True)
class SentenceScores:
    """The scores of the S test sentences of one model.

    Attributes:
        pll: pseudo-log-likelihood of each sentence, natural logarithm, shape (S,).
        tokens, words: number of tokens and of words of each sentence, shape (S,).
        characters: number of characters of each sentence, including spaces between words, shape (S,).
        unknown: number of tokens of each sentence that are not in the vocabulary, shape (S,).
    """

    pll: NDArray[np.floating]
    tokens: NDArray[np.integer]
    characters: NDArray[np.integer]
    words: NDArray[np.integer]
    unknown: NDArray[np.integer]

    def same_text(self, other: SentenceScores) -> bool:
        """Whether the other scores may be of the same text: whether words and characters of all sentences are
        equal."""
        return np.array_equal(self.characters, other.characters) and np.array_equal(
            self.words, other.words
        )


def write_sentence_scores(path: str | Path, scores: SentenceScores) -> None:
    """Write the scores of a model."""
    write_arrays(path, {field.name: getattr(scores, field.name) for field in fields(scores)})


def read_sentence_scores(path: str | Path) -> SentenceScores:
    """Read what `write_sentence_scores` wrote.

    Raises:
        InputError: the file is damaged.
    """
    arrays = read_arrays(path)
    pll = arrays.floats("pll", (None,))
    counts = [
        arrays.integers(name, pll.shape) for name in ("tokens", "characters", "words", "unknown")
    ]
    return SentenceScores(pll, *counts)
