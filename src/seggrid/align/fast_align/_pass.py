"""What a pass over the corpus reads, and how a pass gathers what it needs of one sentence pair.

In loops that are to be vectorized the indices are unsigned: a signed index could be negative and
count from the end, which would have to be tested.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from seggrid.align.fast_align._diagonal import Prior, Shapes
from seggrid.align.pairs import Float64, Int32, Int64, Pairs, UInt32
from seggrid.base.compiled import njit, uint64


class Tables(NamedTuple):
    """The translation tables of both directions.

    Attributes:
        weight: t(target | source) and t(source | target) of each cell, float64, shape (2, C); or,
            where all are the same, shape (2, 0).
        source_null, target_null: t(source | NULL) and t(target | NULL), float64, shapes (source
            types,), (target types,).
    """

    weight: Float64
    source_null: Float64
    target_null: Float64


class Pass(NamedTuple):
    """The corpus, and the parameters at the start of one pass over it."""

    pairs: Pairs
    shapes: Shapes
    prior: Prior
    tables: Tables


@njit
def extent(pairs: Pairs, s: int) -> tuple[int, int, int, int]:
    """First source and target token of sentence pair s, and how many it has of each."""
    a, b = uint64(pairs.source_offsets[s]), uint64(pairs.target_offsets[s])
    n = uint64(pairs.source_offsets[s + 1]) - a
    m = uint64(pairs.target_offsets[s + 1]) - b
    return a, b, n, m


@njit
def longest(begin: int, end: int, offsets: Int64) -> int:
    """The length of the longest of rows `begin:end`."""
    longest = 0
    for s in range(begin, end):
        longest = max(longest, offsets[s + 1] - offsets[s])
    return longest


@njit
def copy_slots(a: int, n: int, m: int, first: Int64, slot: UInt32, slots: UInt32) -> None:
    """Copy the slots of one sentence pair, which lie apart, so that the cache misses overlap."""
    for i in range(n):
        position = np.uint64(first[a + i])
        for j in range(m):
            slots[i * m + j] = slot[position + j]


@njit
def gather(
    a: int,
    n: int,
    m: int,
    source_ids: Int32,
    row: Int64,
    slots: UInt32,
    weight: Float64,
    way: int,
    t: Float64,
) -> None:
    """Gather one direction's weights of one sentence pair: on their own, the misses overlap."""
    for i in range(n):
        of_row = np.uint64(row[source_ids[a + i]])
        for j in range(m):
            t[i * m + j] = weight[way, of_row + slots[i * m + j]]
