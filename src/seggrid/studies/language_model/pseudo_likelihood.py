"""Pseudo-log-likelihood: the log-probability of each token given all others in a masked language model.

PLL(W) = Σ_t ln P(w_t | W without w_t), where one token at a time is masked (Salazar et al. 2020, "Masked
language model scoring", section 2).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from seggrid.studies.language_model.text import FRAME, piece_sizes
from seggrid.studies.language_model.vocabulary import BEGIN, END, MASK
from seggrid.text.ragged import offsets_of

Predict = Callable[[NDArray[np.int32], NDArray[np.int64], NDArray[np.int32]], NDArray[np.float64]]
"""A model: from ids with masks (B, L), masked positions (B,) and the original ids there (B,) to the natural
log-probabilities of the original ids (B,)."""

BATCH_TOKENS = 8192
"""The tokens of a batch, special ones included."""


def pseudo_log_likelihoods(
    predict: Predict,
    ids: NDArray[np.int32],
    lengths: NDArray[np.integer],
    *,
    longest: int,
    done: NDArray[np.float64] | None = None,
) -> Iterator[tuple[NDArray[np.float64], float]]:
    """Compute the log-probability of each of T tokens given the others in its sentence, batch by batch.

    The sentences of a batch have the same length: nothing is padded, and no value depends on other sentences.
    Sentences of more than `longest` tokens, including special ones, are scored in independent pieces. `done`
    is the result of an interrupted call, NaN where it is missing; it is filled in place. After each batch
    come the log-probabilities, shape (T,), NaN where they are still missing (the same array each time), and
    the share of tokens that are done.
    """
    sizes = piece_sizes(lengths, longest - FRAME)
    starts = offsets_of(sizes)[:-1]
    result = np.full(len(ids), np.nan) if done is None else done
    # For each token: the length and the first token of its piece, and its position in the piece.
    sizes_of = np.repeat(sizes, sizes)
    start_of = np.repeat(starts, sizes)
    place = np.arange(len(ids)) - start_of
    for size in np.unique(sizes):
        rows = np.flatnonzero(sizes_of == size)
        step = max(1, BATCH_TOKENS // (size + FRAME))
        for first in range(0, len(rows), step):
            tokens = rows[first : first + step]
            if np.isnan(result[tokens]).any():
                sequences = np.empty((len(tokens), size + FRAME), dtype=np.int32)
                sequences[:, 0], sequences[:, -1] = BEGIN, END
                sequences[:, 1:-1] = ids[start_of[tokens, None] + np.arange(size)]
                masked = place[tokens] + 1
                sequences[np.arange(len(tokens)), masked] = MASK
                result[tokens] = predict(sequences, masked, ids[tokens])
            yield result, 1 - np.isnan(result).mean()


def by_sentence(values: NDArray[np.float64], lengths: NDArray[np.integer]) -> NDArray[np.float64]:
    """The sum over each sentence, shape (S,), of values of tokens, shape (T,)."""
    sentence = np.repeat(np.arange(len(lengths)), lengths)
    return np.bincount(sentence, values, len(lengths)).astype(np.float64, copy=False)
