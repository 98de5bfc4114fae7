"""The table of what fine-tuned language models predict, with bootstrap intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from seggrid.language_model.task_scores import TaskScores
from seggrid.score.significance import bootstrap_weights


def accuracies(scores: Sequence[TaskScores]) -> NDArray[np.float64]:
    """The accuracy of each seed, shape (K,)."""
    return np.array([own.right.sum() / own.labels.sum() for own in scores])


def interval(
    scores: Sequence[TaskScores], rounds: int, seed: int, level: float = 0.95
) -> tuple[float, float]:
    """Percentile bootstrap interval of the mean accuracy over seeds: over test sentences, which are resampled
    alike for all seeds."""
    weights = bootstrap_weights(len(scores[0].labels), rounds, seed).astype(np.float64)
    mean = np.mean([own.right for own in scores], axis=0)
    values = (weights @ mean) / np.maximum(1, weights @ scores[0].labels.astype(np.float64))
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def task_table(
    scores: Mapping[tuple[str, str], Sequence[TaskScores]],
    labels: Mapping[tuple[str, str], str],
    *,
    rounds: int,
    seed: int,
) -> pd.DataFrame:
    """One row for each model and task: `results/language_model_tasks.csv`.

    Args:
        scores: of each seed, by name of the model and name of the task.
        labels: where the labels of each are from.
        rounds, seed: of the bootstrap.

    Returns:
        Columns: model, task, labels, seeds, trained (sentences), sentences and tested (labels of the test),
        baseline, accuracy (mean over seeds), accuracy_sd (over seeds, of a sample; missing for one seed),
        accuracy_low, accuracy_high.
    """
    rows = []
    for (model, task), own in scores.items():
        values = accuracies(own)
        low, high = interval(own, rounds, seed)
        first = own[0]
        rows.append(
            {
                "model": model,
                "task": task,
                "labels": labels[model, task],
                "seeds": len(own),
                "trained": int(first.trained[0]),
                "sentences": len(first.labels),
                "tested": int(first.labels.sum()),
                "baseline": float(first.baseline.sum() / first.labels.sum()),
                "accuracy": float(values.mean()),
                "accuracy_sd": float(values.std(ddof=1)) if len(values) > 1 else None,
                "accuracy_low": low,
                "accuracy_high": high,
            }
        )
    return pd.DataFrame(rows)
