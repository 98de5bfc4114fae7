"""The cells of a translation table, and where in each sentence pair they occur.

A *cell* is a (source type, target type) that occurs together in some sentence pair; a *position* is
an (i, j) of one pair. There are far fewer cells than positions, and the aligner visits every
position ten times, so the cell of each position is found once, for both directions.

Cells lie in rows, one row for each source type, numbered within the row in order of first
appearance (frequent partners come first, which the caches like). The positions of a sentence pair
are stored i-major: position (i, j) of pair s is at `base[s] + i * m + j`, m its target tokens.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from seggrid.arrays import Segmentation, offsets_of
from seggrid.errors import InputError

Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]
Float64 = NDArray[np.float64]


@dataclass(frozen=True)
class PairIndex:
    """Cells and positions of a parallel corpus of S sentence pairs, C cells and P positions.

    Attributes:
        source, target: the two sides.
        base: first position of each sentence pair, int64, shape (S + 1,).
        row: first cell of each source type, int64, shape (source types + 1,).
        slot: the cell of each position, counted from the start of its row, int32, shape (P,).
        column: target type of each cell, int32, shape (C,).
        occurrences: source tokens sorted by type, then by place in the corpus, int64, (tokens,).
        of_type: where each type's occurrences begin, int64, shape (source types + 1,).
        sentence_of: sentence pair of each source token, int32, shape (tokens,).
    """

    source: Segmentation
    target: Segmentation
    base: NDArray[np.int64]
    row: NDArray[np.int64]
    slot: NDArray[np.int32]
    column: NDArray[np.int32]
    occurrences: NDArray[np.int64]
    of_type: NDArray[np.int64]
    sentence_of: NDArray[np.int32]

    @classmethod
    def build(cls, source: Segmentation, target: Segmentation, workers: Workers) -> PairIndex:
        """Find the cells of a corpus.

        Raises:
            InputError: the sides differ in length, or a sentence is empty.
        """
        check_sides(source, target)
        base = offsets_of(source.lengths * target.lengths)
        sentence_of = np.repeat(np.arange(len(source), dtype=np.int32), source.lengths)
        of_type = offsets_of(np.bincount(source.ids, minlength=len(source.types)))
        occurrences = np.empty(len(source.ids), dtype=np.int64)
        _sort_by_type(source.ids, of_type[:-1].copy(), occurrences)

        slot = np.empty(base[-1], dtype=np.int32)
        lengths = np.zeros(len(source.types), dtype=np.int64)
        weight = np.bincount(
            source.ids, target.lengths[sentence_of], minlength=len(source.types)
        ).astype(np.int64)
        ranges = workers.split(offsets_of(weight))
        places = (
            occurrences, of_type, sentence_of, source.offsets, target.ids, target.offsets, base,
        )  # fmt: skip
        workers.run(_number_cells, ranges, *places, len(target.types), slot, lengths)
        row = offsets_of(lengths)
        column = np.empty(row[-1], dtype=np.int32)
        workers.run(_name_cells, ranges, *places, row, slot, column)
        return cls(source, target, base, row, slot, column, occurrences, of_type, sentence_of)


def check_sides(source: Segmentation, target: Segmentation) -> None:
    """Refuse a corpus that cannot be aligned.

    Raises:
        InputError: the sides differ in length, or a sentence is empty (its number is named).
    """
    if len(source) != len(target):
        raise InputError(
            f"{len(source)} source sentences against {len(target)} target sentences",
            mend="give two texts that are parallel line by line",
        )
    for side, lengths in (("source", source.lengths), ("target", target.lengths)):
        empty = np.flatnonzero(lengths == 0)
        if len(empty):
            raise InputError(
                f"sentence {empty[0] + 1} of the {side} side is empty",
                mend="remove this sentence pair from both sides",
            )


class Workers:
    """A fixed number of threads that share out ranges of rows or of sentences."""

    def __init__(self, threads: int) -> None:
        if threads < 1:
            raise InputError(f"threads is {threads}", mend="give 1 or more")
        self.threads = threads
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool:
            self._pool.shutdown()

    def split(
        self, load: NDArray[np.int64], begin: int = 0, end: int | None = None
    ) -> list[tuple[int, int]]:
        """Cut rows `begin:end` into one range per thread of about the same load.

        Args:
            load: cumulated load of the rows, shape (rows + 1,).
        """
        end = len(load) - 1 if end is None else end
        shares = np.linspace(load[begin], load[end], self.threads + 1)[1:-1]
        cuts = np.searchsorted(load[begin:end], shares) + begin
        edges = [begin, *cuts.tolist(), end]
        return [(a, b) for a, b in zip(edges, edges[1:], strict=False) if a < b]

    def run(
        self, kernel: Callable[..., None], ranges: list[tuple[int, int]], *arguments: object
    ) -> None:
        """Call `kernel(begin, end, *arguments)` on each range, and wait for all of them."""
        if self._pool is None or len(ranges) < 2:
            for begin, end in ranges:
                kernel(begin, end, *arguments)
            return
        futures = [self._pool.submit(kernel, begin, end, *arguments) for begin, end in ranges]
        for future in futures:
            future.result()


@njit(cache=True, nogil=True)
def _sort_by_type(ids: Int32, cursor: Int64, occurrences: Int64) -> None:
    for token in range(len(ids)):
        occurrences[cursor[ids[token]]] = token
        cursor[ids[token]] += 1


@njit(cache=True, nogil=True)
def _number_cells(
    begin: int,
    end: int,
    occurrences: Int64,
    of_type: Int64,
    sentence_of: Int32,
    source_offsets: Int64,
    target_ids: Int32,
    target_offsets: Int64,
    base: Int64,
    target_types: int,
    slot: Int32,
    lengths: Int64,
) -> None:
    # A cell of the current row has a number >= row_begin in `number`; older ones are of past rows.
    number = np.full(target_types, -1, dtype=np.int64)
    cells = 0
    for source_type in range(begin, end):
        row_begin = cells
        for o in range(of_type[source_type], of_type[source_type + 1]):
            s = sentence_of[occurrences[o]]
            first, last = target_offsets[s], target_offsets[s + 1]
            position = base[s] + (occurrences[o] - source_offsets[s]) * (last - first)
            for j in range(first, last):
                target_type = target_ids[j]
                if number[target_type] < row_begin:
                    number[target_type] = cells
                    cells += 1
                slot[position] = number[target_type] - row_begin
                position += 1
        lengths[source_type] = cells - row_begin


@njit(cache=True, nogil=True)
def _name_cells(
    begin: int,
    end: int,
    occurrences: Int64,
    of_type: Int64,
    sentence_of: Int32,
    source_offsets: Int64,
    target_ids: Int32,
    target_offsets: Int64,
    base: Int64,
    row: Int64,
    slot: Int32,
    column: Int32,
) -> None:
    for source_type in range(begin, end):
        for o in range(of_type[source_type], of_type[source_type + 1]):
            s = sentence_of[occurrences[o]]
            first, last = target_offsets[s], target_offsets[s + 1]
            position = base[s] + (occurrences[o] - source_offsets[s]) * (last - first)
            for j in range(first, last):
                column[row[source_type] + slot[position]] = target_ids[j]
                position += 1
