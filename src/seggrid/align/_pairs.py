"""The cells of a translation table, and where in a parallel corpus they occur.

A *cell* is a (source type, target type) that occurs together in some sentence pair; a *position*
is an (i, j) of one sentence pair. There are far fewer cells than positions, and an aligner visits
every position several times, so the cell of each position is found once, for both directions.

Cells lie in rows, one row for each source type, and are numbered within the row in order of first
appearance: frequent partners come first, and share cache lines.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from seggrid.align._threads import Workers
from seggrid.arrays import Segmentation, offsets_of
from seggrid.errors import InputError

Int32 = NDArray[np.int32]
UInt32 = NDArray[np.uint32]
Int64 = NDArray[np.int64]
Float64 = NDArray[np.float64]


class Pairs(NamedTuple):
    """A parallel corpus of S sentence pairs, with its C cells and P positions.

    Position (i, j) of sentence pair s is `base[s] + i * m + j`, m being its target tokens. The
    *occurrences* of source tokens are sorted by type, and within a type by place in the corpus.

    Attributes:
        source_ids: type of each source token, int32, shape (source tokens,).
        target_ids: type of each target token, int32, shape (target tokens,).
        source_offsets, target_offsets: where each sentence begins, int64, shape (S + 1,).
        base: where the positions of each sentence pair begin, int64, shape (S + 1,).
        of_type: where the occurrences of each source type begin, int64, shape (source types + 1,).
        start: first position (j = 0) of each occurrence, int64, shape (source tokens,).
        sentence: sentence pair of each occurrence, int32, shape (source tokens,).
        load: positions before each row, int64, shape (source types + 1,).
        slot: the cell of each position, counted from the start of its row, uint32, shape (P,).
        row: first cell of each source type, int64, shape (source types + 1,).
        column: target type of each cell, int32, shape (C,).
    """

    source_ids: Int32
    source_offsets: Int64
    target_ids: Int32
    target_offsets: Int64
    base: Int64
    of_type: Int64
    start: Int64
    sentence: Int32
    load: Int64
    slot: UInt32
    row: Int64
    column: Int32


def index_pairs(source: Segmentation, target: Segmentation, workers: Workers) -> Pairs:
    """Find the cells of a parallel corpus and the cell of every position.

    Raises:
        InputError: the sides differ in length, there are no sentences, or one is empty (its number
            is named).
    """
    _check(source, target)
    base = offsets_of(source.lengths * target.lengths)
    types, tokens = len(source.types), len(source.ids)
    pairs = Pairs(
        source.ids,
        source.offsets,
        target.ids,
        target.offsets,
        base,
        of_type=offsets_of(np.bincount(source.ids, minlength=types)),
        start=np.empty(tokens, dtype=np.int64),
        sentence=np.empty(tokens, dtype=np.int32),
        load=np.zeros(types + 1, dtype=np.int64),
        slot=np.empty(base[-1], dtype=np.uint32),
        row=np.zeros(types + 1, dtype=np.int64),
        column=np.empty(0, dtype=np.int32),
    )
    _sort_by_type(pairs)
    np.cumsum(pairs.load, out=pairs.load)
    columns = workers.run(_find_cells, workers.split(pairs.load), pairs, len(target.types))
    np.cumsum(pairs.row, out=pairs.row)
    return pairs._replace(column=np.concatenate([*columns, pairs.column]))


def _check(source: Segmentation, target: Segmentation) -> None:
    if len(source) != len(target):
        raise InputError(
            f"{len(source)} source sentences against {len(target)} target sentences",
            mend="give two texts that are parallel line by line",
        )
    if len(source) == 0:
        raise InputError("no sentence pairs", mend="give at least one")
    for side, lengths in (("source", source.lengths), ("target", target.lengths)):
        empty = np.flatnonzero(lengths == 0)
        if len(empty):
            raise InputError(
                f"sentence {empty[0] + 1} of the {side} side is empty",
                mend="remove this sentence pair from both sides",
            )


@njit(cache=True, nogil=True)
def _sort_by_type(pairs: Pairs) -> None:
    cursor = pairs.of_type[:-1].copy()
    for s in range(len(pairs.base) - 1):
        m = pairs.target_offsets[s + 1] - pairs.target_offsets[s]
        start = pairs.base[s]
        for source_type in pairs.source_ids[pairs.source_offsets[s] : pairs.source_offsets[s + 1]]:
            pairs.start[cursor[source_type]] = start
            pairs.sentence[cursor[source_type]] = s
            pairs.load[source_type + 1] += m
            cursor[source_type] += 1
            start += m


@njit(cache=True, nogil=True)
def _find_cells(begin: int, end: int, pairs: Pairs, target_types: int) -> Int32:
    """Fill `slot`, and `row` with the cells of each row; return the columns of the rows' cells."""
    # A cell of the current row has a number >= row_begin in `number`; older ones are of past rows.
    number = np.full(target_types, -1, dtype=np.int64)
    column = np.empty(1024, dtype=np.int32)
    cells = 0
    for source_type in range(begin, end):
        row_begin = cells
        for o in range(pairs.of_type[source_type], pairs.of_type[source_type + 1]):
            s = pairs.sentence[o]
            told = pairs.target_ids[pairs.target_offsets[s] : pairs.target_offsets[s + 1]]
            slot = pairs.slot[pairs.start[o] : pairs.start[o] + len(told)]
            if cells + len(told) > len(column):
                longer = np.empty(2 * (cells + len(told)), dtype=np.int32)
                longer[:cells] = column[:cells]
                column = longer
            for j in range(len(told)):
                if number[told[j]] < row_begin:
                    number[told[j]] = cells
                    column[cells] = told[j]
                    cells += 1
                slot[j] = number[told[j]] - row_begin
        pairs.row[source_type + 1] = cells - row_begin
    return column[:cells].copy()
