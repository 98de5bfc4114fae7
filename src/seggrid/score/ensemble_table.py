"""Tables of an ensemble: its scores compared with those of its best member, and the weights of its
members."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from seggrid.base.resampling import bootstrap_weights
from seggrid.corpus.gold import Gold
from seggrid.data.links import Links
from seggrid.score.ensemble import CrossValidated, Vote
from seggrid.score.metrics import AER, F1, METRICS, compute_metrics, count_hits
from seggrid.score.significance import (
    difference_intervals,
    intervals,
    randomization_test,
)


def compare_with_best(
    links: Links, names: Sequence[str], members: Sequence[Links], gold: Gold, rounds: int, seed: int
) -> dict[str, object]:
    """The scores of an ensemble and of the member with the least AER on the same sentences.

    The best member is chosen with the gold on which it is scored; the weights of the ensemble are not. So the
    comparison may favor the member, but not the ensemble.

    Args:
        links: links of the ensemble.
        names, members: names of the cells that vote, and their links.
        gold: gold of the same G sentences.
        rounds: number of bootstrap resamples; the test has five times as many random assignments.
        seed: seed of both.

    Returns:
        `members`, their number; each metric, with `_low` and `_high`; `best_member`; its metrics, as
        `best_{metric}`; `delta_f1` and `delta_aer`, those of the ensemble minus those of the member, with
        `_low` and `_high`; and `p`, the two-sided p-value that both have the same F1. Intervals cover 95%.
        Without a sure link in the gold, all but `members` are empty.
    """
    sure = np.diff(gold.sure.offsets)
    counts = np.stack([count_hits(some, gold.sure, gold.possible) for some in (links, *members)])
    metrics = compute_metrics(counts.sum(axis=1, dtype=np.int64), sure.sum())
    best = 1 + int(metrics[1:, AER].argmin())
    ours, theirs = (counts[[row], None] for row in (0, best))
    weights = bootstrap_weights(len(sure), rounds, seed)
    bounds = intervals(ours, sure, weights)[0]
    differences = difference_intervals(ours, theirs, sure, weights)[0]
    row: dict[str, object] = {"members": len(members)}
    for m, metric in enumerate(METRICS):
        row[metric] = metrics[0, m]
        row[f"{metric}_low"], row[f"{metric}_high"] = bounds[m]
    row["best_member"] = names[best - 1]
    row |= {f"best_{metric}": metrics[best, m] for m, metric in enumerate(METRICS)}
    for m, metric in ((F1, "f1"), (AER, "aer")):
        row[f"delta_{metric}"] = metrics[0, m] - metrics[best, m]
        row[f"delta_{metric}_low"], row[f"delta_{metric}_high"] = differences[m]
    row["p"] = randomization_test(ours, theirs, sure, 5 * rounds, seed)[0]
    return row if sure.any() else {name: row[name] if name == "members" else None for name in row}


def table_of_votes(
    names: Sequence[str], members: Sequence[Links], gold: Gold, found: CrossValidated | Vote
) -> pd.DataFrame:
    """One row for each member: its own `f1` and `aer` (empty without gold), its weight, and the bound on the
    sum of weights.

    Args:
        names, members, gold: as in `compare_with_best`.
        found: the vote. For a cross-validated ensemble, the weights are those chosen on all sentences, with
            the least and the largest chosen for a fold.
    """
    sure = int(np.diff(gold.sure.offsets).sum())
    own = np.array(
        [
            compute_metrics(count_hits(some, gold.sure, gold.possible).sum(axis=0), sure)
            for some in members
        ]
    )
    if not sure:
        own[:] = np.nan
    vote = found if isinstance(found, Vote) else found.every
    parts: NDArray[np.float64] = np.stack(
        [vote.weights] if isinstance(found, Vote) else [fold.weights for fold in found.votes]
    )
    return pd.DataFrame(
        {
            "member": list(names),
            "f1": own[:, F1],
            "aer": own[:, AER],
            "weight": vote.weights,
            "weight_low": parts.min(axis=0),
            "weight_high": parts.max(axis=0),
            "above": vote.above,
        }
    )
