"""A parallel corpus as one direction of the sampler reads it: the cell of every position.

In each direction one side conditions and the other is generated: every token of the generated side
has a link to a token of the conditioning side, or to NULL. The positions of a generated token are
its pairs with all tokens of the conditioning sentence, in order; those of a sentence are stored token by
token, in the order in which the sampler visits them.

A cell is a pair (conditioning type, generated type), with a count of links for each sampler. A cell with
a single position needs no count: when the sampler reads it, that position's own link has been taken out,
so the count is 0. All such cells have the number 0, whose count never changes. The others are numbered by
first occurrence, so that new cells of a sentence share cache lines.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from seggrid.align.gibbs._prior_counts import TypeCounts, prior_cells
from seggrid.align.threads import Workers
from seggrid.base.arrays import Int32, Int64, UInt32
from seggrid.base.compiled import njit
from seggrid.data.ragged import offsets_of
from seggrid.data.segmentation import Segmentation

LOOKAHEAD = 256
"""How many positions ahead counts are prefetched: enough to hide the latency of the memory."""


class Cells(NamedTuple):
    """The cells of a text, (source type, target type) that occur together in some sentence pair, and the cell
    of each of its P positions.

    There are far fewer cells than positions. Cells lie in rows, one for each source type, numbered within the
    row by first occurrence. Positions lie in the same order: by source type, then by place in the text, so
    that those of a row are neighbors.

    Attributes:
        row: first cell of each source type, int64, shape (source types + 1,).
        column: target type of each cell, int32, shape (cells,).
        positions: where the positions of each source type begin, int64, shape (source types + 1,).
        first: first position (j = 0) of each source token, int64, shape (source tokens,).
        slot: the cell of each position, counted from the start of its row, uint32, shape (P,).
    """

    row: Int64
    column: Int32
    positions: Int64
    first: Int64
    slot: UInt32


def cells_of(source: Segmentation, target: Segmentation, workers: Workers) -> Cells:
    """Find the cells of a text and the cell of every position."""
    types, tokens = len(source.types), len(source.ids)
    occurrences = offsets_of(np.bincount(source.ids, minlength=types))
    # As many positions as each source token has, in the order of types.
    counts = np.repeat(target.lengths, source.lengths)
    by_type = np.argsort(source.ids, kind="stable")
    begins = offsets_of(counts[by_type])
    first = np.empty(tokens, dtype=np.int64)
    first[by_type] = begins[:-1]
    sentence = np.repeat(np.arange(len(source), dtype=np.int32), source.lengths)[by_type]
    positions = begins[occurrences]
    slot = np.empty(positions[-1], dtype=np.uint32)
    row = np.zeros(types + 1, dtype=np.int64)
    columns = workers.run(
        _find_cells, workers.split(positions), occurrences, positions, sentence, target.ids,
        target.offsets, len(target.types), slot, row[1:],
    )  # fmt: skip
    return Cells(np.cumsum(row), np.concatenate(columns), positions, first, slot)


class Corpus(NamedTuple):
    """One direction of S sentence pairs with P positions, N conditioning and T generated tokens.

    Attributes:
        given: type of each conditioning token, int32, shape (N,).
        given_offsets: first conditioning token of each sentence, int64, shape (S + 1,).
        same: the next token of the same type in the sentence; for the last, the first (so itself if it is the
            only one), int32, shape (N,).
        generated, generated_offsets: as `given` and `given_offsets`, of generated tokens, shapes (T,),
            (S + 1,).
        load: number of positions before each sentence pair, int64, shape (S + 1,).
        cell: cell of each position, uint32, shape (P + LOOKAHEAD,); the last LOOKAHEAD are 0.
    """

    given: Int32
    given_offsets: Int64
    same: Int32
    generated: Int32
    generated_offsets: Int64
    load: Int64
    cell: UInt32


def corpora_from_segmentations(
    source: Segmentation, target: Segmentation, workers: Workers, type_counts: TypeCounts
) -> Iterator[tuple[Corpus, tuple[Int64, Int64]]]:
    """The corpus of the forward direction (the source conditions), then that of the reverse direction.

    The reverse corpus is made when the caller asks for it, and the forward one is not kept here then.

    Yields:
        The corpus; the cells that have links in K priors, int64, shape (C,), and the number of these links,
        int64, shape (C, K).
    """
    cells = cells_of(source, target, workers)
    number = np.zeros(len(cells.column), dtype=np.int32)
    _count_positions(cells.row, cells.positions, cells.slot, number)
    with_prior, counts = prior_cells(type_counts, len(target.types), cells.row, cells.column)
    # A cell with links in priors needs a count.
    number[with_prior] = -1
    given, generated = (source.ids, source.offsets), (target.ids, target.offsets)
    load = offsets_of(source.lengths * target.lengths)
    cell = np.zeros(len(cells.slot) + LOOKAHEAD, dtype=np.uint32)
    _number_cells(*given, generated[1], cells.row, cells.first, cells.slot, number, cell)
    with_prior = number[with_prior].astype(np.int64)
    # Free the largest arrays as soon as they are not needed.
    del cells, number
    yield Corpus(*given, _next_same(*given), *generated, load, cell), (with_prior, counts)
    other_number = np.full(int(cell.max()) + 1, -1, dtype=np.int32)
    # Cell 0 stands for all cells that need no count.
    other_number[0] = 0
    other_cell = np.zeros_like(cell)
    _transpose_cells(given[1], generated[1], cell, other_number, other_cell)
    del cell
    corpus = Corpus(*generated, _next_same(*generated), *given, load, other_cell)
    yield corpus, (other_number[with_prior].astype(np.int64), counts)


@njit
def _count_positions(row: Int64, positions: Int64, slot: UInt32, repeats: Int32) -> None:
    """Set `repeats`, zeros of shape (cells,), to -1 where a cell has several positions, else to 0."""
    for source_type in range(len(row) - 1):
        for position in range(positions[source_type], positions[source_type + 1]):
            c = row[source_type] + np.int64(slot[position])
            repeats[c] = min(repeats[c] + 1, 2)
    for c in range(len(repeats)):
        repeats[c] = -1 if repeats[c] > 1 else 0


@njit
def _number_cells(
    source_ids: Int32,
    source_offsets: Int64,
    target_offsets: Int64,
    row: Int64,
    first: Int64,
    slot: UInt32,
    number: Int32,
    cell: UInt32,
) -> None:
    """Fill `cell`, which has for each target token the cells of its pairs with all source tokens.

    Args:
        number: -1 for cells that get a number of their own, else 0; overwritten with the numbers.
    """
    cells, position = 0, 0
    for s in range(len(source_offsets) - 1):
        a, n = source_offsets[s], source_offsets[s + 1] - source_offsets[s]
        for j in range(target_offsets[s + 1] - target_offsets[s]):
            for i in range(n):
                c = row[source_ids[a + i]] + np.int64(slot[first[a + i] + j])
                if number[c] < 0:
                    cells += 1
                    number[c] = cells
                cell[position] = number[c]
                position += 1


@njit
def _transpose_cells(
    source_offsets: Int64, target_offsets: Int64, cell: UInt32, number: Int32, transposed: UInt32
) -> None:
    """Fill `transposed`, which has for each source token the cells of its pairs with all target tokens.

    Args:
        cell: the cells of the other direction.
        number: number of each of these cells; -1 if it is not numbered yet.
    """
    cells, begin = 0, 0
    for s in range(len(source_offsets) - 1):
        n = source_offsets[s + 1] - source_offsets[s]
        m = target_offsets[s + 1] - target_offsets[s]
        for i in range(n):
            for j in range(m):
                c = np.int64(cell[begin + j * n + i])
                if number[c] < 0:
                    cells += 1
                    number[c] = cells
                transposed[begin + i * m + j] = number[c]
        begin += n * m


@njit
def _next_same(ids: Int32, offsets: Int64) -> Int32:
    """`Corpus.same` of the tokens of one side."""
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


@njit
def _find_cells(
    begin: int,
    end: int,
    occurrences: Int64,
    positions: Int64,
    sentence: Int32,
    target_ids: Int32,
    target_offsets: Int64,
    target_types: int,
    slot: UInt32,
    cells_in_row: Int64,
) -> Int32:
    """Fill `slot` and `cells_in_row` of rows `begin:end`; return the columns of their cells."""
    # In `number`, values >= row_begin are cells of the current row; smaller ones are left from earlier rows.
    number = np.full(target_types, -1, dtype=np.int64)
    column = np.empty(1024, dtype=np.int32)
    cells = 0
    for source_type in range(begin, end):
        row_begin = cells
        position = positions[source_type]
        for o in range(occurrences[source_type], occurrences[source_type + 1]):
            b = target_offsets[sentence[o]]
            m = target_offsets[sentence[o] + 1] - b
            if cells + m > len(column):
                longer = np.empty(2 * (cells + m), dtype=np.int32)
                longer[:cells] = column[:cells]
                column = longer
            for j in range(m):
                target_type = target_ids[b + j]
                if number[target_type] < row_begin:
                    number[target_type] = cells
                    column[cells] = target_type
                    cells += 1
                slot[position] = number[target_type] - row_begin
                position += 1
        cells_in_row[source_type] = cells - row_begin
    return column[:cells].copy()
