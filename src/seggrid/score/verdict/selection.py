"""Nested selection: the score of a choice among cells, on sentences that had no part in the choice.

The F1 of the best of many cells is too high if the same sentences choose and score (Cawley and Talbot 2010,
"On over-fitting in model selection and subsequent selection bias in performance evaluation"). So gold
sentences are divided into folds, and the sentences of a fold are scored with the cell that has the highest F1
on all other sentences.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seggrid.score.counts import PairCounts
from seggrid.score.metrics import F1, compute_metrics


@dataclass(frozen=True)
class Selection:
    """A choice among cells, given by their indices.

    Attributes:
        best: the cell with the highest F1 on all sentences.
        chosen: for each of K folds, the cell with the highest F1 on all other folds, shape (K,).
        counts: links, sure hits and possible hits of each sentence in the cell that was chosen without it,
            shape (R, G, 3) with R replicates.
    """

    best: int
    chosen: NDArray[np.int64]
    counts: NDArray[np.integer]


def f1_without_folds(counts: PairCounts, fold: NDArray[np.integer]) -> NDArray[np.float64]:
    """F1 of each cell on all sentences except those of a fold, for each of K folds, and on all sentences.

    Args:
        counts: counts of a pair's C cells.
        fold: the fold of each sentence, from 0 to K - 1, shape (G,).

    Returns:
        Means over replicates, shape (K + 1, C).
    """
    member = fold[:, None] == np.arange(fold.max() + 1)
    kept = np.column_stack([~member, np.ones(len(fold), dtype=np.bool_)]).astype(np.float64)
    sums = np.einsum("ngx,gk->knx", counts.counts.astype(np.float64), kept, optimize=True)
    f1 = compute_metrics(sums, (counts.sure @ kept)[:, None])[..., F1]
    starts = np.cumsum(counts.replicates) - counts.replicates
    return np.asarray(np.add.reduceat(f1, starts, axis=1) / counts.replicates)


def select(
    counts: PairCounts,
    family: NDArray[np.integer],
    fold: NDArray[np.integer],
    f1: NDArray[np.float64],
) -> Selection:
    """Choose among some cells, once with all sentences and once without those of each fold.

    Of cells with equal F1, the first is chosen.

    Args:
        counts: counts of the pair.
        family: indices of the cells to choose from, shape (N,), N at least 1.
        fold: the fold of each sentence, shape (G,).
        f1: see `f1_without_folds`.
    """
    *chosen, best = family[f1[:, family].argmax(axis=1)].tolist()
    own = np.array(chosen, dtype=np.int64)
    return Selection(best, own, held_out(counts, own, fold))


def held_out(
    counts: PairCounts, chosen: NDArray[np.integer], fold: NDArray[np.integer]
) -> NDArray[np.integer]:
    """The counts of each sentence in the cell that was chosen for its fold, shape (R, G, 3).

    R is the least common multiple of the cells' numbers of replicates, so that each replicate counts equally
    often.
    """
    replicates = int(np.lcm.reduce(counts.replicates[chosen]))
    fold_counts = counts.of(chosen, replicates)
    return fold_counts[fold, :, np.arange(len(fold))].transpose(1, 0, 2)
