"""The cells of a translation table, and where in a parallel corpus they occur.

A *cell* is a (source type, target type) that occurs together in some sentence pair; a *position*
is an (i, j) of one sentence pair. There are far fewer cells than positions, and an aligner visits
every position several times, so the cell of each position is found once, for both directions.

Cells lie in rows, one row for each source type, and are numbered within the row in order of first
appearance: frequent partners come first, and share cache lines. Positions lie in the same order:
all those of one row are neighbors, so that a row is read, and counted, in one sweep.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from seggrid.align.parallel import check_parallel
from seggrid.align.threads import Workers
from seggrid.base.arrays import Int32, Int64, UInt32
from seggrid.base.compiled import njit
from seggrid.data.ragged import offsets_of
from seggrid.data.segmentation import Segmentation


class Pairs(NamedTuple):
    """A parallel corpus of S sentence pairs, with its C cells and P positions.

    The *occurrences* of source tokens are sorted by type, and within a type by place in the corpus;
    the positions are those of the first occurrence with every target token of its sentence pair,
    then those of the second, and so on.

    Attributes:
        source_ids: type of each source token, int32, shape (source tokens,).
        target_ids: type of each target token, int32, shape (target tokens,).
        source_offsets, target_offsets: where each sentence begins, int64, shape (S + 1,).
        load: number of positions before each sentence pair, int64, shape (S + 1,).
        first: first position (j = 0) of each source token, int64, shape (source tokens,).
        type_begin: where the occurrences of each source type begin, int64, shape (source types + 1,).
        row_load: where the positions of each source type begin, int64, shape (source types + 1,).
        sentence: sentence pair of each occurrence, int32, shape (source tokens,).
        place: place i of each occurrence in its sentence, int32, shape (source tokens,).
        slot: the cell of each position, counted from the start of its row, uint32, shape (P,).
        row: first cell of each source type, int64, shape (source types + 1,).
        column: target type of each cell, int32, shape (C,).
    """

    source_ids: Int32
    source_offsets: Int64
    target_ids: Int32
    target_offsets: Int64
    load: Int64
    first: Int64
    type_begin: Int64
    row_load: Int64
    sentence: Int32
    place: Int32
    slot: UInt32
    row: Int64
    column: Int32

    @classmethod
    def from_segmentations(
        cls, source: Segmentation, target: Segmentation, workers: Workers
    ) -> Pairs:
        """Find the cells of a parallel corpus and the cell of every position."""
        check_parallel(source, target)
        types, tokens = len(source.types), len(source.ids)
        type_begin = offsets_of(np.bincount(source.ids, minlength=types))
        row_load = np.zeros(types + 1, dtype=np.int64)
        _count_positions(source.ids, source.offsets, target.offsets, row_load[1:])
        np.cumsum(row_load, out=row_load)
        first = np.empty(tokens, dtype=np.int64)
        sentence, place = np.empty((2, tokens), dtype=np.int32)
        _sort_by_type(
            source.ids, source.offsets, target.offsets, type_begin[:-1].copy(), row_load[:-1].copy(),
            first, sentence, place,
        )  # fmt: skip
        slot = np.empty(row_load[-1], dtype=np.uint32)
        row = np.zeros(types + 1, dtype=np.int64)
        columns = workers.run(
            _find_cells, workers.split(row_load), type_begin, row_load, sentence, target.ids,
            target.offsets, len(target.types), slot, row[1:],
        )  # fmt: skip
        np.cumsum(row, out=row)
        return cls(
            source.ids,
            source.offsets,
            target.ids,
            target.offsets,
            offsets_of(source.lengths * target.lengths),
            first,
            type_begin,
            row_load,
            sentence,
            place,
            slot,
            row,
            np.concatenate(columns),
        )


@njit
def _count_positions(
    source_ids: Int32, source_offsets: Int64, target_offsets: Int64, positions: Int64
) -> None:
    """Count the positions of each source type."""
    for s in range(len(source_offsets) - 1):
        m = target_offsets[s + 1] - target_offsets[s]
        for token in range(source_offsets[s], source_offsets[s + 1]):
            positions[source_ids[token]] += m


@njit
def _sort_by_type(
    source_ids: Int32,
    source_offsets: Int64,
    target_offsets: Int64,
    occurrence: Int64,
    position: Int64,
    first: Int64,
    sentence: Int32,
    place: Int32,
) -> None:
    """Fill `first`, `sentence` and `place`.

    Args:
        occurrence, position: where the occurrences, and the positions, of each source type begin, int64,
            shape (source types,); afterwards where they end.
    """
    for s in range(len(source_offsets) - 1):
        m = target_offsets[s + 1] - target_offsets[s]
        for token in range(source_offsets[s], source_offsets[s + 1]):
            source_type = source_ids[token]
            sentence[occurrence[source_type]] = s
            place[occurrence[source_type]] = token - source_offsets[s]
            occurrence[source_type] += 1
            first[token] = position[source_type]
            position[source_type] += m


@njit
def _find_cells(
    begin: int,
    end: int,
    type_begin: Int64,
    row_load: Int64,
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
        position = row_load[source_type]
        for o in range(type_begin[source_type], type_begin[source_type + 1]):
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
