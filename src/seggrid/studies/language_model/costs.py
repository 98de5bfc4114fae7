"""What jobs of language models cost: the work of training, from which memory and time follow."""

from __future__ import annotations

import math
from typing import NamedTuple

from seggrid.grid.cost import Cost
from seggrid.studies.language_model.config import LanguageModelPlan, Task
from seggrid.studies.language_model.presets import PRESETS

COSTS = {
    # 4,000 steps of `tiny` on English text take 375 s.
    "language_model": Cost(5.0, 0.007, 0, 5.0),
    # Operations are counted for the longest sequence, but examples are shorter.
    "language_model_task": Cost(5.0, 0.002, 0, 0.1),
    # For 300 sentences or items.
    "language_model_scores": Cost(5.0, 0.0, 0, 0.1),
    "language_model_probes": Cost(5.0, 0.0, 0, 0.1),
}
"""The costs of the rules' jobs; their rates are CPU seconds for each 10⁹ operations."""

_STEPS, _EPOCHS = 500, 3
TASK_BATCH = 32
"""Defaults of tasks; the number of epochs, that of Bauwens and Delobelle (2024), table 10, is for
searches."""

_MANY_EXAMPLES = 20_000
_SLOWEST = 3e9
"""Lower bound of the multiplications and additions per second on one core, in matrix products."""
_LONGEST = 7 * 24 * 60


class Training(NamedTuple):
    """The work of a job that trains a language model: the approximate number of its weights, and of additions
    and multiplications (six for each weight and token)."""

    parameters: int
    operations: float

    def mem_mb(self, attempt: int = 1) -> int:
        """Memory in MB that a job asks for, with that of torch itself.

        >>> Training(10**6, 0).mem_mb(), Training(117 * 10**6, 0).mem_mb()
        (1532, 5244)
        """
        # Four bytes for each weight, its gradient and its two moments.
        weights_mb = 16e-6 * self.parameters
        return math.ceil((1500 + 2 * weights_mb) * 2.0 ** (attempt - 1))

    def minutes(self, attempt: int = 1) -> int:
        """Minutes that a job asks for, without a GPU; at most a week.

        >>> Training(0, 12 * 10**12).minutes(), Training(0, 7 * 10**18).minutes()
        (72, 10080)
        """
        minutes = 5 + self.operations / _SLOWEST / 60
        return min(_LONGEST, math.ceil(minutes * 2.0 ** (attempt - 1)))


def training(own: LanguageModelPlan) -> Training:
    """The work of training a model."""
    return _training(own, own.steps * own.batch)


def fine_tuning(own: LanguageModelPlan, name: str) -> Training:
    """The work of a task."""
    task = own.tasks[name]
    lasts = duration_of(task)
    if "steps" in lasts and not task.search:
        return _training(own, lasts["steps"] * (task.batch or TASK_BATCH))
    # The number of all examples is not known before the jobs.
    epochs = lasts.get("epochs", _EPOCHS)
    return _training(own, (task.search or 1) * epochs * (task.examples or _MANY_EXAMPLES))


def _training(own: LanguageModelPlan, examples: int) -> Training:
    vocabulary = (own.segmentation.merges or 10_000) + 1000
    parameters = PRESETS[own.size].parameters(vocabulary, own.sequence)
    return Training(parameters, 6.0 * parameters * examples * own.sequence)


def duration_of(task: Task) -> dict[str, int]:
    """How long a task trains: `steps`, or `epochs`."""
    if task.epochs or (task.search and not task.steps):
        return {"epochs": task.epochs or _EPOCHS}
    return {"steps": task.steps or _STEPS}
