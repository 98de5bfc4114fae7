"""Symmetrisation: one set of links from the two directions.

The heuristics of Och and Ney (2003) and Koehn, Och and Marcu (2003), in the order in which
fast_align's companion program `atools` tries candidates (the result depends on that order).
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from seggrid.arrays import Links
from seggrid.errors import InputError

HEURISTICS = ("intersect", "union", "grow-diag", "grow-diag-final", "grow-diag-final-and")


def symmetrize(forward: Links, reverse: Links, heuristic: str = "grow-diag-final-and") -> Links:
    """Combine the links of the two directions.

    - `intersect`, `union`: as named.
    - `grow-diag`: start from the intersection. Sweep over the union's other links in ascending
      (i, j) order, adding each that has a neighbour (of the eight around it) linked and whose row
      or column has no link yet; an added link counts at once. Sweep until a sweep adds nothing.
    - `grow-diag-final`: then add each forward link, in ascending order, whose row or column has no
      link; then the reverse links likewise.
    - `grow-diag-final-and`: the same, but neither the row nor the column may have a link.

    Args:
        forward, reverse: links of the same S sentence pairs, both as (i in source, j in target).
        heuristic: one of `HEURISTICS`.

    Raises:
        InputError: an unknown heuristic, or link sets of different length.
    """
    if heuristic not in HEURISTICS:
        raise InputError(f"unknown heuristic {heuristic!r}", mend=f"one of {', '.join(HEURISTICS)}")
    if len(forward) != len(reverse):
        raise InputError(
            f"forward links of {len(forward)} sentence pairs, reverse links of {len(reverse)}"
        )
    pairs = np.empty((len(forward.pairs) + len(reverse.pairs), 2), dtype=np.int32)
    offsets = np.zeros(len(forward) + 1, dtype=np.int64)
    _symmetrize(
        forward.offsets, forward.pairs, reverse.offsets, reverse.pairs,
        HEURISTICS.index(heuristic), offsets, pairs,
    )  # fmt: skip
    return Links(offsets, pairs[: offsets[-1]].copy())


_FORWARD, _REVERSE, _LINKED = 1, 2, 4


@njit(cache=True, nogil=True)
def _symmetrize(
    forward_offsets: NDArray[np.int64],
    forward: NDArray[np.int32],
    reverse_offsets: NDArray[np.int64],
    reverse: NDArray[np.int32],
    heuristic: int,
    offsets: NDArray[np.int64],
    pairs: NDArray[np.int32],
) -> None:
    total = 0
    for s in range(len(offsets) - 1):
        ahead = forward[forward_offsets[s] : forward_offsets[s + 1]]
        back = reverse[reverse_offsets[s] : reverse_offsets[s + 1]]
        # The grid has a border all around, so that every point has eight neighbours; hence the + 1.
        rows, columns = 3, 3
        for links in (ahead, back):
            for k in range(len(links)):
                rows = max(rows, links[k, 0] + 3)
                columns = max(columns, links[k, 1] + 3)
        grid = np.zeros((rows, columns), dtype=np.uint8)
        in_row = np.zeros(rows, dtype=np.int32)
        in_column = np.zeros(columns, dtype=np.int32)
        for k in range(len(ahead)):
            grid[ahead[k, 0] + 1, ahead[k, 1] + 1] |= _FORWARD
        for k in range(len(back)):
            grid[back[k, 0] + 1, back[k, 1] + 1] |= _REVERSE

        waiting = pairs[total:]
        points = 0
        a = b = 0
        while a < len(ahead) or b < len(back):
            if b == len(back):
                i, j = ahead[a, 0], ahead[a, 1]
            elif a == len(ahead):
                i, j = back[b, 0], back[b, 1]
            elif ahead[a, 0] < back[b, 0] or (
                ahead[a, 0] == back[b, 0] and ahead[a, 1] <= back[b, 1]
            ):
                i, j = ahead[a, 0], ahead[a, 1]
            else:
                i, j = back[b, 0], back[b, 1]
            if a < len(ahead) and ahead[a, 0] == i and ahead[a, 1] == j:
                a += 1
            if b < len(back) and back[b, 0] == i and back[b, 1] == j:
                b += 1
            waiting[points, 0] = i
            waiting[points, 1] = j
            points += 1
            if heuristic == 1 or grid[i + 1, j + 1] == _FORWARD | _REVERSE:
                grid[i + 1, j + 1] |= _LINKED
                in_row[i + 1] += 1
                in_column[j + 1] += 1

        if heuristic >= 2:
            added = True
            while added:
                added = False
                for k in range(points):
                    i, j = waiting[k, 0] + 1, waiting[k, 1] + 1
                    if grid[i, j] & _LINKED or (in_row[i] and in_column[j]):
                        continue
                    near = False
                    for x in range(i - 1, i + 2):
                        for y in range(j - 1, j + 2):
                            near |= grid[x, y] & _LINKED != 0
                    if near:
                        grid[i, j] |= _LINKED
                        in_row[i] += 1
                        in_column[j] += 1
                        added = True
        if heuristic >= 3:
            for links in (ahead, back):
                for k in range(len(links)):
                    i, j = links[k, 0] + 1, links[k, 1] + 1
                    if grid[i, j] & _LINKED:
                        continue
                    taken = (in_row[i] > 0) + (in_column[j] > 0)
                    if taken == 0 or (heuristic == 3 and taken == 1):
                        grid[i, j] |= _LINKED
                        in_row[i] += 1
                        in_column[j] += 1

        kept = 0
        for k in range(points):
            if grid[waiting[k, 0] + 1, waiting[k, 1] + 1] & _LINKED:
                waiting[kept, 0] = waiting[k, 0]
                waiting[kept, 1] = waiting[k, 1]
                kept += 1
        total += kept
        offsets[s + 1] = total
