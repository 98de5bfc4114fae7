"""The training data of a language model: held-out sentences, sequences of ids, batches."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from seggrid.data.ragged import offsets_of
from seggrid.language_model.vocabulary import BEGIN, END, PAD

FRAME = 2
"""Number of special tokens around the tokens of a sentence: begin and end."""


def split(sentences: Sequence[Hashable], held_out: int) -> tuple[list[int], list[int]]:
    """Split a text into training and test sentences, as ascending indices.

    The test sentences are evenly spaced, the same for every model of a text. A duplicate of a test
    sentence is left out of both lists.

    Args:
        sentences: the S sentences of the text.
        held_out: number of test sentences, at most S.

    >>> split("abcabd", 2)
    ([0, 2, 3, 5], [1, 4])
    >>> split("xyxzw", 1)
    ([1, 3, 4], [2])
    """
    total = len(sentences)
    test = [(2 * k + 1) * total // (2 * held_out) for k in range(held_out)]
    tested = {sentences[index] for index in test}
    return [index for index in range(total) if sentences[index] not in tested], test


def pieces(lengths: NDArray[np.integer], longest: int) -> tuple[NDArray, NDArray]:
    """Cut sentences into pieces of at most `longest` tokens. Returns the sentence of each piece and its
    number of tokens, both of shape (P,). A sentence without tokens has no piece.

    >>> [column.tolist() for column in pieces(np.array([2, 5, 0]), 3)]
    [[0, 1, 1], [2, 3, 2]]
    """
    counts = -(-lengths // longest)
    sentence = np.repeat(np.arange(len(lengths)), counts)
    number = np.arange(len(sentence)) - np.repeat(np.cumsum(counts) - counts, counts)
    return sentence, np.minimum(longest, lengths[sentence] - number * longest)


def pack(ids: NDArray[np.int32], lengths: NDArray[np.integer], length: int) -> NDArray[np.int32]:
    """Pack whole sentences, each between begin and end, into sequences in order (RoBERTa's FULL-SENTENCES,
    Liu et al. 2019, section 4.2).

    Args:
        ids: ids of all tokens, shape (T,).
        lengths: tokens of each sentence, shape (S,).
        length: tokens of a sequence, including special tokens; longer sentences are cut.

    Returns:
        Ids, shape (N, length), padded at the end.
    """
    _, sizes = pieces(lengths, length - FRAME)
    offsets = offsets_of(sizes)
    rows, room = [[]], length
    for piece, size in enumerate(sizes):
        if size + FRAME > room:
            rows.append([])
            room = length
        rows[-1].append(piece)
        room -= size + FRAME
    packed = np.full((len(rows), length), PAD, dtype=np.int32)
    for row, members in zip(packed, rows, strict=True):
        at = 0
        for piece in members:
            own = ids[offsets[piece] : offsets[piece + 1]]
            row[at] = BEGIN
            row[at + 1 : at + 1 + len(own)] = own
            row[at + 1 + len(own)] = END
            at += len(own) + FRAME
    return packed[: len(rows) if rows[0] else 0]


def batch(sequences: int, size: int, step: int, seed: int) -> NDArray[np.int64]:
    """The sequences in the batch of a step, as indices, shape (size,).

    Each epoch is a permutation of all sequences; a batch may span two epochs. The batch depends only on step
    and seed, so that training can resume from any step.
    """
    wanted = np.arange(step * size, (step + 1) * size)
    chosen = np.empty(size, dtype=np.int64)
    for epoch in np.unique(wanted // sequences):
        here = wanted // sequences == epoch
        chosen[here] = _order(sequences, int(epoch), seed)[wanted[here] % sequences]
    return chosen


# Two, since a batch may span two epochs. Without the cache, every step would shuffle all sequences: half a
# second for ten million.
@lru_cache(maxsize=2)
def _order(sequences: int, epoch: int, seed: int) -> NDArray[np.int64]:
    order = np.random.default_rng([seed, epoch]).permutation(sequences)
    order.flags.writeable = False
    return order
