"""Ragged arrays: one flat array for all sentences, and where each sentence begins.

`offsets`, of length S + 1, says which rows belong to sentence s: `offsets[s]:offsets[s + 1]`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray


def offsets_of(lengths: Iterable[int]) -> NDArray[np.int64]:
    """Offsets, shape (S + 1,), of rows whose lengths are given, shape (S,)."""
    lengths = np.asarray(list(lengths) if not isinstance(lengths, np.ndarray) else lengths)
    offsets = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(lengths, out=offsets[1:])
    return offsets


def ragged_rows(
    offsets: NDArray[np.int64], sentences: Sequence[int] | NDArray[np.integer]
) -> NDArray[np.int64]:
    """Indices of the flat rows that belong to some sentences, in the order of `sentences`."""
    sentences = np.asarray(sentences, dtype=np.int64)
    starts = offsets[sentences]
    lengths = offsets[sentences + 1] - starts
    ends = np.cumsum(lengths)
    total = int(ends[-1]) if len(ends) else 0
    return np.arange(total) + np.repeat(starts - (ends - lengths), lengths)


def narrow(numbers: NDArray[np.integer]) -> NDArray[np.integer]:
    """The same numbers in the smallest type that holds them all."""
    if not numbers.size:
        return numbers.astype(np.int8)
    ends = np.min_scalar_type(int(numbers.min())), np.min_scalar_type(int(numbers.max()))
    return numbers.astype(np.result_type(*ends))
