"""Counts of links by pairs of types: a *row* for each generated type, with a slot for each conditioning type
that its tokens link to.

A row that most conditioning types would be in is an array: the slot of a type is its number. The others are
hash tables with linear probing. When a type loses its last link, its slot becomes free for other types.

Rows lie in one array, one after another. A row that grows is copied behind all others; `packed` moves all
rows together again.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seggrid.base.arrays import Int32, Int64, UInt64
from seggrid.base.compiled import int64, njit, uint64
from seggrid.base.random_bits import GOLDEN
from seggrid.base.vectors import KEYS, find_key, prefetch

LANES = 4
"""The samplers that go over a text together, and that each slot counts for."""

LEAST = 4
"""Slots of the shortest row."""

BUCKET = KEYS
"""Slots of a bucket. A shorter row is searched as a whole."""

DENSE, SPARSE = 16, 1 << 17
"""A row is an array unless that has more than `DENSE` times as many slots as the hash table or, with many
types, than `SPARSE` / types times, but at least 4 times. Arrays need no search, which took a third of the
time with BPE."""

FIRST, SIZE, USED, COMING = range(4)
"""Columns of `Rows.row`."""

FREE, FREED = 0, -1
"""Keys of slots without a type: never used, and no longer used. A look-up ends at a slot never used."""

MOST_SPARE = 1 << 20
"""The most slots kept free for growth, 13 or 21 MB."""

IN_PLACE = 1 << 20
"""Arrays with at least this many slots are resized in place, where they keep their large pages: NumPy
allocates large arrays in such pages, which speed up random look-ups, but does not ask for them when it
resizes an array."""

U = uint64
"""Marks an index as not negative, so that numba generates no code for indexing from the end."""

_32 = np.uint64(32)


class Rows(NamedTuple):
    """The rows of W generated types, in arrays of S slots.

    Attributes:
        types: number of conditioning types, and of slots of a row that is an array.
        wide: how many times as many slots as a hash table an array may have.
        row: of each row, its first slot (`FIRST`), its number of slots (`SIZE`), how many of them hold a type
            or held one (`USED`), and the new links that it may get (`COMING`), which is 0 but in
            `slots_for`; int32, shape (W, 4).
        key: conditioning type of each slot plus 1, or `FREE` or `FREED`, int32, shape (S + BUCKET,).
        links: number of links of each slot in each lane, uint64, shape (S x words,): a slot has one word with
            16 bits for each lane, or, where counts may be higher, two words with 32 bits.
        words: 1 or 2.
        end: the slot after all rows, int64, shape (1,).
    """

    types: int
    wide: int
    row: Int32
    key: Int32
    links: UInt64
    words: int
    end: Int64


def empty_rows(types: int, generated: int, most: int) -> Rows:
    """Rows without links, of which `packed` makes such with room.

    Args:
        types, generated: numbers of conditioning and of generated types.
        most: the highest number of links that a pair of types may get.
    """
    row = np.zeros((generated, 4), dtype=np.int32)
    key, links = np.zeros(BUCKET, dtype=np.int32), np.zeros(0, dtype=np.uint64)
    wide = max(4, min(DENSE, SPARSE // types))
    words = 1 if most < 1 << 16 else 2
    end = np.zeros(1, dtype=np.int64)
    return Rows(types, wide, row, key, links, words, end)


def packed(rows: Rows, spare: int, is_short: bool = False) -> Rows:
    """The same counts in rows one after another, with room for `spare` more slots and for as many again as
    there are or `MOST_SPARE`; `is_short`: rows keep no room to grow. The given rows become invalid: their
    memory is reused."""
    _pack(rows, np.argsort(rows.row[:, FIRST], kind="stable"), is_short)
    end = int(rows.end[0])
    slots = end + min(end, MOST_SPARE) + spare
    if len(rows.key) >= IN_PLACE:
        # New elements are 0. No other references to these arrays are in use.
        rows.key.resize(slots + BUCKET, refcheck=False)
        rows.links.resize(slots * rows.words, refcheck=False)
        return rows
    key, links = np.zeros(slots + BUCKET, np.int32), np.zeros(slots * rows.words, np.uint64)
    key[:end], links[: end * rows.words] = rows.key[:end], rows.links[: end * rows.words]
    return rows._replace(key=key, links=links)


@njit
def _pack(rows: Rows, order: Int64, is_short: bool) -> None:
    """Move each row to the end of the row before, and make it shorter: as short as possible, or with room for
    half as many types again; `order`: the rows, sorted by first slot."""
    key, links, words = rows.key, rows.links, rows.words
    longest = 0
    for f in order:
        longest = max(longest, int64(rows.row[f, SIZE]))
    keys, counts = np.empty(longest, dtype=np.int32), np.empty(longest * words, dtype=np.uint64)
    end, before = int64(0), rows.end[0]
    for f in order:
        first, linked = int64(rows.row[f, FIRST]), 0
        for slot in range(first, first + rows.row[f, SIZE]):
            if key[slot] > 0:
                keys[linked] = key[slot]
                for w in range(words):
                    counts[linked * words + w] = links[slot * words + w]
                linked += 1
        size = _size_for(linked if is_short or not linked else linked * 3 // 2 + 1, rows)
        # Neither the first slot nor the size grows, so this overwrites no row that has not been moved yet.
        rows.row[f, FIRST], rows.row[f, SIZE], rows.row[f, USED] = (
            end,
            min(size, rows.row[f, SIZE]),
            0,
        )
        behind = end + rows.row[f, SIZE]
        key[end:behind] = FREE
        links[end * words : behind * words] = 0
        for k in range(linked):
            slot = _put(rows, int64(keys[k]) - 1, f)
            for w in range(words):
                links[slot * words + w] = counts[k * words + w]
        end = behind
    key[end:before] = FREE
    links[end * words : before * words] = 0
    rows.end[0] = end


@njit(_nrt=False)
def _size_for(linked: int, rows: Rows) -> int:
    """The number of slots of a row for a number of types: 4, 8, or a number of buckets."""
    if not linked:
        return 0
    least = linked if linked <= BUCKET else (linked * 16 + 12) // 13
    step = LEAST if least <= BUCKET // 2 else BUCKET
    size = int64((least + step - 1) // step * step)
    return rows.types if size * rows.wide >= rows.types else size


@njit(_nrt=False, forceinline=True)
def _most(size: int) -> int:
    """The most types that a hash table may hold, such that most buckets have a free slot."""
    return size if size <= BUCKET else size * 13 // 16


@njit(_nrt=False, forceinline=True)
def slot_in(rows: Rows, first: int, size: int, conditioning: int) -> int:
    """The slot of a conditioning type in a row, or -1."""
    if size == rows.types:
        return first + conditioning
    at, wanted = _first_bucket(conditioning, size), np.int32(conditioning + 1)
    width = min(size, BUCKET)
    # What stands behind a short row is of other rows.
    found = find_key(rows.key, first + at, wanted)
    # A single branch, which is rarely taken: others would often be predicted wrongly.
    while (found >= width) & (size > BUCKET) & (rows.key[U(first + at + BUCKET - 1)] != FREE):
        at = at + BUCKET if at + BUCKET < size else int64(0)
        found = find_key(rows.key, first + at, wanted)
    return first + at + found if found < width else int64(-1)


@njit(_nrt=False, forceinline=True)
def _first_bucket(conditioning: int, size: int) -> int:
    """Where the bucket begins, in a row, in which a type is looked up first."""
    buckets = max(size // BUCKET, 1)
    return int64(((uint64(conditioning) * GOLDEN >> _32) * uint64(buckets)) >> _32) * BUCKET


@njit(_nrt=False, forceinline=True)
def change(rows: Rows, conditioning: int, generated: int, lane: int, by: int) -> None:
    """Add to the number of links of a pair of types in a lane. There must be room for the pair."""
    first, size = int64(rows.row[U(generated), FIRST]), int64(rows.row[U(generated), SIZE])
    slot = slot_in(rows, first, size, conditioning)
    if slot < 0:
        if size != rows.types and rows.row[U(generated), USED] >= _most(size):
            _widen(rows, first, size, generated)
        slot = _put(rows, conditioning, generated)
    elif size == rows.types:
        rows.key[U(slot)] = conditioning + 1
    word, shift, _ = field(rows, lane)
    rows.links[U(slot * rows.words + word)] += uint64(by) << shift
    if by < 0:
        left = rows.links[U(slot * rows.words)]
        if rows.words == 2:
            left |= rows.links[U(slot * rows.words + 1)]
        if left == 0:
            rows.key[U(slot)] = FREED


@njit(_nrt=False, forceinline=True)
def field(rows: Rows, lane: int) -> tuple[int, int, int]:
    """Where the count of a lane is in the words of a slot: the word, its lowest bit and its mask in it."""
    if rows.words == 1:
        return int64(0), uint64(16 * lane), uint64((1 << 16) - 1)
    return int64(lane // 2), uint64(32 * (lane % 2)), uint64((1 << 32) - 1)


@njit(_nrt=False)
def _widen(rows: Rows, first: int, size: int, generated: int) -> None:
    """Copy a row, from its slots `first : first + size`, behind all others, with room for half as many types
    again."""
    linked = 0
    for slot in range(first, first + size):
        linked += rows.key[slot] > 0
    wider = _size_for(linked * 3 // 2 + 1, rows)
    rows.row[generated, FIRST], rows.row[generated, SIZE], rows.row[generated, USED] = (
        rows.end[0],
        wider,
        0,
    )
    rows.end[0] += wider
    for slot in range(first, first + size):
        if rows.key[slot] > 0:
            to = _put(rows, int64(rows.key[slot]) - 1, generated)
            for w in range(rows.words):
                rows.links[to * rows.words + w] = rows.links[slot * rows.words + w]


@njit(_nrt=False)
def _put(rows: Rows, conditioning: int, generated: int) -> int:
    """Put a conditioning type that is not in a row into a free slot of it."""
    first, size = int64(rows.row[generated, FIRST]), int64(rows.row[generated, SIZE])
    at = int64(conditioning)
    if size != rows.types:
        at = _first_bucket(conditioning, size)
        while rows.key[first + at] > 0:
            at = at + 1 if at + 1 < size else int64(0)
    rows.row[generated, USED] += rows.key[first + at] == FREE
    rows.key[first + at] = conditioning + 1
    return first + at


@njit(_nrt=False, forceinline=True)
def slots_for(rows: Rows, generated: NDArray[np.integer], begin: int, end: int, full: bool) -> int:
    """An upper bound of the slots that new links of tokens `begin:end` in all lanes add behind the rows;
    `full`: also if the rows have no free slots."""
    needed = int64(0)
    for token in range(begin, end):
        rows.row[U(int64(generated[U(token)])), COMING] += LANES
    for token in range(begin, end):
        f = int64(generated[U(token)])
        size, more = int64(rows.row[U(f), SIZE]), int64(rows.row[U(f), COMING])
        rows.row[U(f), COMING] = 0
        # Most rows are short, and in no cache.
        slot = int64(rows.row[U(f), FIRST])
        prefetch(rows.key, slot)
        prefetch(rows.links, slot * rows.words)
        prefetch(rows.links, (slot + BUCKET // 2) * rows.words)
        # At another token of the type, nothing is left to come.
        if more and size != rows.types and (full or rows.row[U(f), USED] + more > _most(size)):
            # The row may move several times, the last time into an array.
            slots = 6 * (size + more) + BUCKET
            needed += slots + (int64(rows.types) if slots * rows.wide >= rows.types else 0)
    return needed


@njit(_nrt=False, forceinline=True)
def has_room(rows: Rows, generated: NDArray[np.integer], begin: int, end: int) -> bool:
    """Whether there is room for new links of tokens `begin:end` in all lanes."""
    needed = slots_for(rows, generated, begin, end, False)
    return bool(rows.end[0] + needed + BUCKET <= len(rows.key))


@njit
def add_links(begin: int, conditioning: Int64, generated: Int64, counts: Int64, rows: Rows) -> int:
    """Add the links of pairs of types, from number `begin` on, until there is no room.

    Args:
        conditioning, generated: the conditioning and the generated type of each pair, shape (pairs,).
        counts: number of links of each pair in each lane, shape (pairs, LANES).

    Returns:
        The first pair that has not been added, or the number of pairs.
    """
    for k in range(begin, len(counts)):
        if not has_room(rows, generated, k, k + 1):
            return k
        for lane in range(LANES):
            # A type without links in any lane must not take a slot.
            if counts[k, lane]:
                change(rows, conditioning[k], generated[k], lane, counts[k, lane])
    return len(counts)
