"""Nested selection: the score of a choice among cells, on sentences that had no part in the choice; families
of cells to choose from; which cells may be the best; and settings across pairs.

The F1 of the best of many cells is too high if the same sentences choose and score (Cawley and Talbot 2010,
"On over-fitting in model selection and subsequent selection bias in performance evaluation"). So gold
sentences are divided into folds, and the sentences of a fold are scored with the cell that has the highest F1
on all other sentences.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import sqrt

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from seggrid.align import ALIGNERS
from seggrid.base.result_tables import BY_NAME
from seggrid.score.counts import PairCounts
from seggrid.score.metrics import F1, compute_metrics

ALL, WORDS = "all", "words"

_CLEARLY = 3.0
"""A rival is left out if it is worse than the benchmark by more standard deviations than this."""

_REFINED = 0.01


@dataclass(frozen=True)
class Selection:
    """A choice among cells, which are given by their indices.

    Attributes:
        best: the cell with the highest F1 on all sentences.
        chosen: for each of K folds, the cell with the highest F1 on all others, shape (K,).
        counts: counts of each sentence in the cell that was chosen without it, shape (R, G, 3) with R
            replicates.
    """

    best: int
    chosen: NDArray[np.int64]
    counts: NDArray[np.integer]


def f1_without_folds(counts: PairCounts, fold: NDArray[np.integer]) -> NDArray[np.float64]:
    """F1 of each of a pair's C cells on all sentences except those of a fold, for each of K, and on all
    sentences: means over replicates, shape (K + 1, C). `fold` is the fold of each sentence, from 0 to K - 1,
    shape (G,)."""
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
    """Choose among some cells (by index, at least one), once with all sentences and once without those of
    each fold. Of cells with equal F1 (`f1_without_folds`), the first is chosen."""
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
    """The families of a pair's cells, from their rows in `results/scores.csv`, each with the cells that
    belong to it.

    The families are all cells, the words, the cells of each segmenter and of each aligner, and, if the pair
    has both kinds, the cells of statistical and of neural aligners. A family with the same cells as an
    earlier one is left out.
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
    """For each of C cells, the p-value of the hypothesis that no other cell is better, from their scores and
    those in B resamples, shape (B, C); at least 1 / (B + 1), since the real scores count as one resample.

    This is a reality check (White 2000, "A reality check for data snooping", Econometrica 68) with the cell
    as the benchmark and all cells as its rivals. The largest lead over the cell is compared with the largest
    lead in resamples in which each cell's score is subtracted, so that no cell is better than another. So p
    is corrected for the number of cells and for how similar they are. Rivals that are clearly worse than the
    benchmark are left out, since they would only add noise (Hansen 2005, "A test for superior predictive
    ability", Journal of Business & Economic Statistics 23; his bound is lower, about 2). This is not done if
    p is at most 0.01 already.

    The set of cells with p above 0.05 contains the best cell with a probability of at least 95%.
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


# Settings across language pairs: the choice of a setting on all other pairs, and mean ranks.

FEWEST = 3
"""The fewest pairs for which settings are compared across pairs."""

_ROUNDS = 10_000
"""Number of random assignments in Friedman's test."""


def settings_of(cells: pd.Series) -> pd.Series:
    """The settings of cells: their names without the pair."""
    return cells.map(lambda name: name.partition("/")[2])


def scores_across(scores: pd.DataFrame) -> pd.DataFrame:
    """F1 of each setting (row) on each pair (column), for settings that every pair with gold has.

    Empty if there are fewer than `FEWEST` pairs.
    """
    scored = scores[scores["f1"].notna() & (scores["equal_cell"] == "")]
    scored_settings = pd.DataFrame({"setting": settings_of(scored["cell"]), "pair": scored["pair"]})
    wide = (
        scored_settings.assign(f1=scored["f1"])
        .pivot(index="setting", columns="pair", values="f1")
        .dropna()
    )
    order = dict.fromkeys(name for name in scored_settings["setting"] if name in wide.index)
    return wide.loc[list(order)] if wide.shape[1] >= FEWEST else wide.iloc[:0]


def chosen_on_others(across: pd.DataFrame) -> Mapping[str, str]:
    """For each pair, the setting with the highest mean F1 on all other pairs; among equal ones, the first."""
    if across.empty:
        return {}
    return {pair: across.drop(columns=pair).mean(axis=1).idxmax() for pair in across}


def mean_ranks(across: pd.DataFrame, *, seed: int) -> pd.DataFrame:
    """Mean ranks of settings over pairs (`scores_across`), with the critical difference; the best first.

    Demšar (2006), "Statistical comparisons of classifiers over multiple data sets", section 3.2.2.

    Rank 1 is the highest F1 of a pair, and equal scores share their mean rank. `critical_difference` is
    Nemenyi's for 5%, and `told_apart` says whether the setting's mean rank differs from that of the best by
    more. `p` is that of Friedman's test; unless it is at most 0.05, no setting is told apart.
    """
    if across.empty or len(across) < 2:
        return pd.DataFrame(columns=BY_NAME["ranks"].column_names())
    ranks = across.round(12).rank(ascending=False).to_numpy()
    settings, pairs = ranks.shape
    p = friedman(ranks, seed)
    critical = nemenyi(settings) * sqrt(settings * (settings + 1) / (6 * pairs))
    mean = ranks.mean(axis=1)
    table = pd.DataFrame(
        {
            "setting": across.index,
            "pairs": pairs,
            "mean_f1": across.mean(axis=1).to_numpy(),
            "mean_rank": mean,
            "critical_difference": critical,
            "told_apart": np.where((mean - mean.min() > critical) & (p <= 0.05), "yes", "no"),
            "p": p,
        }
    )
    return table.sort_values("mean_rank", kind="stable", ignore_index=True)


def friedman(ranks: NDArray[np.float64], seed: int) -> float:
    """P-value of Friedman's test (1937) that S settings are equally good, by random assignments of their
    ranks within each of P pairs, shape (S, P). The real assignment counts as one."""
    random = np.random.default_rng(seed)

    def spread(assigned: NDArray[np.float64]) -> float:
        return float((assigned.sum(axis=1) ** 2).sum())

    real = spread(ranks)
    drawn = (spread(random.permuted(ranks, axis=0)) for _ in range(_ROUNDS))
    return (1 + sum(one >= real - 1e-9 for one in drawn)) / (_ROUNDS + 1)


def nemenyi(settings: int) -> float:
    """The factor of Nemenyi's test for 5%: the studentized range of S groups without limit, divided by √2.

    >>> [round(nemenyi(settings), 3) for settings in (2, 5, 10)]
    [1.96, 2.728, 3.164]
    """
    from scipy.stats import studentized_range  # A second to import, and few grids have three pairs.

    return float(studentized_range.ppf(0.95, settings, np.inf)) / sqrt(2)
