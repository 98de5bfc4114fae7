"""Ragged arrays: one flat array for all sentences, and the first row of each sentence.

The rows of sentence s are `offsets[s]:offsets[s + 1]`; `offsets` has shape (S + 1,).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray


def offsets_of(lengths: Iterable[int]) -> NDArray[np.int64]:
    """The offsets, shape (S + 1,), of sentences with these lengths, shape (S,)."""
    lengths = np.asarray(list(lengths) if not isinstance(lengths, np.ndarray) else lengths)
    offsets = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(lengths, out=offsets[1:])
    return offsets


def code_points(text: str) -> NDArray[np.uint32]:
    """The code point of each character of a text, shape (its length,)."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)


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
    """First row and end of each sentence, one at a time, without a list of all.

    >>> list(each_range(np.array([0, 2, 2, 5])))
    [(0, 2), (2, 2), (2, 5)]
    """
    for first in range(0, len(offsets) - 1, _BLOCK):
        yield from pairwise(offsets[first : first + _BLOCK + 1].tolist())


_BLOCK = 1 << 12


def each_block(sentences: int, size: int = 1 << 14) -> Iterator[tuple[int, int]]:
    """First sentence and end of each block of `size` sentences. Work is done block by block if it takes
    several times the memory of the sentences.

    >>> list(each_block(5, 2))
    [(0, 2), (2, 4), (4, 5)]
    """
    for begin in range(0, sentences, size):
        yield begin, min(begin + size, sentences)


class Growing:
    """An array that grows in place: rows, of some columns or single numbers (None), are added at the end, and
    earlier ones are not copied.

    >>> numbers = Growing(np.int8, 2)
    >>> numbers.add(np.array([[1, 2]]))
    >>> numbers.add(np.array([[3, 4], [5, 6]]))
    >>> numbers.array().tolist()
    [[1, 2], [3, 4], [5, 6]]
    """

    def __init__(self, kind: DTypeLike, columns: int | None = None) -> None:
        self._kind = np.dtype(kind)
        self._shape = (-1,) if columns is None else (-1, columns)
        # The standard library extends this memory in place if it can.
        self._bytes = bytearray()

    def add(self, rows: NDArray[Any]) -> None:
        """Add rows."""
        self._bytes += rows.astype(self._kind, copy=False).tobytes()

    def array(self) -> NDArray[Any]:
        """All rows, without a copy. No rows can be added while the result is in use."""
        return np.frombuffer(self._bytes, dtype=self._kind).reshape(self._shape)


def place_kind(longest: int) -> np.dtype[Any]:
    """The smallest signed integer type that can hold every place in a sentence of `longest` tokens, plus two.

    >>> place_kind(126), place_kind(127)
    (dtype('int8'), dtype('int16'))
    """
    return np.min_scalar_type(-(longest + 2))


def narrow(numbers: NDArray[np.integer]) -> NDArray[np.integer]:
    """The numbers in the smallest type that can represent them all."""
    if not numbers.size:
        return numbers.astype(np.int8)
    ends = np.min_scalar_type(int(numbers.min())), np.min_scalar_type(int(numbers.max()))
    return numbers.astype(np.result_type(*ends))
