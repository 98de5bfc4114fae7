"""The compiled part of cutting units into symbols; see `seggrid.segment.units`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from seggrid.base.compiled import int64, njit

SEPARATOR = "\n"
"""The separator before, between and after units in a flat array of code points."""
GLUED = 0x110000
"""Added to a code point that a mark is joined to; greater than any code point."""
_END = ord(SEPARATOR)


@njit
def number(codes: NDArray[np.uint32], glue: int) -> tuple[NDArray[np.int32], NDArray[np.uint32]]:
    """Number the code points; a mark is joined to those that have a separator at distance `glue`."""
    above = 1
    for i in range(len(codes)):
        above = max(above, int64(codes[i]) + 1)
    numbers = np.zeros(2 * above, dtype=np.int32)
    alphabet = np.empty(min(len(codes), 2 * above), dtype=np.uint32)
    cells = np.empty(len(codes), dtype=np.int32)
    found = 0
    for i in range(len(codes)):
        if codes[i] == _END:
            cells[i] = -1
        else:
            glued = codes[i + glue] == _END
            place = int64(codes[i]) + glued * above
            if numbers[place] == 0:
                alphabet[found] = codes[i] + glued * GLUED
                found += 1
                numbers[place] = found
            cells[i] = numbers[place] - 1
    return cells, alphabet[:found].copy()
