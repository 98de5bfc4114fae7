"""The scores of the cells that one job makes: all aggregates of the same samples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seggrid.corpus.gold import Gold
from seggrid.data.links import Links, pack_links, unpack_links
from seggrid.data.npz import read_arrays, write_arrays
from seggrid.score.metrics import count_hits, scores
from seggrid.score.votes import Votes


@dataclass(frozen=True)
class Scored:
    """What the scores of some cells are made of, and their links.

    Attributes:
        aggregates: how the samples were combined, shape (A,).
        sentences: line numbers of the gold sentences, shape (G,).
        sure: number of sure links of each, shape (G,).
        counts: links, sure hits and possible hits of each aggregate, replicate and sentence, int32,
            shape (A, R, G, 3).
        links: the word links of each aggregate, in the first replicate.
        sample_f1: F1 of each sample by itself, shape (R, N).
    """

    aggregates: list[str]
    sentences: NDArray[np.int64]
    sure: NDArray[np.int32]
    counts: NDArray[np.int32]
    links: list[Links]
    sample_f1: NDArray[np.float64]

    def save(self, path: str | Path) -> None:
        """Write the file of one score job."""
        arrays = {
            "aggregates": np.array(self.aggregates, dtype=np.str_),
            "sentences": self.sentences,
            "sure": self.sure,
            "counts": self.counts,
            "sample_f1": self.sample_f1,
        }
        write_arrays(path, arrays | pack_links(self.links, "links/"))

    @classmethod
    def load(cls, path: str | Path) -> Scored:
        """Read what `save` wrote."""
        arrays = read_arrays(path)
        return cls(
            [str(name) for name in arrays["aggregates"]],
            arrays["sentences"],
            arrays["sure"],
            arrays["counts"],
            unpack_links(arrays, "links/"),
            arrays["sample_f1"],
        )


def score_replicates(
    gold: Gold, replicates: Sequence[Sequence[Links]], aggregates: Sequence[str]
) -> Scored:
    """Aggregate each replicate's samples in every way, and count hits.

    Args:
        gold: the gold links.
        replicates: word links of the gold sentences, for each replicate and sample.
        aggregates: see `seggrid.score.votes.Votes.keep`.
    """
    votes = [Votes.from_samples(samples) for samples in replicates]
    combined = [[of_samples.keep(how) for of_samples in votes] for how in aggregates]
    counts = [
        [count_hits(links, gold.sure, gold.possible) for links in of_replicates]
        for of_replicates in combined
    ]
    sure = np.diff(gold.sure.offsets).astype(np.int32)
    sample_f1 = [
        [scores(count_hits(links, gold.sure, gold.possible), sure).f1 for links in samples]
        for samples in replicates
    ]
    return Scored(
        list(aggregates),
        gold.sentences,
        sure,
        np.array(counts, dtype=np.int32),
        [of_replicates[0] for of_replicates in combined],
        np.array(sample_f1),
    )
