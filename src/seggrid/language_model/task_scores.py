"""What a fine-tuned language model predicts, in memory and in a file."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seggrid.base.npz import read_arrays, write_arrays


@dataclass(frozen=True)
class TaskScores:
    """The test sentences of one fine-tuned model: numbers of labels, or of entities where those are scored.

    Attributes:
        right: number predicted rightly in each sentence, shape (S,).
        given: number in the gold standard of each sentence, shape (S,).
        predicted: number predicted in each sentence, shape (S,); of labels as many as `given`.
        baseline_right, baseline_predicted: the same of the baseline without a model, shape (S,).
        trained: number of training sentences, shape (1,).
        unknown: tokens of the test sentences that the vocabulary lacks, and all their tokens, shape (2,).
    """

    right: NDArray[np.integer]
    given: NDArray[np.integer]
    predicted: NDArray[np.integer]
    baseline_right: NDArray[np.integer]
    baseline_predicted: NDArray[np.integer]
    trained: NDArray[np.integer]
    unknown: NDArray[np.integer]


def write_task_scores(path: str | Path, scores: TaskScores) -> None:
    """Write the scores of one fine-tuned model."""
    write_arrays(path, {field.name: getattr(scores, field.name) for field in fields(scores)})


def read_task_scores(path: str | Path) -> TaskScores:
    """Read what `write_task_scores` wrote.

    Raises:
        InputError: the file is damaged.
    """
    arrays = read_arrays(path)
    right = arrays.integers("right", (None,))
    others = [
        arrays.integers(name, right.shape)
        for name in ("given", "predicted", "baseline_right", "baseline_predicted")
    ]
    trained, unknown = arrays.integers("trained", (1,)), arrays.integers("unknown", (2,))
    return TaskScores(right, *others, trained, unknown)
