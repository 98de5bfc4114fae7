"""The file of one score job, which scores all cells that differ only in how samples are aggregated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seggrid.base.arrays import Arrays, read_arrays, write_arrays
from seggrid.corpus.gold import Gold
from seggrid.data.links import Links, Posteriors, pack_links, unpack_links
from seggrid.data.segmentation import (
    Segmentation,
    compact,
    pack_segmentations,
    unpack_segmentations,
)
from seggrid.score.aggregates import is_posterior
from seggrid.score.metrics import F1, compute_metrics, count_hits
from seggrid.score.votes import Means, Votes


@dataclass(frozen=True)
class GroupCounts:
    """The counts of the cells of one score job.

    Attributes:
        aggregates: how the samples were combined, shape (A,).
        sentences: line numbers of the gold sentences, shape (G,).
        sure: number of sure links of each gold sentence, shape (G,).
        counts: links, sure hits and possible hits of each aggregate, replicate and sentence, int32,
            shape (A, R, G, 3).
        sample_f1: F1 of each single sample, shape (R, N).
    """

    aggregates: list[str]
    sentences: NDArray[np.integer]
    sure: NDArray[np.integer]
    counts: NDArray[np.integer]
    sample_f1: NDArray[np.floating]


@dataclass(frozen=True)
class ScoreFile(GroupCounts):
    """The counts of a score job, and the links and tokens that the report's alignment viewer shows.

    Attributes:
        links: the word links of each aggregate, in the first replicate.
        source, target: the gold sentences' tokens, in the first sample.
    """

    links: list[Links]
    source: Segmentation
    target: Segmentation


def write_score_file(path: str | Path, scored: ScoreFile) -> None:
    """Write the file of one score job."""
    arrays = {name: np.asarray(getattr(scored, name)) for name in _COUNTS}
    tokens = [compact(scored.source), compact(scored.target)]
    write_arrays(
        path, arrays | pack_links(scored.links, "links/") | pack_segmentations(tokens, "tokens/")
    )


def read_score_file(path: str | Path) -> ScoreFile:
    """Read what `write_score_file` wrote.

    Raises:
        InputError: the file is damaged.
    """
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
) -> ScoreFile:
    """Aggregate each replicate's samples in each way, and count hits.

    Args:
        gold: the gold links.
        replicates: word links of the gold sentences, for each replicate and sample.
        aggregates: the ways, see `seggrid.score.votes.Votes.keep` and `Means.keep`.
        tokens: source and target tokens of the gold sentences, in the first sample.
        posteriors: probabilities of word links, for each replicate and sample; needed if an aggregate is a
            threshold on probabilities.
    """
    votes = [Votes.from_samples(samples) for samples in replicates]
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
        [of_replicates[0] for of_replicates in combined],
        *tokens,
    )
