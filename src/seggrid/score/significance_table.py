"""`results/significance.csv`: intervals and tests of a whole grid."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from seggrid.base.resampling import bootstrap_weights
from seggrid.score.counts import PairCounts
from seggrid.score.metrics import F1, METRICS
from seggrid.score.significance import (
    compare_cells,
    default_test_rounds,
    holm,
    intervals,
    pairs_with_seeds,
)

PARTNERS = ("words", "plain")
"""The two cells with which each cell is compared; the column `{partner}_cell` of the table of scores names
them."""


def summarize(
    counts: Mapping[str, PairCounts],
    cells: pd.DataFrame,
    *,
    seed: int,
    bootstrap_rounds: int = 2000,
    test_rounds: int | None = None,
) -> pd.DataFrame:
    """Intervals and tests of a whole grid: `results/significance.csv`.

    Args:
        counts: by pair, `results/counts.npz`.
        cells: `results/scores.csv`, of which the columns cell, words_cell, plain_cell and equal_cell
            are read.
        seed: seed of all resampling; each pair has its own resamples.
        bootstrap_rounds: number of bootstrap resamples.
        test_rounds: number of random assignments of a test; by default, `default_test_rounds`.

    Returns:
        One row for each cell that has counts, in the order of `cells`: cell; `{metric}_low` and
        `{metric}_high`; then for each comparison K, which is `words` or `plain`: `K`, the other cell;
        `delta_f1_K_low` and `delta_f1_K_high`, the interval of the difference in F1; `p_K`, the p-value of
        that difference; and `p_K_holm`, corrected over all comparisons of that kind in the grid, of which
        those of cells with the same tokens count once. Values are missing if there is no cell to compare
        with.
    """
    compared = cells[[f"{kind}_cell" for kind in PARTNERS]].set_axis(PARTNERS, axis=1)
    compared = compared.where(compared.ne(cells["cell"], axis=0), "").set_index(cells["cell"])
    comparisons = int((compared != "").sum().max()) if len(compared) else 0
    if test_rounds is None:
        test_rounds = default_test_rounds(bootstrap_rounds, comparisons)

    tables = []
    for _, own, seeds in pairs_with_seeds(counts, seed):
        tables.append(
            _summarize_pair(
                compared.reindex(own.cells.astype(object)).fillna(""),
                own,
                seeds=seeds,
                rounds=(bootstrap_rounds, test_rounds),
            )
        )
    if not tables:
        return pd.DataFrame({"cell": []})
    table = pd.concat(tables, ignore_index=True)
    for kind in PARTNERS:
        table[f"p_{kind}_holm"] = _corrected(table["cell"], table[kind], table[f"p_{kind}"], cells)
    order = {cell: row for row, cell in enumerate(cells["cell"])}
    table = table.sort_values("cell", key=lambda cell: cell.map(order), kind="stable")
    return table.reset_index(drop=True)


def _corrected(
    cell: pd.Series, other: pd.Series, p_values: pd.Series, cells: pd.DataFrame
) -> pd.Series:
    """P-values corrected by Holm's procedure; a comparison of cells with the same tokens counts once."""
    own = cells["equal_cell"].where(cells["equal_cell"] != "", cells["cell"])
    first_equal = dict(zip(cells["cell"], own, strict=True))
    compared = [names.map(lambda name: first_equal.get(name, "")) for names in (cell, other)]
    once = ~pd.DataFrame(dict(enumerate(compared))).duplicated()
    corrected = pd.Series(holm(p_values.where(once).to_numpy()), p_values.index)
    return corrected.groupby(compared).transform("first")


def _summarize_pair(
    compared: pd.DataFrame,
    counts: PairCounts,
    seeds: tuple[int, int],
    rounds: tuple[int, int],
) -> pd.DataFrame:
    """The rows of one pair; `compared` names, for each cell, the cells that it is compared with."""
    sure = counts.sure
    weights = bootstrap_weights(len(sure), rounds[0], seeds[0])
    bounds = np.empty((len(compared), len(METRICS), 2))
    for replicates in np.unique(counts.replicates):
        rows = np.flatnonzero(counts.replicates == replicates)
        bounds[rows] = intervals(counts.of(rows, replicates), sure, weights)
    columns: dict[str, object] = {"cell": compared.index}
    for m, metric in enumerate(METRICS):
        columns[f"{metric}_low"], columns[f"{metric}_high"] = bounds[:, m].T

    for kind in PARTNERS:
        others = compared.index.get_indexer(compared[kind])
        has_partner = others >= 0
        low, high, p = (np.full(len(compared), np.nan) for _ in range(3))
        rows = np.flatnonzero(has_partner)
        ends, p[rows] = compare_cells(counts, rows, others[rows], weights, (rounds[1], seeds[1]))
        low[rows], high[rows] = ends[:, F1].T
        columns[kind] = np.where(has_partner, compared[kind], "")
        columns[f"delta_f1_{kind}_low"], columns[f"delta_f1_{kind}_high"] = low, high
        columns[f"p_{kind}"] = p
    return pd.DataFrame(columns)
