"""The compiled part of applying merges, which are found through a trie of their parts."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from seggrid.base.compiled import njit, uint64
from seggrid.base.random_bits import random_bits
from seggrid.segment.trie import NONE, Trie, longest_unit, slot_of

Array = NDArray[Any]  # of records or of numbers

_UNKNOWN = -1


@njit
def segment_units(
    symbols: NDArray[np.int32],
    offsets: NDArray[np.int64],
    trie: Trie,
    removed_by: NDArray[np.int32],
) -> tuple[Array, Array]:
    """The tokens of all units, and the number of tokens of each, without dropout; see
    `segment_occurrences`."""
    units = np.arange(len(offsets) - 1).astype(np.int32)
    bounds = np.array([0, len(units)])
    found: tuple[Array, Array] = segment_occurrences(
        symbols, offsets, units, bounds, trie, uint64(0), False, removed_by
    )
    return found


@njit
def segment_occurrences(
    symbols: NDArray[np.int32],
    offsets: NDArray[np.int64],
    units: NDArray[np.int32],
    bounds: NDArray[np.int64],
    trie: Trie,
    seed: int,
    dropping: bool,
    removed_by: NDArray[np.int32],
) -> tuple[Array, Array]:
    """Apply merges to each occurrence of units in a corpus, whose `units` are given in order, shape (N,), and
    the first unit of each sentence in `bounds`; the initial symbols of units, shape (C,), and the first
    symbol of each. Returns the tokens, shape (T,), and the number of tokens of each occurrence, shape (N,).

    If each unit occurs once, the merge that removed the boundary before each symbol is written to
    `removed_by`, shape (C,) or, if it is not asked for, (0,); elements of boundaries that remain are not
    changed.
    """
    room = 0
    for unit in units:
        room += offsets[unit + 1] - offsets[unit]
    tokens = np.empty(room, dtype=np.int32)
    counts = np.empty(len(units), dtype=np.int32)
    longest = longest_unit(offsets)
    token, rank = np.empty(longest, dtype=np.int32), np.empty(longest, dtype=np.int32)
    start, kept = np.empty(longest, dtype=np.int32), np.empty(longest, dtype=np.int32)
    ranks = _initial_ranks(symbols, offsets, trie.table)
    end = 0
    for sentence in range(len(bounds) - 1):
        sentence_key = random_bits(uint64(seed), uint64(sentence + 1))
        for position in range(bounds[sentence], bounds[sentence + 1]):
            word = position - bounds[sentence]
            key = random_bits(sentence_key, uint64(word + 1))
            first = offsets[units[position]]
            n = offsets[units[position] + 1] - first
            for i in range(n):
                token[i] = symbols[first + i]
                rank[i] = ranks[first + i]
                start[i] = i
            n = _segment(token, rank, start, kept, n, trie, key, dropping, removed_by[first:])
            for i in range(n):
                tokens[end + i] = token[i]
            end += n
            counts[position] = n
    return tokens[:end].copy(), counts


@njit
def uniforms(seed: int, n: int) -> NDArray[np.float64]:
    """Draw numbers in [0, 1), shape (n,), from a seed, uint64."""
    drawn = np.empty(n, dtype=np.float64)
    for i in range(n):
        drawn[i] = uniform(random_bits(uint64(seed), uint64(0)), 0, i, 0)
    return drawn


@njit
def _initial_ranks(symbols: Array, offsets: Array, table: Array) -> Array:
    """The rank of the best merge that begins at each initial symbol of each unit."""
    ranks = np.empty(len(symbols), dtype=np.int32)
    for unit in range(len(offsets) - 1):
        for i in range(offsets[unit], offsets[unit + 1]):
            ranks[i] = best_merge(symbols, i, offsets[unit + 1], table)
    return ranks


@njit
def _segment(
    token: Array, rank: Array, start: Array, kept: Array, n: int, trie: Trie, key: int,
    dropping: bool, removed_by: Array,
) -> int:  # fmt: skip
    """Merge the first n symbols of `token`, those of one unit, which become its tokens; return their number.

    `rank` has the rank of the best merge that begins at each symbol, or _UNKNOWN, `start` the index of the
    initial symbol with which each symbol begins; `kept` is working memory for the best merge at each symbol
    that dropout keeps. With `dropping`, merges are dropped at their rates, by numbers drawn with `key`.
    """
    table, merges, longest = trie
    step = 0
    best = 0
    while best != NONE:
        best = NONE
        at = 0
        for i in range(n):
            if rank[i] == _UNKNOWN:
                rank[i] = best_merge(token, i, n, table)
            kept[i] = rank[i]
            if dropping and rank[i] != NONE:
                if longest > 2:  # several merges may begin here
                    kept[i] = _best_kept_merge(token, i, n, trie, key, step, start[i])
                elif uniform(key, step, start[i], 1) < merges[rank[i]].drop:
                    kept[i] = NONE
            if kept[i] < best:
                best = kept[i]
                at = i
        i = at if best != NONE else n
        while i < n:
            # Moving past the parts of a merged occurrence also skips occurrences that overlap it.
            if kept[i] == best:
                token[at] = merges[best].product
                start[at] = start[i]
                if len(removed_by):
                    for k in range(i + 1, i + merges[best].parts):
                        removed_by[start[k]] = best
                for k in range(max(at - longest + 1, 0), at + 1):
                    rank[k] = _UNKNOWN
                i += merges[best].parts
            else:
                token[at], rank[at], start[at] = token[i], rank[i], start[i]
                i += 1
            at += 1
        if best != NONE:
            n = at
        step += 1
    return n


@njit
def best_merge(token: Array, i: int, n: int, table: Array) -> int:
    """The rank of the best merge that begins at token i of n, or NONE."""
    best = NONE
    node = token[i]
    k = i + 1
    while k < n and node >= 0:
        slot = slot_of(table, node, token[k])
        best = min(best, table[slot].rank)
        node = table[slot].next
        k += 1
    return best


@njit
def _best_kept_merge(
    token: Array, i: int, n: int, trie: Trie, key: int, step: int, position: int
) -> int:
    """As `best_merge`, but only among the merges that dropout keeps in this step, each independently."""
    table, merges, _ = trie
    best = NONE
    node = token[i]
    k = i + 1
    while k < n and node >= 0:
        slot = slot_of(table, node, token[k])
        rank = table[slot].rank
        if rank < best and uniform(key, step, position, k - i) >= merges[rank].drop:
            best = rank
        node = table[slot].next
        k += 1
    return best


@njit
def uniform(key: int, step: int, position: int, parts: int) -> float:
    """The random number in [0, 1) that decides whether an applicable merge is dropped, by the step, where the
    merge starts and its number of parts."""
    counter = (uint64(step) << uint64(36)) + (uint64(position) << uint64(8)) + uint64(parts)
    return float(random_bits(key, counter) >> uint64(11)) * 2.0**-53
