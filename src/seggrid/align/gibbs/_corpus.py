"""A parallel corpus as one direction of the sampler reads it: the number of every position's cell.

In each direction one side conditions and the other is generated: every token of the generated side
has a link to a token of the conditioning side, or to NULL. The positions of a generated token are
its pairs with all tokens of the conditioning sentence, side by side; those of a sentence lie token
after token, in the order in which they are visited.

A cell, (conditioning type, generated type), has a count of links for each sampler. One that has a
single position needs none: whenever it is looked at, that position's own link is taken out, and the
count is 0. All such cells share the number 0, whose count is never changed. The others are numbered
by first occurrence, so that a sentence's new cells share cache lines.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from seggrid.align.gibbs._known import cell_counts
from seggrid.align.gibbs.priors import Priors
from seggrid.align.pairs import Int32, Int64, Pairs, UInt32
from seggrid.align.threads import Workers
from seggrid.base.compiled import njit
from seggrid.data.segmentation import Segmentation

LOOKAHEAD = 256
"""How many positions ahead counts are prefetched: enough to hide the latency of the memory."""


class Corpus(NamedTuple):
    """One direction of S sentence pairs with P positions, N conditioning and T generated tokens.

    Attributes:
        given: type of each conditioning token, int32, shape (N,).
        given_offsets: where each of their sentences begins, int64, shape (S + 1,).
        same: the next token of the same sentence and type, and after the last the first (so itself
            where there is but one), int32, shape (N,).
        generated, generated_offsets: the same of generated tokens, shapes (T,), (S + 1,).
        load: positions before each sentence pair, int64, shape (S + 1,).
        cell: cell of each position, uint32, shape (P + LOOKAHEAD,); 0 at the end.
    """

    given: Int32
    given_offsets: Int64
    same: Int32
    generated: Int32
    generated_offsets: Int64
    load: Int64
    cell: UInt32


def corpora_from_segmentations(
    source: Segmentation, target: Segmentation, workers: Workers, priors: Priors | None = None
) -> tuple[tuple[Corpus, Corpus], tuple[Int64, Int64]]:
    """Forward (the source conditions) and reverse, and the links of each one's cells that priors know.

    Raises:
        InputError: the sides differ in length, there are no sentences, or one is empty.
    """
    pairs = Pairs.from_segmentations(source, target, workers)
    repeats = np.zeros(len(pairs.column), dtype=np.int32)
    _count_positions(pairs.row, pairs.row_load, pairs.slot, repeats)
    counts = np.zeros(0, dtype=np.int64)
    if priors is not None:
        counts = cell_counts(priors, source, target, pairs.row, pairs.column)
        # What priors know of has a count.
        repeats[counts > 0] = -1
    sides = (
        (
            pairs.source_ids,
            pairs.source_offsets,
            _next_same(pairs.source_ids, pairs.source_offsets),
        ),
        (
            pairs.target_ids,
            pairs.target_offsets,
            _next_same(pairs.target_ids, pairs.target_offsets),
        ),
    )
    both = [(way, way + 1) for way in (0, 1)]
    cells, known = zip(*workers.run(_number_of, both, pairs, repeats, counts), strict=True)
    forward, reverse = (
        Corpus(*sides[way], *sides[1 - way][:2], pairs.load, cells[way]) for way in (0, 1)
    )
    return (forward, reverse), (known[0], known[1])


def _number_of(
    way: int, _: int, pairs: Pairs, repeats: Int32, counts: Int64
) -> tuple[UInt32, Int64]:
    """The cell of each position, and of `counts`, those of all pairs of types, those of each cell."""
    cell, number = np.zeros(len(pairs.slot) + LOOKAHEAD, dtype=np.uint32), repeats.copy()
    _number_cells(
        way == 1, pairs.source_ids, pairs.source_offsets, pairs.target_offsets, pairs.row,
        pairs.first, pairs.slot, number, cell,
    )  # fmt: skip
    if not len(counts):
        return cell, counts
    known = np.zeros(int(cell.max()) + 1, dtype=np.int64)
    known[number[counts > 0]] = counts[counts > 0]
    return cell, known


@njit
def _count_positions(row: Int64, row_load: Int64, slot: UInt32, repeats: Int32) -> None:
    """Set `repeats`, shape (cells,), to -1 where a cell has several positions, else to 0."""
    for source_type in range(len(row) - 1):
        for position in range(row_load[source_type], row_load[source_type + 1]):
            c = row[source_type] + np.int64(slot[position])
            repeats[c] = min(repeats[c] + 1, 2)
    for c in range(len(repeats)):
        repeats[c] = -1 if repeats[c] > 1 else 0


@njit
def _number_cells(
    transposed: bool,
    source_ids: Int32,
    source_offsets: Int64,
    target_offsets: Int64,
    row: Int64,
    first: Int64,
    slot: UInt32,
    number: Int32,
    cell: UInt32,
) -> None:
    """Fill `cell`: of each target token with all of the source, or, transposed, the other way.

    Args:
        number: -1 for cells that are to have a number of their own; overwritten.
    """
    cells, position = 0, 0
    for s in range(len(source_offsets) - 1):
        a, n = source_offsets[s], source_offsets[s + 1] - source_offsets[s]
        m = target_offsets[s + 1] - target_offsets[s]
        outer, inner = (n, m) if transposed else (m, n)
        for x in range(outer):
            for y in range(inner):
                i, j = (x, y) if transposed else (y, x)
                c = row[source_ids[a + i]] + np.int64(slot[first[a + i] + j])
                if number[c] < 0:
                    cells += 1
                    number[c] = cells
                cell[position] = number[c]
                position += 1


@njit
def _next_same(ids: Int32, offsets: Int64) -> Int32:
    same = np.empty(len(ids), dtype=np.int32)
    for s in range(len(offsets) - 1):
        a, b = offsets[s], offsets[s + 1]
        for k in range(a, b):
            same[k] = k
            for other in range(k + 1, k + b - a):
                other = other if other < b else other - (b - a)
                if ids[other] == ids[k]:
                    same[k] = other
                    break
    return same
