"""The compiled part of applying merges.

Merges are found through a trie of their parts: from a node, the next symbol leads to the next node. A
symbol is its own node at the root, so that the trie is one hash table from (node, symbol) to node.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit, uint64
from numpy.typing import NDArray

NONE = np.iinfo(np.int32).max
"""The rank of no merge: behind all others."""
_UNKNOWN = -1
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


class Trie(NamedTuple):
    """Merges by their parts."""

    keys: NDArray[np.uint64]  # open addressing: 1 + node * 2^32 + symbol, 0 where free
    children: NDArray[np.int32]  # the node that a key leads to
    rank: NDArray[np.int32]  # of each node, the merge that ends there, or NONE
    inner: NDArray[np.bool_]  # of each node, whether it leads on
    product: NDArray[np.int32]  # of each merge, the symbol that it makes
    parts: NDArray[np.int64]  # of each merge, how many symbols it joins
    longest: int  # the most parts of a merge


@njit(cache=True, nogil=True)
def build_trie(parts, offsets, products, n_symbols):
    """The trie of some merges; of two with the same parts the first counts.

    Args:
        parts: symbols of the merges' parts, int32, shape (P,).
        offsets: where each merge's parts begin, int64, shape (M + 1,).
        products: the symbol that each makes, int32, shape (M,).
        n_symbols: how many symbols there are.
    """
    size = 16
    while size < 4 * len(parts):
        size *= 2
    keys = np.zeros(size, dtype=np.uint64)
    children = np.zeros(size, dtype=np.int32)
    rank = np.full(n_symbols + len(parts), NONE, dtype=np.int32)
    inner = np.zeros(n_symbols + len(parts), dtype=np.bool_)
    nodes = n_symbols
    longest = 2
    for merge in range(len(offsets) - 1):
        node = parts[offsets[merge]]
        for k in range(offsets[merge] + 1, offsets[merge + 1]):
            inner[node] = True
            slot = _slot(keys, node, parts[k])
            if keys[slot] == 0:
                keys[slot] = _key(node, parts[k])
                children[slot] = nodes
                nodes += 1
            node = children[slot]
        rank[node] = min(rank[node], merge)
        longest = max(longest, offsets[merge + 1] - offsets[merge])
    return Trie(
        keys,
        children,
        rank[:nodes].copy(),
        inner[:nodes].copy(),
        products,
        np.diff(offsets),
        longest,
    )


@njit(cache=True, nogil=True)
def segment_units(symbols, offsets, trie, removed_by):
    """Apply merges to units, each by itself, without dropout.

    Args:
        symbols: the units' initial symbols, int32, shape (C,).
        offsets: where each unit begins, int64, shape (U + 1,).
        trie: the merges.
        removed_by: of shape (C,) to get the merge that removed the boundary before each symbol, -1
            where it stays; of shape (0,) if nobody asks.

    Returns:
        The tokens of all units, int32, shape (T,), and where each unit's begin, int64, (U + 1,).
    """
    tokens = np.empty(len(symbols), dtype=np.int32)
    token_offsets = np.zeros(len(offsets), dtype=np.int64)
    longest = np.diff(offsets).max() if len(offsets) > 1 else 0
    token, start, rank, kept = _buffers(longest)
    end = 0
    for unit in range(len(offsets) - 1):
        first = offsets[unit]
        n = offsets[unit + 1] - first
        for i in range(n):
            token[i] = symbols[first + i]
            start[i] = i
            rank[i] = _UNKNOWN
        n = _segment(token, start, rank, kept, n, trie, uint64(0), 0.0, removed_by[first:])
        tokens[end : end + n] = token[:n]
        end += n
        token_offsets[unit + 1] = end
    return tokens[:end].copy(), token_offsets


@njit(cache=True, nogil=True)
def segment_occurrences(symbols, offsets, units, bounds, trie, seed, rate):
    """Apply merges with dropout to each occurrence of units in a corpus.

    Args:
        symbols, offsets, trie: as for `segment_units`.
        units: the units of the corpus in order, int32, shape (N,).
        bounds: where each sentence's units begin, int64, shape (S + 1,).
        seed: of the sample, uint64.
        rate: the probability to drop a possible merge in a step.

    Returns:
        The tokens, int32, shape (T,), and how many each occurrence has, int32, shape (N,).
    """
    room = 0
    for unit in units:
        room += offsets[unit + 1] - offsets[unit]
    tokens = np.empty(room, dtype=np.int32)
    counts = np.empty(len(units), dtype=np.int32)
    ranks = _initial_ranks(symbols, offsets, trie)
    longest = np.diff(offsets).max() if len(offsets) > 1 else 0
    token, start, rank, kept = _buffers(longest)
    nowhere = np.empty(0, dtype=np.int32)
    end = 0
    for sentence in range(len(bounds) - 1):
        sentence_key = _mix(uint64(seed) + _GOLDEN * uint64(sentence + 1))
        for position in range(bounds[sentence], bounds[sentence + 1]):
            word = position - bounds[sentence]
            key = _mix(sentence_key + _GOLDEN * uint64(word + 1))
            first = offsets[units[position]]
            n = offsets[units[position] + 1] - first
            for i in range(n):
                token[i] = symbols[first + i]
                start[i] = i
                rank[i] = ranks[first + i]
            n = _segment(token, start, rank, kept, n, trie, key, rate, nowhere)
            tokens[end : end + n] = token[:n]
            end += n
            counts[position] = n
    return tokens[:end].copy(), counts


@njit(cache=True, nogil=True)
def uniforms(seed, n):
    """Numbers in [0, 1), float64, shape (n,), from a seed, uint64."""
    drawn = np.empty(n, dtype=np.float64)
    for i in range(n):
        drawn[i] = _uniform(_mix(uint64(seed)), 0, i, 0)
    return drawn


@njit(cache=True, nogil=True)
def number_types(tokens, n_symbols):
    """Number tokens by first appearance.

    Returns:
        The new numbers, int32, shape (T,), and the symbol that each stands for, int32, shape (V,).
    """
    number = np.full(n_symbols, -1, dtype=np.int32)
    types = np.empty(n_symbols, dtype=np.int32)
    ids = np.empty(len(tokens), dtype=np.int32)
    found = 0
    for i in range(len(tokens)):
        symbol = tokens[i]
        if number[symbol] < 0:
            number[symbol] = found
            types[found] = symbol
            found += 1
        ids[i] = number[symbol]
    return ids, types[:found].copy()


@njit(cache=True, nogil=True)
def _buffers(length):
    return (
        np.empty(length, dtype=np.int32),
        np.empty(length, dtype=np.int32),
        np.empty(length, dtype=np.int32),
        np.empty(length, dtype=np.int32),
    )


@njit(cache=True, nogil=True)
def _initial_ranks(symbols, offsets, trie):
    """The rank of the best merge that begins at each initial symbol of each unit."""
    ranks = np.empty(len(symbols), dtype=np.int32)
    for unit in range(len(offsets) - 1):
        first, n = offsets[unit], offsets[unit + 1] - offsets[unit]
        for i in range(n):
            ranks[first + i] = _best_merge(symbols[first:], i, n, trie)
    return ranks


@njit(cache=True, nogil=True)
def _segment(token, start, rank, kept, n, trie, key, rate, removed_by):
    """Merge the symbols of one unit, in place.

    Args:
        token: the unit's symbols in its first n elements, which become its tokens.
        start: the initial symbol with which each begins.
        rank: the best merge that begins at each, or _UNKNOWN.
        kept: room to work, like the other three.
        key, rate: of dropout; a rate of 0 is none.
        removed_by: see `segment_units`.

    Returns:
        How many tokens there are.
    """
    step = 0
    while True:
        best = NONE
        at = 0
        for i in range(n):
            if rank[i] == _UNKNOWN:
                rank[i] = _best_merge(token, i, n, trie)
            kept[i] = rank[i]
            if rate > 0.0 and kept[i] != NONE:
                kept[i] = _best_kept_merge(token, i, n, trie, key, step, start[i], rate)
            if kept[i] < best:
                best = kept[i]
                at = i
        if best == NONE:
            return n
        step += 1
        parts = trie.parts[best]
        i = at
        while i < n:
            # An occurrence that overlaps the last one is behind i, and passed over.
            if kept[i] == best:
                token[at] = trie.product[best]
                start[at] = start[i]
                if len(removed_by):
                    for k in range(i + 1, i + parts):
                        removed_by[start[k]] = best
                for k in range(max(at - trie.longest + 1, 0), at + 1):
                    rank[k] = _UNKNOWN
                i += parts
            else:
                token[at], start[at], rank[at] = token[i], start[i], rank[i]
                i += 1
            at += 1
        n = at


@njit(cache=True, nogil=True)
def _best_merge(token, i, n, trie):
    """The rank of the best merge that begins at token i of n."""
    best = NONE
    node = token[i]
    for k in range(i + 1, n):
        if not trie.inner[node]:
            break
        node = _child(trie, node, token[k])
        if node < 0:
            break
        best = min(best, trie.rank[node])
    return best


@njit(cache=True, nogil=True)
def _best_kept_merge(token, i, n, trie, key, step, position, rate):
    """The same among the merges that dropout keeps in a step."""
    best = NONE
    node = token[i]
    for k in range(i + 1, n):
        if not trie.inner[node]:
            break
        node = _child(trie, node, token[k])
        if node < 0:
            break
        rank = trie.rank[node]
        if rank < best and _uniform(key, step, position, k - i) >= rate:
            best = rank
    return best


@njit(cache=True, nogil=True)
def _uniform(key, step, position, parts):
    """A number in [0, 1) for a possible merge: where it begins, of how many parts, in which step."""
    counter = (uint64(step) << uint64(36)) + (uint64(position) << uint64(8)) + uint64(parts)
    return float(_mix(key + _GOLDEN * counter) >> uint64(11)) * 2.0**-53


@njit(cache=True, nogil=True)
def _mix(x):
    """The output function of splitmix64 (Steele, Lea and Flood 2014, figure 15)."""
    x = (x ^ (x >> uint64(30))) * uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> uint64(27))) * uint64(0x94D049BB133111EB)
    return x ^ (x >> uint64(31))


@njit(cache=True, nogil=True)
def _key(node, symbol):
    return (uint64(node) << uint64(32)) + uint64(symbol) + uint64(1)


@njit(cache=True, nogil=True)
def _slot(keys, node, symbol):
    """Where the key of (node, symbol) is in the table, or would be."""
    key = _key(node, symbol)
    mask = len(keys) - 1
    slot = (key * _GOLDEN) >> uint64(32)
    slot = int(slot) & mask
    while keys[slot] != 0 and keys[slot] != key:
        slot = (slot + 1) & mask
    return slot


@njit(cache=True, nogil=True)
def _child(trie, node, symbol):
    """The node that a symbol leads to from a node, or -1."""
    slot = _slot(trie.keys, node, symbol)
    return trie.children[slot] if trie.keys[slot] else -1
