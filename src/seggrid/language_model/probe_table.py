"""The table of how language models answer probes, with bootstrap intervals."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from seggrid.language_model.probe_scores import ProbeScores
from seggrid.score.significance import bootstrap_weights


def interval(
    scores: ProbeScores, rounds: int, seed: int, level: float = 0.95
) -> tuple[float, float]:
    """Percentile bootstrap interval of the accuracy over items."""
    weights = bootstrap_weights(len(scores.credits), rounds, seed).astype(np.float64)
    values = weights @ scores.credits.astype(np.float64) / len(scores.credits)
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def probe_table(
    scores: Mapping[tuple[str, str], ProbeScores], *, rounds: int, seed: int
) -> pd.DataFrame:
    """One row for each model and probe: `results/language_model_probes.csv`.

    Args:
        scores: by name of the model and name of the probe.
        rounds, seed: of the bootstrap.

    Returns:
        Columns: model, probe, items, chance, accuracy with `_low` and `_high`, verdict (`above chance` or
        `below chance` where the interval excludes the chance level), unknown (share of items with
        a token that the vocabulary does not hold).
    """
    rows = []
    for (model, probe), own in scores.items():
        low, high = interval(own, rounds, seed)
        rows.append(
            {
                "model": model,
                "probe": probe,
                "items": len(own.credits),
                "chance": own.chance,
                "accuracy": own.accuracy,
                "accuracy_low": low,
                "accuracy_high": high,
                "verdict": beside_chance(low, high, own.chance),
                "unknown": float((own.unknown > 0).mean()),
            }
        )
    return pd.DataFrame(rows)


def beside_chance(low: float, high: float, chance: float) -> str:
    """The verdict of an accuracy's interval.

    >>> beside_chance(0.6, 0.7, 0.5), beside_chance(0.4, 0.6, 0.5), beside_chance(0.3, 0.4, 0.5)
    ('above chance', 'not shown', 'below chance')
    """
    return "above chance" if low > chance else "below chance" if high < chance else "not shown"
