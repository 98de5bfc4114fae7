"""The compiled part of cutting units by a vocabulary; see `apply`.

A kernel returns, for each initial symbol of all units, the token that begins at it, or -1. Types are found
through the trie in which a BPE finds its merges: a type is a merge of its symbols.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from seggrid.base.compiled import njit
from seggrid.segment.vocabulary.trie import NONE, Array, Trie, longest_unit, slot_of


@njit
def cover_greedily(
    symbols: NDArray[np.int32], offsets: NDArray[np.int64], trie: Trie, from_end: bool
) -> NDArray[np.int32]:
    """Take the longest type each time, from the start of each unit or from its end.

    Args:
        symbols: the units' initial symbols, shape (C,).
        offsets: first symbol of each unit, shape (U + 1,).
        trie: the types; read from their last symbols if `from_end`.
        from_end: whether to begin at the end.
    """
    starts = np.full(len(symbols), -1, dtype=np.int32)
    step = -1 if from_end else 1
    for unit in range(len(offsets) - 1):
        i, stop = offsets[unit], offsets[unit + 1]
        if from_end:
            i, stop = stop - 1, i - 1
        while i != stop:
            length, token = 1, symbols[i]
            node, k, n = symbols[i], i + step, 2
            while k != stop and node >= 0:
                entry = trie.table[slot_of(trie.table, node, symbols[k])]
                if entry.rank != NONE:
                    length, token = n, trie.merges[entry.rank].product
                node = entry.next
                k += step
                n += 1
            starts[i - length + 1 if from_end else i] = token
            i += step * length
    return starts


@njit
def cover_least(
    symbols: NDArray[np.int32],
    offsets: NDArray[np.int64],
    trie: Trie,
    worth: NDArray[np.int64],
) -> NDArray[np.int32]:
    """Take the fewest tokens; then the greatest sum of `worth`; then the longest last token, last but one,
    ...

    Args:
        trie: the types, read from their last symbols.
        worth: the worth of each symbol and type, by its number; (0,) if all are equal.
    """
    starts = np.full(len(symbols), -1, dtype=np.int32)
    longest = longest_unit(offsets)
    count = np.zeros(longest + 1, dtype=np.int32)
    width, last = np.empty(longest + 1, dtype=np.int32), np.empty(longest + 1, dtype=np.int32)
    total = np.zeros(longest + 1, dtype=np.int64)
    weighs = len(worth) > 0
    for unit in range(len(offsets) - 1):
        first = offsets[unit]
        n = offsets[unit + 1] - first
        for end in range(1, n + 1):
            node = symbols[first + end - 1]
            count[end], width[end], last[end] = count[end - 1] + 1, 1, node
            if weighs:
                total[end] = total[end - 1] + worth[node]
            begin = end - 2
            while begin >= 0 and node >= 0:
                entry = trie.table[slot_of(trie.table, node, symbols[first + begin])]
                if entry.rank != NONE and count[begin] + 1 <= count[end]:
                    token = trie.merges[entry.rank].product
                    sum_ = total[begin] + (worth[token] if weighs else 0)
                    if count[begin] + 1 < count[end] or sum_ >= total[end]:
                        count[end], width[end], total[end] = count[begin] + 1, end - begin, sum_
                        last[end] = token
                node = entry.next
                begin -= 1
        end = n
        while end > 0:
            starts[first + end - width[end]] = last[end]
            end -= width[end]
    return starts


@njit
def cover_longest(
    symbols: NDArray[np.int32], offsets: NDArray[np.int64], trie: Trie
) -> NDArray[np.int32]:
    """Take the longest type anywhere, the leftmost of equally long ones; then the same on both sides of it.

    Occurrences of types are taken by length, then from left to right, if their place is still free. This
    gives the same as cutting both sides again, in the time that it takes to find the occurrences.
    """
    starts = symbols.copy()
    bounds = np.zeros(trie.longest + 1, dtype=np.int64)
    taken = np.zeros(len(symbols), dtype=np.bool_)
    places, types = np.empty(64, dtype=np.int64), np.empty(64, dtype=np.int32)
    for unit in range(len(offsets) - 1):
        first, stop = offsets[unit], offsets[unit + 1]
        bounds[:] = 0
        total = _occurrences(symbols, first, stop, trie, bounds, places, types, False)
        if total > len(places):
            places, types = np.empty(2 * total, dtype=np.int64), np.empty(2 * total, dtype=np.int32)
        above = 0
        for length in range(len(bounds) - 1, 1, -1):
            above, bounds[length] = above + bounds[length], above
        _occurrences(symbols, first, stop, trie, bounds, places, types, True)
        for k in range(total):
            i, end = places[k], places[k] + trie.merges[types[k]].parts
            # Occurrences already taken are at least as long: if one overlaps this one, it covers an end of
            # it.
            if not taken[i] and not taken[end - 1]:
                starts[i] = trie.merges[types[k]].product
                starts[i + 1 : end] = -1
                taken[i:end] = True
    return starts


@njit
def _occurrences(
    symbols: Array, first: int, stop: int, trie: Trie, bounds: Array, places: Array, types: Array,
    listing: bool,
) -> int:  # fmt: skip
    """Count the occurrences of types in a unit, by length, in `bounds`; or list them at the places it gives.

    Returns:
        Their number.
    """
    total = 0
    for i in range(first, stop):
        node, k = symbols[i], i + 1
        while k < stop and node >= 0:
            entry = trie.table[slot_of(trie.table, node, symbols[k])]
            if entry.rank != NONE:
                length = k + 1 - i
                if listing:
                    places[bounds[length]], types[bounds[length]] = i, entry.rank
                bounds[length] += 1
                total += 1
            node = entry.next
            k += 1
    return total
