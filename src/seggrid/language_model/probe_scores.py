"""How language models answer probes: a file for each model and probe, and the table of all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from seggrid.data.npz import read_arrays, write_arrays
from seggrid.score.significance import bootstrap_weights


@dataclass(frozen=True)
class ProbeScores:
    """The items of one probe as one model answers them.

    Attributes:
        credits: of each item, see `seggrid.language_model.probes.credits`, shape (I,).
        candidates: of each item, shape (I,).
        unknown: tokens of each item that the vocabulary does not hold, shape (I,).
    """

    credits: NDArray[np.floating]
    candidates: NDArray[np.integer]
    unknown: NDArray[np.integer]

    @property
    def accuracy(self) -> float:
        """The mean credit of an item."""
        return float(self.credits.mean())

    @property
    def chance(self) -> float:
        """The accuracy to expect of random choices."""
        return float((1 / self.candidates).mean())

    def interval(self, rounds: int, seed: int, level: float = 0.95) -> tuple[float, float]:
        """Percentile bootstrap interval of the accuracy over items."""
        weights = bootstrap_weights(len(self.credits), rounds, seed).astype(np.float64)
        values = weights @ self.credits.astype(np.float64) / len(self.credits)
        low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
        return float(low), float(high)


def write_probe_scores(path: str | Path, scores: ProbeScores) -> None:
    """Write the scores of a model and probe."""
    write_arrays(path, {field.name: getattr(scores, field.name) for field in fields(scores)})


def read_probe_scores(path: str | Path) -> ProbeScores:
    """Read what `write_probe_scores` wrote.

    Raises:
        InputError: the file is damaged.
    """
    arrays = read_arrays(path)
    credits = arrays.floats("credits", (None,))
    counts = [arrays.integers(name, credits.shape) for name in ("candidates", "unknown")]
    if not len(credits) or counts[0].min() < 1:
        raise arrays.damaged("no items, or items without candidates")
    return ProbeScores(credits, *counts)


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
        low, high = own.interval(rounds, seed)
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
    ('above chance', 'no difference', 'below chance')
    """
    return "above chance" if low > chance else "below chance" if high < chance else "no difference"
