"""Correlations of intrinsic measures of segmentations with alignment scores: `results/correlations.csv`."""

from __future__ import annotations

from math import atanh, nan, sqrt, tanh

import numpy as np
import pandas as pd

from seggrid.align import AXES
from seggrid.align.alignability import COLUMNS as ALIGNABILITY
from seggrid.segment.measures import MEASURES
from seggrid.text.sides import SIDES

SCORES = ("f1", "aer")
FEWEST = 10
"""The smallest number of cells, each of another segmentation, for a correlation."""
FEWEST_PAIRS = 3
"""The fewest pairs for which each is compared with the others."""
_QUANTILE = 1.959964
"""Of the normal distribution, for intervals of 95%."""


def correlation_columns() -> tuple[str, ...]:
    """The columns of the table."""
    found = "cells", "spearman", "spearman_low", "spearman_high", "spearman_others"
    return *_group(), "measure", "score", *found


def _group() -> tuple[str, ...]:
    """The columns in which cells that are ranked together are equal, with the axes of plug-ins."""
    return "pair", "sentences", "case", "aligner", *AXES, "symmetrization", "aggregate"


def spearman(one: pd.Series, other: pd.Series) -> float:
    """Spearman's rank correlation; equal values share their mean rank. Nan if all values of one are equal."""
    # Rounded, so that values that differ only in the last bit of a quotient are equal.
    ranks = [values.round(12).rank() for values in (one, other)]
    if min(each.nunique() for each in ranks) == 1:
        return nan
    return float(np.corrcoef(*ranks)[0, 1])


def correlation_interval(correlation: float, cells: int) -> tuple[float, float]:
    """The 95% confidence interval of a rank correlation over cells, as if these were drawn from all that
    might be tried (Bonett and Wright 2000, "Sample size requirements for estimating Pearson, Kendall and
    Spearman correlations", Psychometrika 65, equation 3); nan if the ranks agree wholly, where it has none.

    >>> [round(end, 2) for end in correlation_interval(0.8, 10)]
    [0.24, 0.96]
    """
    if not abs(correlation) < 1 - 1e-12:
        return nan, nan
    half = _QUANTILE * sqrt((1 + correlation**2 / 2) / (cells - 3))
    return tanh(atanh(correlation) - half), tanh(atanh(correlation) + half)


def correlate(cells: pd.DataFrame) -> pd.DataFrame:
    """Rank correlation of each measure with F1 and AER over the cells of a pair, from `results/scores.csv`: a
    row for each group of cells, measure and score, but for measures that fewer than `FEWEST` cells have, or
    all have alike.

    Cells with several samples are left out, since their measures are those of the first sample only. Cells
    are ranked together that differ in their segmentation alone: those of one aligner, value of its axes (such
    as the layer), symmetrization, threshold, case and part of the text. Of cells that differ only in the
    number of replicates, the one with most is used.
    """
    alike = _group()
    names = [f"{name}_{side}" for name in MEASURES for side in SIDES]
    measures = [name for name in (*names, "parity", *ALIGNABILITY) if name in cells]
    cells = cells.assign(**{axis: None for axis in alike if axis not in cells})
    chosen = cells[(cells["samples"] == 1) & cells[[*SCORES]].notna().all(axis=1)]
    # Equal segmentations count once, even if their settings differ.
    chosen = chosen.sort_values("replicates", ascending=False, kind="stable")
    chosen = chosen.drop_duplicates([*alike, *SIDES])
    own = chosen["equal_cell"].where(chosen["equal_cell"] != "", chosen["cell"])
    chosen = chosen[~chosen[list(alike)].assign(own=own).duplicated()].sort_index()
    rows = []
    for group, members in chosen.groupby(list(alike), sort=False, dropna=False):
        for measure in measures:
            known = members[members[measure].notna()]
            if len(known) < FEWEST or known[measure].nunique() == 1:
                continue
            for score in SCORES:
                correlation = spearman(known[measure], known[score])
                found = (
                    measure,
                    score,
                    len(known),
                    correlation,
                    *correlation_interval(correlation, len(known)),
                )
                rows.append((*group, *found))
    return with_others(pd.DataFrame(rows, columns=list(correlation_columns()[:-1])))


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
