"""The compiled part of learning GreedTok: candidates, their occurrences, and a queue of them.

Each candidate is a node of the trie of all parts of words, whose nodes at depth 1 are the symbols; its
occurrences are a stretch of one array. The tokens of the text are stored as a flag for each symbol: whether
it begins a token.

A gain never rises: an occurrence that fits later also fits now, and covers at least as many tokens now. So a
heap ordered by outdated gains is exact: if the gain of the first candidate has not changed, no other
candidate has a larger one.
"""

from __future__ import annotations

import numpy as np
from numba import uint64
from numpy.typing import NDArray

from seggrid.base.compiled import njit
from seggrid.segment.bpe.learn_pairs import Array, grown

QUEUED = np.dtype([("key", np.int64), ("node", np.int64)], align=True)
_DEPTH = 20  # bits of a key that hold the number of symbols
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@njit
def learn_types(
    symbols: NDArray[np.int32],
    offsets: NDArray[np.int64],
    counts: NDArray[np.int64],
    order: NDArray[np.int32],
    size: int,
    longest: int,
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64]]:
    """Learn types, the largest gain first.

    Args:
        symbols: the initial symbols of distinct words, shape (C,).
        offsets: first symbol of each word, shape (W + 1,).
        counts: how often each word occurs, shape (W,).
        order: place of each symbol among all symbols by their texts, shape (A,).
        size: the largest number of types.
        longest: the most symbols of a type.

    Returns:
        The symbol with which an occurrence of each type begins, the type's number of symbols, and its gain,
        all of shape (M,).
    """
    weights = np.empty(len(symbols), dtype=np.int64)
    for word in range(len(counts)):
        weights[offsets[word] : offsets[word + 1]] = counts[word]
    ranks = order[symbols]
    places, bounds, depths = _candidates(symbols, offsets, len(order), longest)
    # One flag more than symbols: a word ends where the next symbol begins a token.
    begins = np.ones(len(symbols) + 1, dtype=np.bool_)
    gains = np.zeros(len(depths), dtype=np.int64)
    for node in range(len(depths)):
        for k in range(bounds[node], bounds[node + 1]):
            gains[node] += weights[places[k]] * (depths[node] - 1)
    # Most candidates are rare. They enter the queue only when no more frequent one is left in it.
    waiting = np.argsort(-gains)
    heap = np.empty(len(gains), dtype=QUEUED)
    found = np.empty(min(size, len(heap)), dtype=np.int64)
    n, queued, entered = 0, 0, 0
    while n < len(found):
        while entered < len(waiting) and (
            queued == 0 or gains[waiting[entered]] >= heap[0].key >> _DEPTH
        ):
            node = waiting[entered]
            entered += 1
            gains[node] = _gain(node, places, bounds, depths, begins, weights, False)
            if gains[node] > 0:
                heap[queued].key, heap[queued].node = _key(gains[node], depths[node]), node
                _rise(heap, queued, depths, places, bounds, ranks)
                queued += 1
        if queued == 0:
            break
        best = heap[0].node
        gain = _gain(best, places, bounds, depths, begins, weights, False)
        if gain == gains[best]:
            _gain(best, places, bounds, depths, begins, weights, True)
            found[n] = best
            n += 1
            gain = 0
        else:
            gains[best] = gain
        if gain == 0:
            queued -= 1
            heap[0] = heap[queued]
        else:
            heap[0].key = _key(gain, depths[best])
        _sink(heap, queued, depths, places, bounds, ranks)
    found = found[:n]
    return places[bounds[found]], depths[found], gains[found]


@njit
def _gain(
    node: int, places: Array, bounds: Array, depths: Array, begins: Array, weights: Array, lay: bool
) -> int:
    """The number of tokens that a candidate saves; if `lay`, its occurrences that fit become tokens."""
    gain = 0
    length = depths[node]
    free = 0  # the first symbol that is not yet covered
    for k in range(bounds[node], bounds[node + 1]):
        i = places[k]
        if i >= free and begins[i] and begins[i + length]:
            saved = 0
            for j in range(i + 1, i + length):
                saved += begins[j]
                if lay:
                    begins[j] = False
            gain += weights[i] * saved
            free = i + length
    return gain


@njit
def _candidates(
    symbols: Array, offsets: Array, n_symbols: int, longest: int
) -> tuple[Array, Array, Array]:
    """All parts of words of 2 to `longest` symbols.

    Returns:
        The symbol with which each occurrence begins, those of a candidate together and ascending; the first
        occurrence of each candidate, shape (N + 1,); the number of symbols of each, shape (N,).
    """
    total = 0
    for word in range(len(offsets) - 1):
        for i in range(offsets[word], offsets[word + 1]):
            total += min(offsets[word + 1] - i, longest) - 1
    nodes = np.empty(total, dtype=np.int32)
    depths = np.empty(1024, dtype=np.int32)
    keys, values = np.zeros(2048, dtype=np.uint64), np.empty(2048, dtype=np.int32)
    n, at = 0, 0
    for word in range(len(offsets) - 1):
        stop = offsets[word + 1]
        for i in range(offsets[word], stop):
            # In keys, symbols have the smallest numbers, and the nodes follow.
            parent = symbols[i]
            for k in range(i + 1, min(stop, i + longest)):
                key = (uint64(parent) << uint64(32)) + uint64(symbols[k]) + uint64(1)
                slot = _find(keys, key)
                if keys[slot] == 0:
                    keys[slot], values[slot] = key, n
                    depths[n] = k + 1 - i
                    n += 1
                    if n == len(depths):
                        depths = grown(depths, n, 2 * n)
                        keys, values = _rehashed(keys, values)
                        slot = _find(keys, key)
                nodes[at] = values[slot]
                parent = np.int32(n_symbols + values[slot])
                at += 1
    bounds = np.zeros(n + 1, dtype=np.int64)
    for node in nodes:
        bounds[node + 1] += 1
    bounds = np.cumsum(bounds)
    filled = bounds[:-1].copy()
    places = np.empty(total, dtype=np.int32)
    at = 0
    for word in range(len(offsets) - 1):
        for i in range(offsets[word], offsets[word + 1]):
            for _ in range(i + 1, min(offsets[word + 1], i + longest)):
                places[filled[nodes[at]]] = i
                filled[nodes[at]] += 1
                at += 1
    return places, bounds, depths[:n].copy()


@njit
def _find(keys: Array, key: int) -> int:
    """The slot of a key in the table, or the free slot where it would be put."""
    mask = len(keys) - 1
    slot = int((key * _GOLDEN) >> uint64(32)) & mask
    while keys[slot] != 0 and keys[slot] != key:
        slot = (slot + 1) & mask
    return slot


@njit
def _rehashed(keys: Array, values: Array) -> tuple[Array, Array]:
    """The same table with twice the room."""
    new_keys = np.zeros(2 * len(keys), dtype=np.uint64)
    new_values = np.empty(2 * len(keys), dtype=np.int32)
    for old in range(len(keys)):
        if keys[old] != 0:
            slot = _find(new_keys, keys[old])
            new_keys[slot], new_values[slot] = keys[old], values[old]
    return new_keys, new_values


@njit
def _key(gain: int, depth: int) -> int:
    """A number by which candidates are ordered, largest first: by gain, then fewer symbols."""
    return (gain << _DEPTH) - depth + (1 << _DEPTH) - 1


@njit
def _rise(
    heap: Array, slot: int, depths: Array, places: Array, bounds: Array, ranks: Array
) -> None:
    key, node = heap[slot].key, heap[slot].node
    parent = (slot - 1) // 2
    while slot > 0 and _precedes(
        key, node, heap[parent].key, heap[parent].node, depths, places, bounds, ranks
    ):
        heap[slot] = heap[parent]
        slot, parent = parent, (parent - 1) // 2
    heap[slot].key, heap[slot].node = key, node


@njit
def _sink(
    heap: Array, queued: int, depths: Array, places: Array, bounds: Array, ranks: Array
) -> None:
    """Move the first candidate down the heap to its place."""
    key, node = heap[0].key, heap[0].node
    slot = 0
    while 2 * slot + 1 < queued:
        child = 2 * slot + 1
        if child + 1 < queued and _precedes(
            heap[child + 1].key, heap[child + 1].node, heap[child].key, heap[child].node,
            depths, places, bounds, ranks,
        ):  # fmt: skip
            child += 1
        if _precedes(key, node, heap[child].key, heap[child].node, depths, places, bounds, ranks):
            break
        heap[slot] = heap[child]
        slot = child
    heap[slot].key, heap[slot].node = key, node


@njit
def _precedes(
    key: int, node: int, other_key: int, other: int, depths: Array, places: Array, bounds: Array,
    ranks: Array,
) -> bool:  # fmt: skip
    """Whether a candidate comes before another: by key, then the larger text."""
    if key != other_key:
        return bool(key > other_key)
    i, j = places[bounds[node]], places[bounds[other]]
    for k in range(depths[node]):
        if ranks[i + k] != ranks[j + k]:
            return bool(ranks[i + k] > ranks[j + k])
    return True
