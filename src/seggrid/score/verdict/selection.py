"""Nested selection: the score of a choice among cells, on sentences that had no part in the choice; families
of cells to choose from; and which cells may be the best.

The F1 of the best of many cells is too high if the same sentences choose and score (Cawley and Talbot 2010,
"On over-fitting in model selection and subsequent selection bias in performance evaluation"). So gold
sentences are divided into folds, and the sentences of a fold are scored with the cell that has the highest F1
on all other sentences.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from seggrid.align import ALIGNERS
from seggrid.score.counts import PairCounts
from seggrid.score.metrics import F1, compute_metrics

ALL, WORDS = "all", "words"

_CLEARLY = 3.0
"""A rival is left out if it is worse than the benchmark by more standard deviations than this."""

_REFINED = 0.01


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
    return counts.over_replicates(f1)


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


def families(cells: pd.DataFrame) -> Iterator[tuple[str, NDArray[np.bool_]]]:
    """The families of a pair's cells, each with the cells that belong to it.

    The families are all cells, the words, the cells of each segmenter and of each aligner, and, if the pair
    has both kinds, the cells of statistical and of neural aligners. A family with the same cells as an
    earlier one is left out.

    Args:
        cells: the rows of `results/scores.csv` of one pair.
    """
    neural = cells["aligner"].map(lambda name: ALIGNERS[name].encodes)
    words = cells["sides"] == "none"
    found = {ALL: pd.Series(True, cells.index), WORDS: words}
    found |= {"statistical aligners": ~neural, "neural aligners": neural}
    for axis in ("segmenter", "aligner"):
        for value in cells[axis].unique():
            found[f"{axis} {value}"] = (cells[axis] == value) & ((axis != "segmenter") | ~words)
    earlier: set[bytes] = set()
    for name, rows in found.items():
        member = rows.to_numpy(dtype=np.bool_)
        if member.any() and member.tobytes() not in earlier:
            earlier.add(member.tobytes())
            yield name, member


def p_of_best(f1: NDArray[np.float64], resampled: NDArray[np.float64]) -> NDArray[np.float64]:
    """For each cell, the p-value of the hypothesis that no other cell is better.

    This is a reality check (White 2000, "A reality check for data snooping", Econometrica 68) with the cell
    as the benchmark and all cells as its rivals. The largest lead over the cell is compared with the largest
    lead in resamples in which each cell's score is subtracted, so that no cell is better than another. So p
    is corrected for the number of cells and for how similar they are. Rivals that are clearly worse than the
    benchmark are left out, since they would only add noise (Hansen 2005, "A test for superior predictive
    ability", Journal of Business & Economic Statistics 23; his bound is lower, about 2). This is not done
    if p is at most 0.01 already.

    The set of cells with p above 0.05 contains the best cell with a probability of at least 95%.

    Args:
        f1: scores of C cells, shape (C,).
        resampled: the same in B resamples, shape (B, C).

    Returns:
        Shape (C,); at least 1 / (B + 1), since the real scores count as one resample.
    """
    noise = np.ascontiguousarray((resampled - f1).T)
    every = noise.max(axis=0)
    p = np.array([_p(every, own, f1.max() - score) for own, score in zip(noise, f1, strict=True)])
    for cell in np.flatnonzero(p > _REFINED):
        spread = np.std(noise - noise[cell], axis=1)
        rivals = f1 - f1[cell] >= -_CLEARLY * spread
        p[cell] = _p(noise[rivals].max(axis=0), noise[cell], f1.max() - f1[cell])
    return p


def _p(lead: NDArray[np.float64], own: NDArray[np.float64], real: float) -> float:
    # Equal leads must compare as equal despite rounding in the last bit.
    return float((1 + (lead - own >= real - 1e-12).sum()) / (len(own) + 1))
