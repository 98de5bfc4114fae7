"""Correlations of intrinsic measures of segmentations with alignment scores: `results/correlations.csv`."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from seggrid.align import AXES
from seggrid.base.resampling import TAILS, bootstrap_weights
from seggrid.data.sides import SIDES
from seggrid.score.counts import PairCounts
from seggrid.score.metrics import METRICS
from seggrid.score.significance import pairs_with_seeds, resampled_metrics
from seggrid.segment.measures import MEASURES

SCORES = ("f1", "aer")
FEWEST = 5
"""The smallest number of cells, each of another segmentation, for a correlation."""
FEWEST_PAIRS = 3
"""The fewest pairs for which each is compared with the others."""


def columns() -> tuple[str, ...]:
    """The columns of the table."""
    found = "cells", "spearman", "spearman_low", "spearman_high", "spearman_others"
    return *_group(), "measure", "score", *found


def _group() -> tuple[str, ...]:
    """The columns in which cells that are ranked together are equal, with the axes of plug-ins."""
    return "pair", "sentences", "aligner", *AXES, "symmetrization"


def spearman(measure: NDArray[np.float64], scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Spearman's rank correlations, shape (B,), of values of C cells with their scores in B resamples, shape
    (B, C). Equal values share their mean rank; nan if all values are equal."""
    ours = _centered(measure[None])
    theirs = _centered(scores)
    norms = np.sqrt((ours**2).sum(axis=1) * (theirs**2).sum(axis=1))
    with np.errstate(invalid="ignore"):
        return np.asarray((theirs @ ours[0]) / norms)


def _centered(values: NDArray[np.float64]) -> NDArray[np.float64]:
    # Rounded, so that values that differ only in the last bit of a quotient are equal.
    ranks = pd.DataFrame(np.round(values, 12)).rank(axis=1).to_numpy()
    return np.asarray(ranks - ranks.mean(axis=1, keepdims=True))


def correlate(
    counts: Mapping[str, PairCounts],
    cells: pd.DataFrame,
    *,
    seed: int,
    rounds: int = 2000,
) -> pd.DataFrame:
    """Rank correlation of each measure with F1 and AER over the cells of a pair: a row for each group of
    cells, measure and score, but for measures that fewer than `FEWEST` cells have, or all have alike.

    Cells with several samples are left out, since their measures are those of the first sample only. Cells
    are ranked separately for each aligner, value of its axes (such as the layer), symmetrization and part of
    the text: otherwise they would differ in more than the segmentation. Of cells that differ only in the
    number of replicates, the one with most is used. Intervals are over gold sentences: each resample draws
    sentences, the same for all cells and as for the intervals of scores, and ranks the cells by their scores
    on these.
    """
    alike = _group()
    names = [f"{name}_{side}" for name in MEASURES for side in SIDES]
    measures = [name for name in (*names, "parity") if name in cells]
    cells = cells.assign(**{axis: None for axis in alike if axis not in cells})
    rows = []
    for pair, pair_counts, (resampling, _) in pairs_with_seeds(counts, seed):
        weights = bootstrap_weights(len(pair_counts.sure), rounds, resampling)
        place = pair_counts.place
        chosen = cells[
            (cells["pair"] == pair) & (cells["aggregate"] == "none") & cells["cell"].isin(place)
        ]
        # Equal segmentations count once, even if their settings differ.
        chosen = chosen.sort_values("replicates", ascending=False, kind="stable")
        chosen = chosen.drop_duplicates([*alike, *SIDES])
        own = chosen["equal_cell"].where(chosen["equal_cell"] != "", chosen["cell"])
        chosen = chosen[~chosen[list(alike)].assign(own=own).duplicated()].sort_index()
        for group, members in chosen.groupby(list(alike), sort=False, dropna=False):
            if len(members) < FEWEST:
                continue
            at = np.array([place[cell] for cell in members["cell"]], dtype=np.int64)
            drawn = resampled_metrics(pair_counts, at, weights)
            for measure in measures:
                values = members[measure].to_numpy(np.float64)
                measured = ~np.isnan(values)
                if measured.sum() < FEWEST or len(np.unique(values[measured])) == 1:
                    continue
                for score in SCORES:
                    real = members[score].to_numpy(np.float64)[None, measured]
                    among = drawn[:, measured, METRICS.index(score)]
                    low, high = np.nanquantile(spearman(values[measured], among), TAILS)
                    (correlation,) = spearman(values[measured], real)
                    found = (measure, score, int(measured.sum()), correlation, low, high)
                    rows.append((*group, *found))
    return with_others(pd.DataFrame(rows, columns=list(columns()[:-1])))


def with_others(table: pd.DataFrame) -> pd.DataFrame:
    """Add the column `spearman_others`: the mean of the correlations of all other pairs under the same
    settings, missing with fewer than `FEWEST_PAIRS` pairs."""
    alike = table.groupby(
        [*(axis for axis in _group() if axis != "pair"), "measure", "score"],
        sort=False,
        dropna=False,
    )
    pairs, total = (alike["spearman"].transform(how) for how in ("count", "sum"))
    others = (total - table["spearman"]) / (pairs - 1)
    return table.assign(spearman_others=others.where(pairs >= FEWEST_PAIRS).astype(float))
