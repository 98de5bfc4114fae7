"""Compare chosen cells of a pair: differences in F1, with intervals and tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from seggrid.align import AXES as ALIGNER_AXES
from seggrid.base.resampling import bootstrap_weights
from seggrid.score.counts import PairCounts
from seggrid.score.metrics import F1, compute_metrics
from seggrid.score.significance import (
    default_test_rounds,
    difference_intervals,
    holm,
    pairs_with_seeds,
    randomization_test,
)


def contrast(
    counts: Mapping[str, PairCounts],
    comparisons: Sequence[tuple[str, str, str]],
    *,
    seed: int,
    rounds: int = 2000,
) -> pd.DataFrame:
    """Differences in F1 between cells, paired by sentence (see `seggrid.score.significance`).

    Args:
        counts: the content of `results/counts.npz`, by pair.
        comparisons: for each, the pair, a cell, and the cell with which it is compared.
        seed: seed of all resampling.
        rounds: number of bootstrap resamples; a test has `default_test_rounds` random assignments.

    Returns:
        One row for each comparison: `cell`, `other`, `f1`, `other_f1`, `delta_f1` with `delta_f1_low` and
        `delta_f1_high`, `p`, and `p_holm`, corrected over all of them.
    """
    tests = default_test_rounds(rounds, len(comparisons))
    rows = []
    for pair, own, (resampling, testing) in pairs_with_seeds(counts, seed):
        wanted = [(cell, other) for name, cell, other in comparisons if name == pair]
        if not wanted:
            continue
        index = {cell: i for i, cell in enumerate(own.cells.tolist())}
        weights = bootstrap_weights(len(own.sure), rounds, resampling)
        for cell, other in wanted:
            one, two = np.array([index[cell]]), np.array([index[other]])
            replicates = int(own.common(one, two)[0])
            ours, theirs = own.of(one, replicates), own.of(two, replicates)
            ends = difference_intervals(ours, theirs, own.sure, weights)[0, F1]
            f1 = [
                float(compute_metrics(c.sum(axis=2), own.sure.sum())[..., F1].mean())
                for c in (ours, theirs)
            ]
            row = {"cell": cell, "other": other, "f1": f1[0], "other_f1": f1[1]}
            row |= {"delta_f1": f1[0] - f1[1]}
            row |= {"delta_f1_low": float(ends[0]), "delta_f1_high": float(ends[1])}
            p = randomization_test(ours, theirs, own.sure, tests, testing)
            rows.append(row | {"p": float(p[0])})
    table = pd.DataFrame(rows)
    if rows:
        table["p_holm"] = holm(table["p"].to_numpy())
    return table


# Columns in which two compared cells are equal. Unless one of them is words, so are the sides and the size.
_ALIKE = (
    *("pair", "case", "sentences", "aligner", *ALIGNER_AXES),
    *("symmetrization", "replicates"),
)


def lexical_peers(scores: pd.DataFrame) -> list[tuple[str, str, str]]:
    """The comparisons of lexical cells: pair, lexical cell, and a cell of another segmenter of the same size.

    The other cells are those without dropout, sampling and knockout that segment the same sides and are
    aligned in the same way, and the words aligned in the same way.
    """
    whole = pd.to_numeric(scores["dropout"]).fillna(0) == 0
    for axis in ("knockout", "sampling"):
        if axis in scores:
            whole &= scores[axis].isin(["", "none"])
    plain = scores[whole & scores["f1"].notna()]
    alike = plain[[name for name in _ALIKE if name in plain]].map(str)
    words = plain["segmenter"] == "words"
    found = []
    for cell in plain[plain["segmenter"] == "lexical"].itertuples():
        same = (alike == alike.loc[cell.Index]).all(axis=1)
        sized = (plain["sides"] == cell.sides) & (plain["merges"] == cell.merges)
        others = plain[same & (words | sized) & (plain["segmenter"] != "lexical")]
        found += [(cell.pair, cell.cell, other) for other in others["cell"]]
    return found
