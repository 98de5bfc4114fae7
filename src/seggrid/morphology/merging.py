"""Apply merges to words and remember, for each boundary, which merge deleted it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from seggrid.arrays import offsets_of

_EMPTY = -1
# 2^64 divided by the golden ratio, odd: the multiplier of Fibonacci hashing, the step of splitmix64.
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True)
class MergeTable:
    """A merge list over numbered types, ready to be applied.

    Attributes:
        types: the alphabet, then the product of each merge in order of priority, shape (V,).
        alphabet: how many of them are the alphabet.
        parts: the parts of all merges, flat, int32, shape (P,).
        offsets: where each merge's parts begin, int64, shape (M + 1,).
        products: the type that each merge forms, int32, shape (M,).
        candidates: merges ordered by their first two parts, then by priority, int32, shape (M,).
        keys, values: a hash table from the first two parts to the first such candidate.
    """

    types: list[str]
    alphabet: int
    parts: NDArray[np.int32]
    offsets: NDArray[np.int64]
    products: NDArray[np.int32]
    candidates: NDArray[np.int32]
    keys: NDArray[np.int64]
    values: NDArray[np.int32]

    def symbol_counts(self) -> NDArray[np.int64]:
        """Symbols of the alphabet in each type, shape (V,)."""
        counts = np.ones(len(self.types), dtype=np.int64)
        # Products are longer than their parts, whatever the order of the merges.
        for merge in np.argsort([len(self.types[p]) for p in self.products], kind="stable"):
            begin, end = self.offsets[merge], self.offsets[merge + 1]
            counts[self.products[merge]] = counts[self.parts[begin:end]].sum()
        return counts

    @classmethod
    def of(cls, merges: Sequence[tuple[str, ...]], alphabet: Iterable[str]) -> MergeTable:
        """Compile a merge list. Parts that nothing forms join the alphabet."""
        products = ["".join(merge) for merge in merges]
        formed = set(products)
        index = {symbol: i for i, symbol in enumerate(dict.fromkeys(alphabet))}
        for merge in merges:
            for part in merge:
                if part not in index and part not in formed:
                    index[part] = len(index)
        size = len(index)
        for product in products:
            index.setdefault(product, len(index))
        parts = np.array([index[part] for merge in merges for part in merge], dtype=np.int32)
        offsets = offsets_of(list(map(len, merges)))
        first_two = _pair_keys(parts[offsets[:-1]], parts[offsets[:-1] + 1])
        candidates = np.argsort(first_two, kind="stable").astype(np.int32)
        keys, values = _hash_table(first_two[candidates])
        return cls(
            list(index),
            size,
            parts,
            offsets,
            np.array([index[product] for product in products], dtype=np.int32),
            candidates,
            keys,
            values,
        )


@njit(cache=True, nogil=True)
def _pair_keys(left: NDArray[np.int32], right: NDArray[np.int32]) -> NDArray[np.int64]:
    return (left.astype(np.int64) << 32) | right.astype(np.int64)


@njit(cache=True, nogil=True)
def _slot(key: np.int64, size: int) -> int:
    """Where the search for a key begins in a table whose size is a power of two."""
    return np.int64((np.uint64(key) * _GOLDEN) >> np.uint64(32)) & (size - 1)


@njit(cache=True, nogil=True)
def _hash_table(ordered: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """A table with open addressing from each distinct key to its first position in `ordered`."""
    size = 16
    while size < 2 * len(ordered):
        size *= 2
    keys = np.full(size, _EMPTY, dtype=np.int64)
    values = np.zeros(size, dtype=np.int32)
    for position in range(len(ordered)):
        key = ordered[position]
        if position and key == ordered[position - 1]:
            continue
        slot = _slot(key, size)
        while keys[slot] != _EMPTY:
            slot = (slot + 1) & (size - 1)
        keys[slot] = key
        values[slot] = position
    return keys, values


def apply_merges(
    table: MergeTable,
    ids: NDArray[np.int32],
    offsets: NDArray[np.int64],
    dropout: float = 0.0,
    seed: int = 0,
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Segment units by byte-tuple encoding (BPE-knockout, section 3.2).

    In each unit the applicable merge of highest priority is applied, the leftmost occurrence first,
    until none is left. With dropout (Provilkov et al. 2020) the occurrence whose turn it is may be
    set aside instead. As in HuggingFace tokenizers, whose figures the paper gives, what was set
    aside waits again once a later turn is not, even that of an occurrence which no longer stands.

    Args:
        table: the merges.
        ids: initial types of all units, shape (S,).
        offsets: where each unit begins, shape (U + 1,).
        dropout: 0 to below 1 (at 1 nothing merges).
        seed: of the draws; those of a unit depend on the seed and on where the unit begins.

    Returns:
        merged_by: for each initial symbol, the merge that deleted the boundary before it, or -1 if
            a token begins there, shape (S,);
        tokens: where a token begins, its type, elsewhere -1, shape (S,).
    """
    longest = int(np.diff(table.offsets).max(initial=2))
    merges = (
        table.parts,
        table.offsets,
        table.products,
        table.candidates,
        table.keys,
        table.values,
        longest,
    )
    if dropout:
        return _apply_with_dropout(ids, offsets, merges, dropout, np.uint64(seed))
    return _apply(ids, offsets, merges)


@njit(cache=True, nogil=True)
def _best_at(position, length, unit, merges):  # noqa: ANN001, ANN202
    """The merge of highest priority that applies at a position of a unit, or the number of merges."""
    parts, part_offsets, _, candidates, keys, values, _ = merges
    none = len(candidates)
    if position + 1 >= length:
        return none
    key = (np.int64(unit[position]) << 32) | np.int64(unit[position + 1])
    slot = _slot(key, len(keys))
    while keys[slot] != key:
        if keys[slot] == _EMPTY:
            return none
        slot = (slot + 1) & (len(keys) - 1)
    for c in range(values[slot], none):
        merge = candidates[c]
        begin, end = part_offsets[merge], part_offsets[merge + 1]
        if parts[begin] != unit[position] or parts[begin + 1] != unit[position + 1]:
            return none
        if position + end - begin <= length:
            k = 2
            while begin + k < end and parts[begin + k] == unit[position + k]:
                k += 1
            if begin + k == end:
                return merge
    return none


@njit(cache=True, nogil=True)
def _join(at, merge, length, unit, begins, best, merged_by, merges):  # noqa: ANN001, ANN202
    """Apply a merge at a position of a unit and return the unit's new length."""
    _, part_offsets, products, _, _, _, longest = merges
    joined = part_offsets[merge + 1] - part_offsets[merge]
    for i in range(at + 1, at + joined):
        merged_by[begins[i]] = merge
    unit[at] = products[merge]
    length -= joined - 1
    for i in range(at + 1, length):
        unit[i] = unit[i + joined - 1]
        begins[i] = begins[i + joined - 1]
        best[i] = best[i + joined - 1]
    # Only a merge whose parts reach the new token can have changed.
    for i in range(max(0, at - longest + 1), at + 1):
        best[i] = _best_at(i, length, unit, merges)
    return length


@njit(cache=True, nogil=True)
def _widest(offsets: NDArray[np.int64]) -> int:
    widest = 0
    for u in range(len(offsets) - 1):
        widest = max(widest, offsets[u + 1] - offsets[u])
    return widest


@njit(cache=True, nogil=True)
def _apply(ids, offsets, merges):  # noqa: ANN001, ANN202
    merged_by = np.full(len(ids), -1, dtype=np.int32)
    tokens = np.full(len(ids), -1, dtype=np.int32)
    widest = _widest(offsets)
    unit = np.empty(widest, dtype=np.int32)
    begins = np.empty(widest, dtype=np.int64)
    best = np.empty(widest, dtype=np.int32)
    none = len(merges[3])
    for u in range(len(offsets) - 1):
        length = offsets[u + 1] - offsets[u]
        for i in range(length):
            unit[i] = ids[offsets[u] + i]
            begins[i] = offsets[u] + i
        for i in range(length):
            best[i] = _best_at(i, length, unit, merges)
        while True:
            at, merge = -1, none
            for i in range(length):
                if best[i] < merge:
                    at, merge = i, best[i]
            if at < 0:
                break
            length = _join(at, merge, length, unit, begins, best, merged_by, merges)
        for i in range(length):
            tokens[begins[i]] = unit[i]
    return merged_by, tokens


@njit(cache=True, nogil=True)
def _mix(state: np.uint64) -> np.uint64:
    """The output function of splitmix64 (Steele et al. 2014)."""
    state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return state ^ (state >> np.uint64(31))


_WAITING, _ASIDE, _DONE = range(3)


@njit(cache=True, nogil=True)
def _apply_with_dropout(ids, offsets, merges, dropout, seed):  # noqa: ANN001, ANN202
    merged_by = np.full(len(ids), -1, dtype=np.int32)
    tokens = np.full(len(ids), -1, dtype=np.int32)
    longest = merges[6]
    none = len(merges[3])
    widest = _widest(offsets)
    unit = np.empty(widest, dtype=np.int32)
    begins = np.empty(widest, dtype=np.int64)
    best = np.empty(widest, dtype=np.int32)
    # Turns: one for each position at first, and at most `longest` more after each merge.
    turn_merge = np.empty(widest * (longest + 1), dtype=np.int32)
    turn_begin = np.empty(widest * (longest + 1), dtype=np.int64)
    turn_state = np.empty(widest * (longest + 1), dtype=np.int8)
    known = np.empty(longest, dtype=np.int32)
    for u in range(len(offsets) - 1):
        first = offsets[u]
        length = offsets[u + 1] - first
        random = _mix(seed + _GOLDEN * np.uint64(first + 1))
        turns = 0
        for i in range(length):
            unit[i] = ids[first + i]
            begins[i] = first + i
        for i in range(length):
            best[i] = _best_at(i, length, unit, merges)
            if best[i] < none:
                turn_merge[turns], turn_begin[turns] = best[i], begins[i]
                turn_state[turns] = _WAITING
                turns += 1
        while True:
            turn = -1
            for t in range(turns):
                if turn_state[t] == _WAITING and (
                    turn < 0
                    or turn_merge[t] < turn_merge[turn]
                    or (turn_merge[t] == turn_merge[turn] and turn_begin[t] < turn_begin[turn])
                ):
                    turn = t
            if turn < 0:
                break
            random += _GOLDEN
            if np.float64(_mix(random) >> np.uint64(11)) * 2.0**-53 < dropout:
                turn_state[turn] = _ASIDE
                continue
            turn_state[turn] = _DONE
            for t in range(turns):
                if turn_state[t] == _ASIDE:
                    turn_state[t] = _WAITING
            at = 0
            while at < length and begins[at] < turn_begin[turn]:
                at += 1
            if at == length or begins[at] > turn_begin[turn] or best[at] != turn_merge[turn]:
                continue
            reach = max(0, at - longest + 1)
            for i in range(reach, at):
                known[i - reach] = best[i]
            length = _join(at, best[at], length, unit, begins, best, merged_by, merges)
            for i in range(reach, at + 1):
                if best[i] < none and (i == at or best[i] != known[i - reach]):
                    turn_merge[turns], turn_begin[turns] = best[i], begins[i]
                    turn_state[turns] = _WAITING
                    turns += 1
        for i in range(length):
            tokens[begins[i]] = unit[i]
    return merged_by, tokens
