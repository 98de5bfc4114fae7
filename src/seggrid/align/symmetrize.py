"""Symmetrization: one set of links from the two directions.

The heuristics of Och and Ney (2003) and Koehn, Och and Marcu (2003), in the order in which
fast_align's companion program `atools` tries candidates (the result depends on that order).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from seggrid.align import SYMMETRIZATIONS
from seggrid.base.compiled import njit
from seggrid.base.errors import InputError
from seggrid.text.links import Links
from seggrid.text.ragged import each_block


def combine_directions(
    forward: Links, reverse: Links, heuristic: str = "grow-diag-final-and"
) -> Links:
    """Combine the links of the two directions.

    - `intersect`, `union`: the links in both directions, or in either.
    - `grow-diag`: start from the intersection. Sweep over the union's other links in ascending
      (i, j) order, adding each that has a linked neighbor (of the eight around it) and whose row or
      column has no link yet; an added link counts at once. Repeat until a sweep adds nothing.
    - `grow-diag-final`: then add each forward link, in ascending order, whose row or column has no
      link; then the reverse links likewise.
    - `grow-diag-final-and`: the same, but neither the row nor the column may have a link.
    """
    if len(forward) != len(reverse):
        raise InputError(
            f"forward links of {len(forward)} sentence pairs, reverse links of {len(reverse)}"
        )
    # A border all around gives every point eight neighbors: (i, j) is at [i + 1, j + 1].
    rows, columns = (
        max(int(links.pairs[:, side].max(initial=0)) for links in (forward, reverse)) + 3
        for side in (0, 1)
    )
    state = np.zeros((rows, columns), dtype=np.uint8)
    number = SYMMETRIZATIONS.index(heuristic)
    blocks = (
        _symmetrize_block(forward.block(*ends), reverse.block(*ends), number, state)
        for ends in each_block(len(forward))
    )
    return Links.joined(blocks, np.result_type(forward.pairs, reverse.pairs))


def _symmetrize_block(
    forward: Links, reverse: Links, heuristic: int, state: NDArray[np.uint8]
) -> Links:
    """Symmetrize one block; `state` has an element, 0, for each possible (i, j) and the border around."""
    ahead, back = (links.pairs.astype(np.int32, copy=False) for links in (forward, reverse))
    pairs = np.empty((len(ahead) + len(back), 2), dtype=np.int32)
    offsets = np.zeros(len(forward) + 1, dtype=np.int64)
    _symmetrize(forward.offsets, ahead, reverse.offsets, back, heuristic, state, offsets, pairs)
    return Links(offsets, pairs[: offsets[-1]])


_FORWARD, _REVERSE, _LINKED = 1, 2, 4
_INTERSECT, _UNION, _GROW, _FINAL, _FINAL_AND = range(len(SYMMETRIZATIONS))


@njit
def _symmetrize(
    forward_offsets: NDArray[np.int64],
    forward: NDArray[np.int32],
    reverse_offsets: NDArray[np.int64],
    reverse: NDArray[np.int32],
    heuristic: int,
    state: NDArray[np.uint8],
    offsets: NDArray[np.int64],
    pairs: NDArray[np.int32],
) -> None:
    row_taken = np.zeros(state.shape[0], dtype=np.bool_)
    column_taken = np.zeros(state.shape[1], dtype=np.bool_)
    end = 0
    for s in range(len(offsets) - 1):
        ahead = forward[forward_offsets[s] : forward_offsets[s + 1]]
        back = reverse[reverse_offsets[s] : reverse_offsets[s + 1]]
        union = pairs[end:]
        points = _merge(ahead, back, union, state)
        for k in range(points):
            i, j = union[k, 0] + 1, union[k, 1] + 1
            if heuristic == _UNION or state[i, j] == _FORWARD | _REVERSE:
                _link(i, j, state, row_taken, column_taken)
        grown = heuristic >= _GROW
        while grown:
            grown = False
            for k in range(points):
                i, j = union[k, 0] + 1, union[k, 1] + 1
                if state[i, j] & _LINKED or (row_taken[i] and column_taken[j]):
                    continue
                if _has_neighbor(i, j, state):
                    _link(i, j, state, row_taken, column_taken)
                    grown = True
        if heuristic >= _FINAL:
            for links in (ahead, back):
                for k in range(len(links)):
                    i, j = links[k, 0] + 1, links[k, 1] + 1
                    taken = int(row_taken[i]) + int(column_taken[j])
                    if taken == 0 or (taken == 1 and heuristic == _FINAL):
                        _link(i, j, state, row_taken, column_taken)
        kept = 0
        for k in range(points):
            i, j = union[k]
            if state[i + 1, j + 1] & _LINKED:
                union[kept, 0] = i
                union[kept, 1] = j
                kept += 1
            state[i + 1, j + 1] = 0
            row_taken[i + 1] = False
            column_taken[j + 1] = False
        end += kept
        offsets[s + 1] = end


@njit
def _merge(
    ahead: NDArray[np.int32],
    back: NDArray[np.int32],
    union: NDArray[np.int32],
    state: NDArray[np.uint8],
) -> int:
    """Mark in `state` the directions of each link, list all links in `union`, ascending; return their
    number."""
    a = b = points = 0
    while a < len(ahead) or b < len(back):
        from_back = a == len(ahead)
        if a < len(ahead) and b < len(back):
            from_back = back[b, 0] < ahead[a, 0] or (
                back[b, 0] == ahead[a, 0] and back[b, 1] < ahead[a, 1]
            )
        if from_back:
            i, j, mark = back[b, 0], back[b, 1], _REVERSE
            b += 1
        else:
            i, j, mark = ahead[a, 0], ahead[a, 1], _FORWARD
            a += 1
            if b < len(back) and back[b, 0] == i and back[b, 1] == j:
                mark |= _REVERSE
                b += 1
        state[i + 1, j + 1] = mark
        union[points, 0] = i
        union[points, 1] = j
        points += 1
    return points


@njit
def _link(
    i: int,
    j: int,
    state: NDArray[np.uint8],
    row_taken: NDArray[np.bool_],
    column_taken: NDArray[np.bool_],
) -> None:
    state[i, j] |= _LINKED
    row_taken[i] = True
    column_taken[j] = True


@njit
def _has_neighbor(i: int, j: int, state: NDArray[np.uint8]) -> bool:
    # The point itself is not linked, so it may be looked at along with its neighbors.
    for x in range(i - 1, i + 2):
        for y in range(j - 1, j + 2):
            if state[x, y] & _LINKED:
                return True
    return False
