"""Compare settings across language pairs: mean ranks, and the choice of a setting on all other pairs."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt

import numpy as np
import pandas as pd
from numpy.typing import NDArray

FEWEST = 3
"""The fewest pairs for which settings are compared across pairs."""

_ROUNDS = 10_000
"""Number of random assignments in Friedman's test."""

COLUMNS = ("setting", "pairs", "mean_f1", "mean_rank", "critical_difference", "told_apart", "p")


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
    """Mean ranks of settings over pairs, with the critical difference.

    Demšar (2006), "Statistical comparisons of classifiers over multiple data sets", section 3.2.2.

    Args:
        across: see `scores_across`.
        seed: seed of the test.

    Returns:
        One row per setting, the best first: rank 1 is the highest F1 of a pair, and equal scores share their
        mean rank. `critical_difference` is Nemenyi's for 5%, and `told_apart` says whether the setting's mean
        rank differs from that of the best by more. `p` is that of Friedman's test; unless it is at most 0.05,
        no setting is told apart.
    """
    if across.empty or len(across) < 2:
        return pd.DataFrame(columns=list(COLUMNS))
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
