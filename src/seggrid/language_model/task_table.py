"""The table of what fine-tuned language models predict, with bootstrap intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from seggrid.language_model.task_scores import TaskScores
from seggrid.score.significance import bootstrap_weights


def seed_scores(scores: Sequence[TaskScores]) -> NDArray[np.float64]:
    """The score of each seed, shape (K,): F1, which for labels is their accuracy, since as many are predicted
    as are given."""
    return np.array([_f1(own.right.sum(), own.given.sum() + own.predicted.sum()) for own in scores])


def interval(
    scores: Sequence[TaskScores], rounds: int, seed: int, level: float = 0.95
) -> tuple[float, float]:
    """Percentile bootstrap interval of the mean score over seeds: over test sentences, which are resampled
    alike for all seeds."""
    weights = bootstrap_weights(len(scores[0].given), rounds, seed).astype(np.float64)
    values = np.mean(
        [_f1(weights @ own.right, weights @ (own.given + own.predicted)) for own in scores], axis=0
    )
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def task_table(
    scores: Mapping[tuple[str, str], Sequence[TaskScores]],
    labels: Mapping[tuple[str, str], tuple[str, str]],
    *,
    rounds: int,
    seed: int,
) -> pd.DataFrame:
    """One row for each model and task: `results/language_model_tasks.csv`.

    Args:
        scores: of each seed, by name of the model and name of the task.
        labels: where the labels of each are from, and the name of the measure.
        rounds, seed: of the bootstrap.

    Returns:
        Columns: model, task, labels, measure, seeds, trained (sentences), sentences and tested (labels or
        entities of the test), unknown (share of test tokens that the vocabulary lacks), baseline, score (mean
        over seeds), score_sd (over seeds, of a sample; missing for one seed), score_low, score_high.
    """
    rows = []
    for (model, task), own in scores.items():
        values = seed_scores(own)
        low, high = interval(own, rounds, seed)
        first = own[0]
        origin, measure = labels[model, task]
        baseline = _f1(first.baseline_right.sum(), (first.given + first.baseline_predicted).sum())
        rows.append(
            {
                "model": model,
                "task": task,
                "labels": origin,
                "measure": measure,
                "seeds": len(own),
                "trained": int(first.trained[0]),
                "sentences": len(first.given),
                "tested": int(first.given.sum()),
                "unknown": float(first.unknown[0] / max(1, first.unknown[1])),
                "baseline": float(baseline),
                "score": float(values.mean()),
                "score_sd": float(values.std(ddof=1)) if len(values) > 1 else None,
                "score_low": low,
                "score_high": high,
            }
        )
    return pd.DataFrame(rows)


def _f1(right: ArrayLike, both: ArrayLike) -> NDArray[np.float64]:
    """F1 of the number of right ones and the number of given and predicted ones; 0 without any."""
    return 2 * np.asarray(right, dtype=np.float64) / np.maximum(1, both)
