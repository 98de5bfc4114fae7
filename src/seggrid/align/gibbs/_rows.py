"""Counts of links by pairs of types: a small hash table, the *row*, for each generated type.

A row holds the conditioning types that the type's tokens link to, each with the counts of four samplers.
A token's look-ups are all in one row: a few cache lines, as rows of all but the most frequent types are
short. Its slots are in buckets of sixteen, which one vector instruction compares; a type is put into the
first free slot of its bucket, or of the next that has one. When it loses its last link, others may have its
slot.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seggrid.align.gibbs._vectors import LANES, WIDTH, equal, prefetch, trailing_zeros
from seggrid.align.pairs import Int32, Int64
from seggrid.base.compiled import int64, njit, uint64

LEAST = 4
"""Slots of the shortest row."""

FREE, LEFT = -1, -2
"""Keys of slots without a type: never used, and no longer used. A look-up ends at the former."""

U = uint64

_GOLDEN, _40 = np.uint64(0x9E3779B97F4A7C15), np.uint64(40)


class Rows(NamedTuple):
    """Rows of W generated types in an arena of S slots.

    Attributes:
        first, size: the first slot of each row and how many it has, 0 or a power of two, int32, shape (W,).
        used: how many of them hold a type, or held one, int32, shape (W,).
        key: conditioning type of each slot, or `FREE` or `LEFT`, int32, shape (S + WIDTH,).
        links: of each slot in each lane, int32, shape (S x LANES,).
        end: the slot behind all rows, int64, shape (1,).
        left: the first of the blocks of 1, 2, 4, ... slots that rows have left, which others may have, or -1,
            int64, shape (32,). Each block's first key is the first slot of the next block of its size.
    """

    first: Int32
    size: Int32
    used: Int32
    key: Int32
    links: Int32
    end: Int64
    left: Int64


def empty_rows(types: int, slots: int) -> Rows:
    """Rows without slots in an arena of a given size."""
    # NumPy asks for large pages, which random look-ups need.
    key = _of_lines(np.full(slots + 2 * WIDTH, FREE, dtype=np.int32))
    first, size, used = (np.zeros(types, dtype=np.int32) for _ in range(3))
    links = np.zeros(slots * LANES, dtype=np.int32)
    end, left = np.zeros(1, dtype=np.int64), np.full(32, -1, dtype=np.int64)
    return Rows(first, size, used, key, links, end, left)


def _of_lines(every: Int32) -> Int32:
    """The part of an array in which buckets are cache lines."""
    begin = -(every.ctypes.data // every.itemsize) % WIDTH
    return every[begin : begin + len(every) - WIDTH]


def rebuilt(rows: Rows, spare: int) -> Rows:
    """The same counts in rows that are as short as may be, in the memory of those given, which are no more.

    Args:
        spare: slots that are to remain behind all rows, besides a quarter of theirs, or `MOST_SPARE`.
    """
    # Each row moves towards the front, behind all that have moved.
    _move(rows, np.argsort(rows.first, kind="stable"))
    end = int(rows.end[0])
    return _with_room(rows, end + min(end // 4, MOST_SPARE) + spare)


MOST_SPARE = 1 << 22
"""Slots that are held for rows that grow, at most: 84 MB. With ten million sentence pairs a quarter is
several times as much, and rows are rebuilt within seconds."""


IN_PLACE = 1 << 22
"""Elements of an array from which on it is made longer or shorter where it is: there it keeps its large
pages."""


def _with_room(rows: Rows, slots: int) -> Rows:
    """The same rows in an arena of another size, of which the given ones are no more."""
    end = int(rows.end[0])
    if slots * LANES < IN_PLACE or len(rows.links) < IN_PLACE:
        fresh = empty_rows(0, slots)
        fresh.key[:end], fresh.links[: end * LANES] = rows.key[:end], rows.links[: end * LANES]
        return rows._replace(key=fresh.key, links=fresh.links)
    links, every = rows.links, rows.key.base
    assert every is not None
    begin = (rows.key.ctypes.data - every.ctypes.data) // every.itemsize
    # Nobody else has these arrays.
    links.resize(slots * LANES, refcheck=False)
    every.resize(slots + 2 * WIDTH, refcheck=False)
    key = _of_lines(every)
    if every[begin:].ctypes.data != key.ctypes.data:
        key[:end] = every[begin : begin + end].copy()
    key[end:] = FREE
    return rows._replace(key=key, links=links)


@njit
def _move(rows: Rows, order: Int64) -> None:
    """Make rows as short as may be, and move each to behind those before it.

    Args:
        order: the rows by their first slots.
    """
    longest = rows.size.max() if len(order) else 0
    keys, counts = np.empty(longest, dtype=np.int32), np.empty(longest * LANES, dtype=np.int32)
    end, before = int64(0), rows.end[0]
    for f in order:
        first, size, linked = int64(rows.first[f]), int64(rows.size[f]), 0
        for slot in range(first, first + size):
            if rows.key[slot] >= 0:
                keys[linked] = rows.key[slot]
                for lane in range(LANES):
                    counts[linked * LANES + lane] = rows.links[slot * LANES + lane]
                linked += 1
        size = _size_for(linked) if linked else 0
        # Neither first slot nor size are larger than before, so no row is reached that has not moved.
        first = _aligned(end, size)
        end = first + size
        _clear(rows, first, end)
        rows.first[f], rows.size[f], rows.used[f] = first, size, 0
        for k in range(linked):
            slot = _put(rows, int64(keys[k]), f)
            for lane in range(LANES):
                rows.links[slot * LANES + lane] = counts[k * LANES + lane]
    _clear(rows, end, before)
    rows.end[0] = end
    rows.left[:] = -1


@njit
def _clear(rows: Rows, begin: int, end: int) -> None:
    rows.key[begin:end] = FREE
    rows.links[begin * LANES : end * LANES] = 0


@njit
def _linked(rows: Rows, generated: int) -> int:
    """How many types a row holds."""
    linked = 0
    for slot in range(rows.first[generated], rows.first[generated] + rows.size[generated]):
        linked += int64(rows.key[slot] >= 0)
    return linked


@njit
def _size_for(linked: int) -> int:
    """The slots of a row that holds so many types."""
    size = LEAST
    while linked > _most(size):
        size *= 2
    return size


@njit
def _copy_row(rows: Rows, first: int, size: int, generated: int) -> None:
    """Put the types of some slots, with their counts, into an empty row."""
    for slot in range(first, first + size):
        if rows.key[slot] >= 0:
            to = _put(rows, int64(rows.key[slot]), generated)
            for lane in range(LANES):
                rows.links[to * LANES + lane] = rows.links[slot * LANES + lane]


@njit(forceinline=True)
def _most(size: int) -> int:
    """How many types a row may hold: buckets are to have a free slot more often than not."""
    return size if size <= WIDTH else size * 11 // 16


@njit(forceinline=True)
def _aligned(slot: int, size: int) -> int:
    """The first slot from this one on where a row of that size may begin."""
    step = min(size, WIDTH)
    return (slot + step - 1) // step * step if step else slot


@njit(forceinline=True)
def hash_of(given: int) -> int:
    """Of a conditioning type; its lowest bits say which bucket it is looked for in first."""
    return int64((uint64(given) * _GOLDEN) >> _40)


@njit(forceinline=True)
def slot_of(rows: Rows, given: int, generated: int) -> int:
    """The slot of a conditioning type in a row, or -1."""
    first, size = int64(rows.first[U(generated)]), int64(rows.size[U(generated)])
    mask = max(size // WIDTH - 1, 0)
    bucket = hash_of(given) & mask
    while True:
        slot = first + bucket * WIDTH
        hits = equal(rows.key, slot, given)
        if mask == 0:
            hits &= (int64(1) << min(size, WIDTH)) - 1
        if hits != 0:
            return int64(slot + trailing_zeros(hits))
        if mask == 0 or rows.key[U(slot + WIDTH - 1)] == FREE:
            return int64(-1)
        bucket = (bucket + 1) & mask


@njit
def add(rows: Rows, given: int, generated: int) -> int:
    """The slot of a conditioning type in a row, to which it is added if need be; see `room`."""
    slot = slot_of(rows, given, generated)
    if slot >= 0:
        return int64(slot)
    before, size = int64(rows.first[generated]), int64(rows.size[generated])
    if rows.used[generated] >= _most(size):
        # Half as many again, for others will follow.
        wider = _size_for(_linked(rows, generated) * 3 // 2 + 1)
        rows.first[generated], rows.size[generated] = _block(rows, wider), wider
        rows.used[generated] = 0
        _copy_row(rows, before, size, generated)
        if size:
            kind = _logarithm(size)
            rows.key[before] = rows.left[kind]
            rows.left[kind] = before
    return int64(_put(rows, given, generated))


@njit
def _block(rows: Rows, size: int) -> int:
    """The first of so many free slots: of those that a row has left, or behind all rows."""
    kind = _logarithm(size)
    first: int = int64(rows.left[kind])
    if first < 0:
        first = _aligned(rows.end[0], size)
        rows.end[0] = first + size
        return first
    rows.left[kind] = rows.key[first]
    _clear(rows, first, first + size)
    return first


@njit(forceinline=True)
def _logarithm(size: int) -> int:
    logarithm: int = trailing_zeros(int64(size))
    return logarithm


@njit
def _put(rows: Rows, given: int, generated: int) -> int:
    """Put a conditioning type that a row does not have into a free slot of it."""
    first, size = int64(rows.first[generated]), int64(rows.size[generated])
    mask = max(size // WIDTH - 1, 0)
    bucket = hash_of(given) & mask
    while True:
        for slot in range(first + bucket * WIDTH, first + bucket * WIDTH + min(size, WIDTH)):
            if rows.key[slot] < 0:
                rows.used[generated] += rows.key[slot] == FREE
                rows.key[slot] = given
                return int64(slot)
        bucket = (bucket + 1) & mask


@njit(forceinline=True)
def leave(rows: Rows, slot: int) -> bool:
    """Free a slot whose type has no more links; whether it is so."""
    at = slot * LANES
    if rows.links[U(at)] | rows.links[U(at + 1)] | rows.links[U(at + 2)] | rows.links[U(at + 3)]:
        return False
    rows.key[U(slot)] = LEFT
    return True


@njit
def room(rows: Rows, generated: NDArray[np.integer], begin: int, end: int) -> bool:
    """Whether all lanes may link tokens `begin:end` anew."""
    more, needed = (end - begin) * LANES, int64(0)
    for token in range(begin, end):
        f = int64(generated[U(token)])
        size = int64(rows.size[U(f)])
        # The memory is slow, and the row is needed soon.
        prefetch(rows.key, int64(rows.first[U(f)]))
        if rows.used[U(f)] + more > _most(size):
            # It may move several times.
            needed += 4 * (size + more) + WIDTH
    return bool(rows.end[0] + needed <= len(rows.key) - WIDTH)


@njit
def spare_for(rows: Rows, generated: NDArray[np.integer], begin: int, end: int) -> int:
    """More slots than `room` asks for."""
    needed = int64(0)
    for token in range(begin, end):
        needed += 4 * (2 * int64(rows.size[generated[token]]) + (end - begin) * LANES) + WIDTH
    return needed


@njit
def add_known(begin: int, given: Int64, generated: Int64, counts: Int64, rows: Rows) -> int:
    """Add the links of some cells, by their types, to the counts of lanes, as far as there is room.

    Args:
        counts: of each cell and lane, shape (cells, LANES).
    """
    for k in range(begin, len(counts)):
        if not room(rows, generated, k, k + 1):
            return k
        # A slot that no lane has links in would be taken for a free one's.
        if not counts[k].any():
            continue
        slot = add(rows, given[k], generated[k])
        for lane in range(LANES):
            rows.links[slot * LANES + lane] += counts[k, lane]
    return len(counts)
