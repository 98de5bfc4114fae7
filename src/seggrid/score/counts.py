"""The counts behind the scores of a whole grid: `results/counts.npz`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seggrid.base.arrays import read_arrays, write_arrays


@dataclass(frozen=True)
class PairCounts:
    """The counts of a language pair's cells, whose numbers of replicates may differ.

    In the file, each attribute is an array under the pair's name.

    Attributes:
        cells: names of the cells, shape (C,).
        replicates: number of replicates of each cell, shape (C,).
        sure: number of sure links of each gold sentence, shape (G,).
        counts: numbers of links, sure hits and possible hits by sentence, shape (N, G, 3), where N is the sum
            of `replicates`: first the replicates of the first cell, then those of the second, and so on.
    """

    cells: NDArray[np.str_]
    replicates: NDArray[np.integer]
    sure: NDArray[np.integer]
    counts: NDArray[np.integer]

    def of(self, cells: NDArray[np.integer], replicates: int) -> NDArray[np.integer]:
        """Counts of some cells (by index), shape (C, R, G, 3), where R is `replicates`.

        The replicates of a cell with fewer are repeated equally often, so that means over replicates stay the
        same; R must be a multiple of their number.
        """
        starts = (np.cumsum(self.replicates) - self.replicates)[cells]
        replicate = np.arange(replicates) % self.replicates[cells][:, None]
        found: NDArray[np.integer] = self.counts[starts[:, None] + replicate]
        return found

    def alike(
        self, *cells: NDArray[np.integer]
    ) -> Iterator[tuple[NDArray[np.intp], list[NDArray[np.integer]]]]:
        """The rows of compared cells, each of shape (C,), by the number of replicates to which they can be
        repeated (see `of`): the rows, and the counts of each of the cells."""
        common = np.lcm.reduce([self.replicates[own] for own in cells])
        for replicates in np.unique(common).tolist():
            rows = np.flatnonzero(common == replicates)
            yield rows, [self.of(own[rows], replicates) for own in cells]

    @property
    def place(self) -> dict[str, int]:
        """The index of each cell by its name."""
        return {cell: row for row, cell in enumerate(self.cells.tolist())}

    def over_replicates(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """The means of values of shape (..., N) over the replicates of each cell, shape (..., C)."""
        starts = np.cumsum(self.replicates) - self.replicates
        return np.asarray(np.add.reduceat(values, starts, axis=-1) / self.replicates)

    def followed_by(self, other: PairCounts) -> PairCounts:
        """The counts of these cells, then those of the cells of another run of the pair.

        Raises:
            ValueError: the runs differ in gold sentences, or in numbers of sure links.
        """
        if not np.array_equal(self.sure, other.sure):
            raise ValueError("other gold")
        joined = (
            np.concatenate([getattr(self, name), getattr(other, name)])
            for name in ("cells", "replicates", "counts")
        )
        cells, replicates, counts = joined
        return PairCounts(cells, replicates, self.sure, counts)


_FIELDS = tuple(PairCounts.__dataclass_fields__)


def write_counts(path: str | Path, counts: Mapping[str, PairCounts]) -> None:
    """Write the counts of all pairs."""
    write_arrays(
        path,
        {f"{pair}/{name}": getattr(own, name) for pair, own in counts.items() for name in _FIELDS},
    )


def read_counts(path: str | Path) -> dict[str, PairCounts]:
    """Read what `write_counts` wrote."""
    arrays = read_arrays(path)
    found = {}
    for pair in dict.fromkeys(name.rpartition("/")[0] for name in arrays):
        found[pair] = PairCounts(*(arrays[f"{pair}/{name}"] for name in _FIELDS))
    return found
