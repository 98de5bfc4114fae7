"""Ragged arrays: one flat array for all sentences, and the first row of each sentence.

The rows of sentence s are `offsets[s]:offsets[s + 1]`; `offsets` has shape (S + 1,).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from itertools import chain
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

T = TypeVar("T", bound=Hashable)


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


def number_distinct(
    rows: Sequence[Sequence[T]],
) -> tuple[list[T], NDArray[np.int32], NDArray[np.int64]]:
    """Number the distinct items of some rows in order of appearance.

    Returns:
        The distinct items, shape (W,); the number of each item, int32, shape (N,); and the first item of each
        row, int64, shape (R + 1,).
    """
    offsets = offsets_of(np.fromiter(map(len, rows), dtype=np.int64, count=len(rows)))
    items = list(dict.fromkeys(chain.from_iterable(rows)))
    number = dict(zip(items, range(len(items)), strict=True))
    numbers = map(number.__getitem__, chain.from_iterable(rows))
    return items, np.fromiter(numbers, dtype=np.int32, count=offsets[-1]), offsets


def narrow(numbers: NDArray[np.integer]) -> NDArray[np.integer]:
    """The numbers in the smallest type that can represent them all."""
    if not numbers.size:
        return numbers.astype(np.int8)
    ends = np.min_scalar_type(int(numbers.min())), np.min_scalar_type(int(numbers.max()))
    return numbers.astype(np.result_type(*ends))
