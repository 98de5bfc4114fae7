"""The records of cells, symbols, pairs and occurrences in learning; see `learn_kernels`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from seggrid.base.compiled import njit

Array = NDArray  # an array of these records, or of numbers

# Arrays of records keep fields that are used together adjacent in memory, and pass them as one argument.
CELL = np.dtype(
    [
        ("symbol", np.int32),
        ("pair", np.int32),  # where a symbol begins: the pair that it forms with the next; else -1
    ],
    align=True,
)
SYMBOL = np.dtype(
    [
        ("frequency", np.int64),
        ("text", np.int64),  # where its text begins among the texts of all
        ("length", np.int32),  # of its text
        ("letters", np.int32),  # characters of its text without marks of words
        ("cells", np.int32),
    ],
    align=True,
)
PAIR = np.dtype(
    [
        ("left", np.int32),
        ("right", np.int32),
        ("count", np.int64),
        ("key", np.float64),  # an upper bound of its score
        ("start", np.int64),  # where its list of occurrences begins
        ("size", np.int32),  # how long the list is
        ("slot", np.int32),  # where it is in the queue
        ("next_left", np.int32),  # the next pair with the same left symbol, 0 at the end
        ("next_right", np.int32),  # the next pair with the same right symbol, 0 at the end
    ],
    align=True,
)
OCCURRENCE = np.dtype([("cell", np.int32), ("pair", np.int32)], align=True)


@njit
def grown(array: Array, used: int, capacity: int) -> Array:
    """Copy the first `used` elements of an array into one of length `capacity`."""
    grown = np.empty(capacity, dtype=array.dtype)
    for i in range(used):
        grown[i] = array[i]
    return grown
