"""Ragged arrays: one flat array for all sentences, and the first row of each sentence.

The rows of sentence s are `offsets[s]:offsets[s + 1]`; `offsets` has shape (S + 1,).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray


def offsets_of(lengths: Iterable[int]) -> NDArray[np.int64]:
    """The offsets, shape (S + 1,), of sentences of given lengths, shape (S,)."""
    lengths = np.asarray(list(lengths) if not isinstance(lengths, np.ndarray) else lengths)
    offsets = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(lengths, out=offsets[1:])
    return offsets


def ragged_rows(
    offsets: NDArray[np.int64], sentences: Sequence[int] | NDArray[np.integer]
) -> NDArray[np.int64]:
    """Indices of the rows of some sentences in the flat array, in the order of `sentences`."""
    sentences = np.asarray(sentences, dtype=np.int64)
    starts = offsets[sentences]
    lengths = offsets[sentences + 1] - starts
    ends = np.cumsum(lengths)
    total = int(ends[-1]) if len(ends) else 0
    rows: NDArray[np.int64] = np.arange(total) + np.repeat(starts - (ends - lengths), lengths)
    return rows


def each_range(offsets: NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    """First row and end of each sentence, without a list of numbers for all.

    >>> list(each_range(np.array([0, 2, 2, 5])))
    [(0, 2), (2, 2), (2, 5)]
    """
    for first in range(0, len(offsets) - 1, _BLOCK):
        yield from pairwise(offsets[first : first + _BLOCK + 1].tolist())


_BLOCK = 1 << 12


def narrow(numbers: NDArray[np.integer]) -> NDArray[np.integer]:
    """The numbers in the smallest type that can represent them all."""
    if not numbers.size:
        return numbers.astype(np.int8)
    ends = np.min_scalar_type(int(numbers.min())), np.min_scalar_type(int(numbers.max()))
    return numbers.astype(np.result_type(*ends))
