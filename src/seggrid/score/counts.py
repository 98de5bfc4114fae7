"""The counts behind scores: of a whole grid, and of one score job, which scores all cells that differ only in
how samples are aggregated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seggrid.base.arrays import Arrays, read_arrays, write_arrays
from seggrid.score.metrics import F1, compute_metrics, count_hits
from seggrid.score.votes import LinkVotes, Means, is_posterior
from seggrid.text.gold import Gold
from seggrid.text.links import Links, Posteriors, pack_links, unpack_links
from seggrid.text.segmentation import (
    Segmentation,
    compact,
    pack_segmentations,
    unpack_segmentations,
)


@dataclass(frozen=True)
class PairCounts:
    """The counts of a language pair's C cells, whose numbers of replicates may differ; N is the sum of these.

    In `results/counts.npz`, each is an array under the pair's name.

    Attributes:
        cells: name of each cell, shape (C,).
        replicates: number of replicates of each cell, shape (C,).
        sure: number of sure links of each gold sentence, shape (G,).
        counts: numbers of links, sure hits and possible hits by sentence, shape (N, G, 3): first the
            replicates of the first cell, then those of the second, and so on.
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
        """The counts of these cells, then those of another run; a `ValueError` if it has other gold."""
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


@dataclass(frozen=True)
class GroupCounts:
    """The counts of the cells of one score job, for A ways to aggregate N samples.

    Attributes:
        aggregates: the ways to aggregate samples.
        sentences: line number of each gold sentence, shape (G,).
        sure: number of sure links of each gold sentence, shape (G,).
        counts: links, sure hits and possible hits of each aggregate, replicate and sentence, int32,
            shape (A, R, G, 3).
        sample_f1: F1 of each single sample, shape (R, N).
        one_to_one: pairs of tokens that are linked one to one, source tokens and target tokens, sums over
            replicates and samples, int64, shape (3,); see `seggrid.align.alignability`.
    """

    aggregates: list[str]
    sentences: NDArray[np.integer]
    sure: NDArray[np.integer]
    counts: NDArray[np.integer]
    sample_f1: NDArray[np.floating]
    one_to_one: NDArray[np.integer]


@dataclass(frozen=True)
class ScoreFile(GroupCounts):
    """The counts of a score job, and what the report's alignment viewer shows.

    Attributes:
        links: word links of each aggregate, in the first replicate.
        source, target: tokens of the gold sentences in the first sample.
    """

    links: list[Links]
    source: Segmentation
    target: Segmentation

    def links_of(self, aggregate: str) -> Links:
        """The word links of one of the aggregates."""
        return self.links[self.aggregates.index(aggregate)]


def write_score_file(path: str | Path, scored: ScoreFile) -> None:
    """Write the file of one score job."""
    arrays = {name: np.asarray(getattr(scored, name)) for name in _COUNTS}
    tokens = [compact(scored.source), compact(scored.target)]
    write_arrays(
        path, arrays | pack_links(scored.links, "links/") | pack_segmentations(tokens, "tokens/")
    )


def read_score_file(path: str | Path) -> ScoreFile:
    """Read what `write_score_file` wrote."""
    arrays = read_arrays(path)
    counts = _group_counts(arrays)
    links = unpack_links(arrays, "links/")
    tokens = unpack_segmentations(arrays, "tokens/")
    source, target = tokens
    return ScoreFile(**vars(counts), links=links, source=source, target=target)


def read_group_counts(path: str | Path) -> GroupCounts:
    """Read only the counts, in a fifth of the time."""
    return _group_counts(read_arrays(path, only=_COUNTS))


_COUNTS = tuple(GroupCounts.__dataclass_fields__)


def _group_counts(arrays: Arrays) -> GroupCounts:
    names = [str(name) for name in arrays["aggregates"]]
    return GroupCounts(names, *(arrays[name] for name in _COUNTS[1:]))


def score_replicates(
    gold: Gold,
    replicates: Sequence[Sequence[Links]],
    aggregates: Sequence[str],
    tokens: tuple[Segmentation, Segmentation],
    posteriors: Sequence[Sequence[Posteriors]] = (),
    one_to_one: Sequence[int] | NDArray[np.integer] = (0, 0, 0),
) -> ScoreFile:
    """Aggregate samples in each way (`Votes.keep`, `Means.keep`), and count hits. For each replicate and
    sample, there are word links of the gold sentences, and their probabilities if an aggregate is a threshold
    on these. `tokens` are those of both sides in the first sample; `one_to_one` as in `GroupCounts`."""
    votes = [LinkVotes.from_samples(samples) for samples in replicates]
    means = [Means.from_samples(samples) for samples in posteriors]
    combined = [
        [of_samples.keep(aggregate) for of_samples in (means if is_posterior(aggregate) else votes)]
        for aggregate in aggregates
    ]
    counts = [
        [count_hits(links, gold.sure, gold.possible) for links in of_replicates]
        for of_replicates in combined
    ]
    sure = np.diff(gold.sure.offsets).astype(np.int32)
    sample_sums = [
        [count_hits(links, gold.sure, gold.possible).sum(axis=0) for links in samples]
        for samples in replicates
    ]
    return ScoreFile(
        list(aggregates),
        gold.sentences,
        sure,
        np.array(counts, dtype=np.int32),
        compute_metrics(sample_sums, sure.sum())[..., F1],
        np.asarray(one_to_one, dtype=np.int64),
        [of_replicates[0] for of_replicates in combined],
        *tokens,
    )
