"""Correlations of intrinsic measures of segmentations with alignment scores: `results/correlations.csv`."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from seggrid.align import AXES
from seggrid.base.resampling import bootstrap_weights
from seggrid.data.sides import SIDES
from seggrid.score.counts import PairCounts
from seggrid.score.metrics import METRICS
from seggrid.score.significance import pairs_with_seeds, resampled_metrics
from seggrid.segment.measures import MEASURES

SCORES = ("f1", "aer")
_GROUP = ("pair", "sentences", "aligner", *AXES, "symmetrization")
COLUMNS = (
    *(*_GROUP, "measure", "score"),
    *("cells", "spearman", "spearman_low", "spearman_high", "spearman_others"),
)
FEWEST = 5
"""The smallest number of cells, each of another segmentation, for a correlation."""
FEWEST_PAIRS = 3
"""The fewest pairs of which one is compared with the others."""


def spearman(measure: NDArray[np.float64], scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Spearman's rank correlations; equal values share their mean rank.

    Args:
        measure: values of C cells, shape (C,).
        scores: scores of the same cells in B resamples, shape (B, C).

    Returns:
        Shape (B,); nan where all values are equal.
    """
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
    level: float = 0.95,
) -> pd.DataFrame:
    """Rank correlation of each measure with F1 and AER over the cells of a pair.

    Only cells with one alignment are used, since the measures of a cell with samples are those of its first
    sample. Cells are ranked separately for each aligner and its axes (such as the layer), symmetrization and
    part of the text, since they would differ in more than the segmentation. Of cells that differ only in the
    number of replicates, the one with most is used. Intervals are over gold sentences: each resample draws
    the sentences, the same for all cells, and ranks the cells by their scores on these.

    Args:
        counts: by pair, `results/counts.npz`.
        cells: `results/scores.csv`.
        seed: seed of all resampling; resamples are those of the scores' intervals.
        rounds: number of bootstrap resamples.
        level: coverage of the intervals.

    Returns:
        One row for each such group of cells (columns of axes), measure and score, in that order: `cells`, the
        number of cells that have both; `spearman`, `spearman_low`, `spearman_high`, and `spearman_others`
        (see `with_others`). There is no row where fewer than `FEWEST` cells have the
        measure, or all have the same value.
    """
    names = [f"{name}_{side}" for name in MEASURES for side in SIDES]
    measures = [name for name in (*names, "parity") if name in cells]
    cells = cells.assign(**{axis: None for axis in _GROUP if axis not in cells})
    rows = []
    for pair, of_pair, (resampling, _) in pairs_with_seeds(counts, seed):
        weights = bootstrap_weights(len(of_pair.sure), rounds, resampling)
        place = {cell: row for row, cell in enumerate(of_pair.cells.tolist())}
        chosen = cells[
            (cells["pair"] == pair) & (cells["aggregate"] == "none") & cells["cell"].isin(place)
        ]
        # A segmentation counts once, whatever it was asked for.
        chosen = chosen.sort_values("replicates", ascending=False, kind="stable")
        chosen = chosen.drop_duplicates([*_GROUP, *SIDES])
        own = chosen["equal_cell"].where(chosen["equal_cell"] != "", chosen["cell"])
        chosen = chosen[~chosen[list(_GROUP)].assign(own=own).duplicated()].sort_index()
        for group, rows_of in chosen.groupby(list(_GROUP), sort=False, dropna=False):
            if len(rows_of) < FEWEST:
                continue
            at = np.array([place[cell] for cell in rows_of["cell"]], dtype=np.int64)
            drawn = resampled_metrics(of_pair, at, weights)
            for measure in measures:
                values = rows_of[measure].to_numpy(np.float64)
                there = ~np.isnan(values)
                if there.sum() < FEWEST or len(np.unique(values[there])) == 1:
                    continue
                for score in SCORES:
                    real = rows_of[score].to_numpy(np.float64)[None, there]
                    among = drawn[:, there, METRICS.index(score)]
                    tails = [(1 - level) / 2, (1 + level) / 2]
                    low, high = np.nanquantile(spearman(values[there], among), tails)
                    (correlation,) = spearman(values[there], real)
                    found = (measure, score, int(there.sum()), correlation, low, high)
                    rows.append((*group, *found))
    return with_others(pd.DataFrame(rows, columns=list(COLUMNS[:-1])))


def with_others(table: pd.DataFrame) -> pd.DataFrame:
    """The correlations with the column `spearman_others`: what the other pairs would let one expect.

    It is the mean of the correlations of all other pairs under the same settings, and missing if there are
    fewer than `FEWEST_PAIRS`.

    Args:
        table: one row for each group of cells, measure and score.
    """
    alike = table.groupby(
        [*(axis for axis in _GROUP if axis != "pair"), "measure", "score"], sort=False, dropna=False
    )
    pairs, total = (alike["spearman"].transform(how) for how in ("count", "sum"))
    others = (total - table["spearman"]) / (pairs - 1)
    return table.assign(spearman_others=others.where(pairs >= FEWEST_PAIRS).astype(float))
