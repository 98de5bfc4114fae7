"""Counts of links by pairs of types: a small hash table, the *row*, for each generated type.

A row holds the conditioning types that tokens of its generated type link to, each with the counts of four
samplers. All look-ups for a token are in one row, which is only a few cache lines except for the most
frequent types. The slots of a row form buckets of sixteen, which one vector instruction compares. A
conditioning type is put into the first free slot of its bucket, or of the next bucket that has one. When it
loses its last link, its slot becomes free for other types.

A count has 16 bits. If these may not suffice, for types with tens of thousands of tokens, it has 16 more:
such a row has twice as many slots, and the upper halves of its counts are in the second half, whose keys are
unused.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seggrid.align.gibbs._vectors import LANES, WIDTH, equal, prefetch, trailing_zeros
from seggrid.base.arrays import Int32, Int64
from seggrid.base.compiled import int64, njit, uint64

LEAST = 4
"""Slots of the shortest row."""

MOST_OF_HALF = (1 << 16) - 1
"""The highest count that 16 bits hold."""

FREE, FREED = -1, -2
"""Keys of slots without a type: never used, and no longer used. A look-up ends at a slot never used."""

U = uint64

HASH_BITS = 24
_GOLDEN, _HIGHEST = np.uint64(0x9E3779B97F4A7C15), np.uint64(64 - HASH_BITS)

_CLASSES = 4
"""Number of row sizes from one power of two up to the next. With more, rows are fuller; with fewer, other
rows can reuse a freed block more often."""


class Rows(NamedTuple):
    """The rows of W generated types, in arrays of S slots.

    Attributes:
        halves: number of 16-bit halves of each count in a row, 1 or 2, uint8, shape (W,).
        first, size: the first slot of each row and its number of slots, 0 or from `_size_for`, int32, shape
            (W,). Slots for upper halves are not counted.
        used: number of slots that hold a type or held one, int32, shape (W,).
        key: conditioning type of each slot, or `FREE` or `FREED`, int32, shape (S + WIDTH,).
        links: number of links of each slot in each lane, uint16, shape (S x LANES,).
        end: the slot after all rows, int64, shape (1,).
        freed: for each size, the first slot of a freed block, which other rows may reuse, or -1, int64, shape
            (32 x _CLASSES,). The first key of a freed block is the first slot of the next one of this size.
    """

    halves: NDArray[np.uint8]
    first: Int32
    size: Int32
    used: Int32
    key: Int32
    links: NDArray[np.uint16]
    end: Int64
    freed: Int64


def empty_rows(most: Int64, slots: int = 0) -> Rows:
    """Empty rows, and arrays of a given number of slots.

    Args:
        most: upper bound of the counts in each row, shape (W,).
        slots: number of slots.
    """
    # NumPy allocates large arrays in large pages, which speed up random look-ups.
    key = _of_lines(np.full(slots + 2 * WIDTH, FREE, dtype=np.int32))
    halves = np.where(most > MOST_OF_HALF, 2, 1).astype(np.uint8)
    first, size, used = (np.zeros(len(most), dtype=np.int32) for _ in range(3))
    links = np.zeros(slots * LANES, dtype=np.uint16)
    end, freed = np.zeros(1, dtype=np.int64), np.full(32 * _CLASSES, -1, dtype=np.int64)
    return Rows(halves, first, size, used, key, links, end, freed)


def _of_lines(every: Int32) -> Int32:
    """The part of an array that begins at a cache line, so that each bucket is one cache line."""
    begin = -(every.ctypes.data // every.itemsize) % WIDTH
    return every[begin : begin + len(every) - WIDTH]


def rebuilt(rows: Rows, spare: int) -> Rows:
    """The same counts in rows that are as short as possible. The given rows become invalid: their memory is
    reused.

    Args:
        spare: number of slots to leave free after all rows, in addition to a quarter of their slots or, if
            that is less, `MOST_SPARE`.
    """
    # Each row moves forward to the end of those that have been moved.
    _move(rows, np.argsort(rows.first, kind="stable"))
    end = int(rows.end[0])
    return _with_room(rows, end + min(end // 4, MOST_SPARE) + spare)


MOST_SPARE = 1 << 22
"""The most slots that are kept free for growing rows: 50 MB. With ten million sentence pairs, a quarter of
all slots would be several times as much, and rebuilding takes only seconds."""


IN_PLACE = 1 << 22
"""Arrays with at least this many elements are resized in place, where they keep their large pages."""


def _with_room(rows: Rows, slots: int) -> Rows:
    """The same rows in arrays with another number of slots. The given rows become invalid."""
    end = int(rows.end[0])
    if slots * LANES < IN_PLACE or len(rows.links) < IN_PLACE:
        fresh = empty_rows(np.zeros(0, dtype=np.int64), slots)
        fresh.key[:end], fresh.links[: end * LANES] = rows.key[:end], rows.links[: end * LANES]
        return rows._replace(key=fresh.key, links=fresh.links)
    links, every = rows.links, rows.key.base
    assert every is not None
    begin = (rows.key.ctypes.data - every.ctypes.data) // every.itemsize
    # No other references to these arrays are in use.
    links.resize(slots * LANES, refcheck=False)
    every.resize(slots + 2 * WIDTH, refcheck=False)
    key = _of_lines(every)
    if every[begin:].ctypes.data != key.ctypes.data:
        key[:end] = every[begin : begin + end].copy()
    key[end:] = FREE
    return rows._replace(key=key, links=links)


@njit
def _move(rows: Rows, order: Int64) -> None:
    """Make each row as short as possible, and move it to the end of the row before.

    Args:
        order: the rows, sorted by first slot.
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
        # Neither the first slot nor the size grows, so this overwrites no row that has not been moved yet.
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
    rows.freed[:] = -1


@njit
def _clear(rows: Rows, begin: int, end: int) -> None:
    rows.key[begin:end] = FREE
    rows.links[begin * LANES : end * LANES] = 0


@njit
def _linked(rows: Rows, generated: int) -> int:
    """The number of types that a row holds."""
    linked = 0
    for slot in range(rows.first[generated], rows.first[generated] + rows.size[generated]):
        linked += int64(rows.key[slot] >= 0)
    return linked


@njit
def _size_for(linked: int) -> int:
    """The number of slots of a row for a number of types: 4 or 8, or a number of buckets of 16. Up to 8, any
    number of buckets is possible; above, `_CLASSES` numbers from one power of two up to the next."""
    size = LEAST
    while linked > _most(size):
        size += max(min(size, WIDTH), _step(size))
    return size


@njit(forceinline=True)
def _step(size: int) -> int:
    """The highest power of two in a size, divided by `_CLASSES`. Sizes of long rows differ by it."""
    return int64((int64(1) << _logarithm(size)) // _CLASSES)


@njit
def _copy_row(rows: Rows, first: int, size: int, generated: int) -> None:
    """Copy the types and counts of a row from its old slots, `first : first + size`, into its new ones."""
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
    """The number of links of a slot in a lane."""
    at, beyond = slot * LANES + lane, upper_at(rows.halves, rows.size, generated)
    return int64(rows.links[U(at)]) | (int64(rows.links[U(at + beyond)]) << 16 if beyond else 0)


@njit(forceinline=True)
def upper_at(halves: NDArray[np.uint8], size: Int32, generated: int) -> int:
    """The distance in `Rows.links` from the lower to the upper half of a row's counts; 0 if there are no
    upper ones."""
    return (int64(halves[U(generated)]) - 1) * int64(size[U(generated)]) * LANES


@njit(forceinline=True)
def change(links: NDArray[np.uint16], at: int, beyond: int, by: int) -> None:
    """Add to a count.

    Args:
        at: index of its lower half in `links`.
        beyond: distance to its upper half; 0 if there is none, since then the carry is always 0.
        by: what to add.
    """
    # There is no branch, so that numba does not count references to the array.
    found = int64(links[U(at)]) + by
    links[U(at)] = found & MOST_OF_HALF
    links[U(at + beyond)] += found >> 16


@njit(forceinline=True)
def _most(size: int) -> int:
    """The most types that a row may hold, such that most buckets have a free slot."""
    # With 11 of 16, 100,001 sentence pairs needed a third more slots and as much time.
    return size if size <= WIDTH else size * 13 // 16


@njit(forceinline=True)
def _aligned(slot: int, size: int) -> int:
    """The first slot, at or after `slot`, where a row of this size may begin."""
    step = min(size, WIDTH)
    return (slot + step - 1) // step * step if step else slot


@njit(forceinline=True)
def hash_of(given: int) -> int:
    """The hash of a conditioning type, `HASH_BITS` bits."""
    return int64((uint64(given) * _GOLDEN) >> _HIGHEST)


@njit(forceinline=True)
def bucket_of(hashed: int, buckets: int) -> int:
    """The bucket in which a type with this hash is looked up first."""
    return (hashed * buckets) >> HASH_BITS


@njit(forceinline=True)
def bucket_after(bucket: int, buckets: int) -> int:
    """The bucket in which a type is looked up next."""
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
    """The slot of a conditioning type in a row; adds the type if it is missing. There must be `room`."""
    slot = slot_of(rows, given, generated)
    if slot >= 0:
        return int64(slot)
    before, size = int64(rows.first[generated]), int64(rows.size[generated])
    if rows.used[generated] >= _most(size):
        # Leave room for half as many types again, since more will follow.
        wider = _size_for(_linked(rows, generated) * 3 // 2 + 1)
        halves = int64(rows.halves[generated])
        rows.first[generated], rows.size[generated] = _block(rows, wider * halves), wider
        rows.used[generated] = 0
        _copy_row(rows, before, size, generated)
        if size:
            size_class = _size_class(size * halves)
            rows.key[before] = rows.freed[size_class]
            rows.freed[size_class] = before
    return int64(_put(rows, given, generated))


@njit
def _block(rows: Rows, size: int) -> int:
    """The first slot of a free block of this size: one that a row has freed, or a new one after all rows."""
    size_class = _size_class(size)
    first: int = int64(rows.freed[size_class])
    if first < 0:
        first = _aligned(rows.end[0], size)
        rows.end[0] = first + size
        return first
    rows.freed[size_class] = rows.key[first]
    _clear(rows, first, first + size)
    return first


@njit(forceinline=True)
def _size_class(size: int) -> int:
    """The index of a size in `Rows.freed`."""
    return int64(_logarithm(size) * _CLASSES + (size // _step(size)) % _CLASSES)


@njit(forceinline=True)
def _logarithm(size: int) -> int:
    """The binary logarithm of a number, rounded down."""
    logarithm = int64(0)
    while size >> (logarithm + 1):
        logarithm += 1
    return logarithm


@njit
def _put(rows: Rows, given: int, generated: int) -> int:
    """Put a conditioning type that is not in a row into a free slot of it."""
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
def free_unlinked(rows: Rows, slot: int, beyond: int) -> bool:
    """Free a slot if its type has no more links; return whether it did so.

    Args:
        beyond: distance to the upper halves of the row's counts; see `change`.
    """
    at, links = slot * LANES, rows.links
    lower = links[U(at)] | links[U(at + 1)] | links[U(at + 2)] | links[U(at + 3)]
    at += beyond
    if lower | links[U(at)] | links[U(at + 1)] | links[U(at + 2)] | links[U(at + 3)]:
        return False
    rows.key[U(slot)] = FREED
    return True


@njit
def room(rows: Rows, generated: NDArray[np.integer], begin: int, end: int) -> bool:
    """Whether there is room for new links of tokens `begin:end` in all lanes."""
    more, needed = (end - begin) * LANES, int64(0)
    for token in range(begin, end):
        f = int64(generated[U(token)])
        size = int64(rows.size[U(f)])
        # The row is needed soon.
        prefetch(rows.key, int64(rows.first[U(f)]))
        if rows.used[U(f)] + more > _most(size):
            # The row may move several times.
            needed += 4 * (size + more) * int64(rows.halves[U(f)]) + WIDTH
    return bool(rows.end[0] + needed <= len(rows.key) - WIDTH)


@njit
def spare_for(rows: Rows, generated: NDArray[np.integer], begin: int, end: int) -> int:
    """A number of free slots that is enough for `room` with the same arguments."""
    needed = int64(0)
    for token in range(begin, end):
        slots = 2 * int64(rows.size[generated[token]]) + (end - begin) * LANES
        needed += 4 * slots * int64(rows.halves[generated[token]]) + WIDTH
    return needed


@njit
def add_prior_links(begin: int, given: Int64, generated: Int64, counts: Int64, rows: Rows) -> int:
    """Add the links of cells, from `begin` on, to the counts of the lanes, until there is no room.

    Args:
        given, generated: conditioning and generated type of each cell, shape (cells,).
        counts: number of links of each cell in each lane, shape (cells, LANES).

    Returns:
        The first cell that has not been added, or the number of cells.
    """
    for k in range(begin, len(counts)):
        if not room(rows, generated, k, k + 1):
            return k
        # A type without links in any lane must not take a slot.
        if not counts[k].any():
            continue
        slot = add(rows, given[k], generated[k])
        beyond = upper_at(rows.halves, rows.size, generated[k])
        for lane in range(LANES):
            change(rows.links, slot * LANES + lane, beyond, counts[k, lane])
    return len(counts)
