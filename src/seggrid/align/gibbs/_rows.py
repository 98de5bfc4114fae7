"""Counts of links by pairs of types: a small hash table, the *row*, for each generated type.

A row holds the conditioning types that the type's tokens link to, each with the counts of four samplers.
A token's look-ups are all in one row: a few cache lines, as rows of all but the most frequent types are
short. Its slots are in buckets of sixteen, which one vector instruction compares; a type is put into the
first free slot of its bucket, or of the next that has one. When it loses its last link, others may have its
slot.

Counts have 16 bits. Where they may not suffice, for types with tens of thousands of tokens, each has 16 more:
such a row has twice the slots, and the upper halves of its counts are in those behind, whose keys are unused.
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

MOST_OF_HALF = (1 << 16) - 1
"""The highest count that 16 bits hold."""

FREE, LEFT = -1, -2
"""Keys of slots without a type: never used, and no longer used. A look-up ends at the former."""

U = uint64

HASH_BITS = 24
_GOLDEN, _HIGHEST = np.uint64(0x9E3779B97F4A7C15), np.uint64(64 - HASH_BITS)

_CLASSES = 4
"""Sizes of rows from a power of two up to the next: with more of them rows are fuller, with fewer a block
that a row has left suits others more often."""


class Rows(NamedTuple):
    """Rows of W generated types in an arena of S slots.

    Attributes:
        halves: how many numbers each count of a row has: 1, or 2 with its upper half, uint8, shape (W,).
        first, size: the first slot of each row and how many it has, 0 or as `_size_for` says, int32, shape
            (W,). Those of the upper halves are not counted.
        used: how many of them hold a type, or held one, int32, shape (W,).
        key: conditioning type of each slot, or `FREE` or `LEFT`, int32, shape (S + WIDTH,).
        links: of each slot in each lane, uint16, shape (S x LANES,).
        end: the slot behind all rows, int64, shape (1,).
        left: the first of the blocks of each size that rows have left, which others may have, or -1, int64,
            shape (32 x _CLASSES,). Each block's first key is the first slot of the next block of its size.
    """

    halves: NDArray[np.uint8]
    first: Int32
    size: Int32
    used: Int32
    key: Int32
    links: NDArray[np.uint16]
    end: Int64
    left: Int64


def empty_rows(most: Int64, slots: int = 0) -> Rows:
    """Rows without slots in an arena of a given size.

    Args:
        most: what counts of each row cannot exceed, shape (W,).
    """
    # NumPy asks for large pages, which random look-ups need.
    key = _of_lines(np.full(slots + 2 * WIDTH, FREE, dtype=np.int32))
    halves = np.where(most > MOST_OF_HALF, 2, 1).astype(np.uint8)
    first, size, used = (np.zeros(len(most), dtype=np.int32) for _ in range(3))
    links = np.zeros(slots * LANES, dtype=np.uint16)
    end, left = np.zeros(1, dtype=np.int64), np.full(32 * _CLASSES, -1, dtype=np.int64)
    return Rows(halves, first, size, used, key, links, end, left)


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
"""Slots that are held for rows that grow, at most: 50 MB. With ten million sentence pairs a quarter is
several times as much, and rows are rebuilt within seconds."""


IN_PLACE = 1 << 22
"""Elements of an array from which on it is made longer or shorter where it is: there it keeps its large
pages."""


def _with_room(rows: Rows, slots: int) -> Rows:
    """The same rows in an arena of another size, of which the given ones are no more."""
    end = int(rows.end[0])
    if slots * LANES < IN_PLACE or len(rows.links) < IN_PLACE:
        fresh = empty_rows(np.zeros(0, dtype=np.int64), slots)
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
    keys, counts = np.empty(longest, dtype=np.int32), np.empty(longest * LANES, dtype=np.int64)
    end, before = int64(0), rows.end[0]
    for f in order:
        first, size, linked = int64(rows.first[f]), int64(rows.size[f]), 0
        for slot in range(first, first + size):
            if rows.key[slot] >= 0:
                keys[linked] = rows.key[slot]
                for lane in range(LANES):
                    counts[linked * LANES + lane] = count(rows, slot, f, lane)
                linked += 1
        size = _size_for(linked) if linked else 0
        # Neither first slot nor size are larger than before, so no row is reached that has not moved.
        slots = size * int64(rows.halves[f])
        first = _aligned(end, slots)
        end = first + slots
        _clear(rows, first, end)
        rows.first[f], rows.size[f], rows.used[f] = first, size, 0
        beyond = upper_at(rows.halves, rows.size, f)
        for k in range(linked):
            slot = _put(rows, int64(keys[k]), f)
            for lane in range(LANES):
                change(rows.links, slot * LANES + lane, beyond, counts[k * LANES + lane])
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
    """The slots of a row that holds so many types: 4, 8 or 16, or buckets whose number is 1 to 8, or one of
    `_CLASSES` between powers of two."""
    size = LEAST
    while linked > _most(size):
        size += max(min(size, WIDTH), _step(size))
    return size


@njit(forceinline=True)
def _step(size: int) -> int:
    """The share of the highest power of two in a number by which sizes differ."""
    return int64((int64(1) << _logarithm(size)) // _CLASSES)


@njit
def _copy_row(rows: Rows, first: int, size: int, generated: int) -> None:
    """Put the types of a row that was in some slots, with their counts, into its new slots."""
    beyond = int64(rows.size[generated])
    for slot in range(first, first + size):
        if rows.key[slot] >= 0:
            to = _put(rows, int64(rows.key[slot]), generated)
            for half in range(int64(rows.halves[generated])):
                begin, old = (to + half * beyond) * LANES, (slot + half * size) * LANES
                for lane in range(LANES):
                    rows.links[begin + lane] = rows.links[old + lane]


@njit(forceinline=True)
def count(rows: Rows, slot: int, generated: int, lane: int) -> int:
    """The links of a slot of a row in a lane."""
    at, beyond = slot * LANES + lane, upper_at(rows.halves, rows.size, generated)
    return int64(rows.links[U(at)]) | (int64(rows.links[U(at + beyond)]) << 16 if beyond else 0)


@njit(forceinline=True)
def upper_at(halves: NDArray[np.uint8], size: Int32, generated: int) -> int:
    """How far behind the lower halves of a row's counts their upper ones are; 0 if it has none."""
    return (int64(halves[U(generated)]) - 1) * int64(size[U(generated)]) * LANES


@njit(forceinline=True)
def change(links: NDArray[np.uint16], at: int, beyond: int, by: int) -> None:
    """Add to a count.

    Args:
        at: of its lower half in `links`.
        beyond: how far behind the upper half is, 0 if there is none: then the carry is always 0.
    """
    # Without a branch, numba leaves out the counting of references to the array.
    found = int64(links[U(at)]) + by
    links[U(at)] = found & MOST_OF_HALF
    links[U(at + beyond)] += found >> 16


@njit(forceinline=True)
def _most(size: int) -> int:
    """How many types a row may hold: more buckets are to have a free slot than not."""
    # With 11 of 16, 100,001 pairs had a third more slots, and took as long.
    return size if size <= WIDTH else size * 13 // 16


@njit(forceinline=True)
def _aligned(slot: int, size: int) -> int:
    """The first slot from this one on where a row of that size may begin."""
    step = min(size, WIDTH)
    return (slot + step - 1) // step * step if step else slot


@njit(forceinline=True)
def hash_of(given: int) -> int:
    """`HASH_BITS` bits of a conditioning type, which say in which bucket it is looked for first."""
    return int64((uint64(given) * _GOLDEN) >> _HIGHEST)


@njit(forceinline=True)
def bucket_of(hashed: int, buckets: int) -> int:
    """The bucket in which a type with a hash is looked for first."""
    return (hashed * buckets) >> HASH_BITS


@njit(forceinline=True)
def bucket_after(bucket: int, buckets: int) -> int:
    """The bucket in which a type is looked for next."""
    return (bucket + 1) * int64(bucket + 1 < buckets)


@njit(forceinline=True)
def slot_of(rows: Rows, given: int, generated: int) -> int:
    """The slot of a conditioning type in a row, or -1."""
    first, size = int64(rows.first[U(generated)]), int64(rows.size[U(generated)])
    buckets = max(size // WIDTH, 1)
    bucket = bucket_of(hash_of(given), buckets)
    while True:
        slot = first + bucket * WIDTH
        hits = equal(rows.key, slot, given)
        if buckets == 1:
            hits &= (int64(1) << min(size, WIDTH)) - 1
        if hits != 0:
            return int64(slot + trailing_zeros(hits))
        if buckets == 1 or rows.key[U(slot + WIDTH - 1)] == FREE:
            return int64(-1)
        bucket = bucket_after(bucket, buckets)


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
        halves = int64(rows.halves[generated])
        rows.first[generated], rows.size[generated] = _block(rows, wider * halves), wider
        rows.used[generated] = 0
        _copy_row(rows, before, size, generated)
        if size:
            kind = _kind(size * halves)
            rows.key[before] = rows.left[kind]
            rows.left[kind] = before
    return int64(_put(rows, given, generated))


@njit
def _block(rows: Rows, size: int) -> int:
    """The first of so many free slots: of those that a row has left, or behind all rows."""
    kind = _kind(size)
    first: int = int64(rows.left[kind])
    if first < 0:
        first = _aligned(rows.end[0], size)
        rows.end[0] = first + size
        return first
    rows.left[kind] = rows.key[first]
    _clear(rows, first, first + size)
    return first


@njit(forceinline=True)
def _kind(size: int) -> int:
    """The number of a size among all sizes."""
    return int64(_logarithm(size) * _CLASSES + (size // _step(size)) % _CLASSES)


@njit(forceinline=True)
def _logarithm(size: int) -> int:
    """Of the highest power of two in a number."""
    logarithm = int64(0)
    while size >> (logarithm + 1):
        logarithm += 1
    return logarithm


@njit
def _put(rows: Rows, given: int, generated: int) -> int:
    """Put a conditioning type that a row does not have into a free slot of it."""
    first, size = int64(rows.first[generated]), int64(rows.size[generated])
    buckets = max(size // WIDTH, 1)
    bucket = bucket_of(hash_of(given), buckets)
    while True:
        for slot in range(first + bucket * WIDTH, first + bucket * WIDTH + min(size, WIDTH)):
            if rows.key[slot] < 0:
                rows.used[generated] += rows.key[slot] == FREE
                rows.key[slot] = given
                return int64(slot)
        bucket = bucket_after(bucket, buckets)


@njit(forceinline=True)
def leave(rows: Rows, slot: int, beyond: int) -> bool:
    """Free a slot whose type has no more links; whether it is so.

    Args:
        beyond: of its row; see `change`.
    """
    at, links = slot * LANES, rows.links
    lower = links[U(at)] | links[U(at + 1)] | links[U(at + 2)] | links[U(at + 3)]
    at += beyond
    if lower | links[U(at)] | links[U(at + 1)] | links[U(at + 2)] | links[U(at + 3)]:
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
            needed += 4 * (size + more) * int64(rows.halves[U(f)]) + WIDTH
    return bool(rows.end[0] + needed <= len(rows.key) - WIDTH)


@njit
def spare_for(rows: Rows, generated: NDArray[np.integer], begin: int, end: int) -> int:
    """More slots than `room` asks for."""
    needed = int64(0)
    for token in range(begin, end):
        slots = 2 * int64(rows.size[generated[token]]) + (end - begin) * LANES
        needed += 4 * slots * int64(rows.halves[generated[token]]) + WIDTH
    return needed


@njit
def add_prior_links(begin: int, given: Int64, generated: Int64, counts: Int64, rows: Rows) -> int:
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
        beyond = upper_at(rows.halves, rows.size, generated[k])
        for lane in range(LANES):
            change(rows.links, slot * LANES + lane, beyond, counts[k, lane])
    return len(counts)
