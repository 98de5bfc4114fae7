"""The random search of settings for fine-tuning of Bauwens and Delobelle (2024), section B.2 and table 10."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

BATCHES = (16, 32, 64, 128, 256, 512)
"""The numbers of sequences per step from which one is drawn."""

LEARNING_RATES = (1e-6, 1e-3)
"""The range of the learning rate. Its distribution is not published; here its logarithm is uniform."""

WEIGHT_DECAYS = (0.01, 0.1)
"""The range of the weight decay, uniform."""


class Setting(NamedTuple):
    """Settings: sequences in a step, and learning rate and weight decay of AdamW."""

    batch: int
    learning_rate: float
    weight_decay: float

    def __str__(self) -> str:
        rate, decay = f"{self.learning_rate:.3g}", f"{self.weight_decay:.3g}"
        return f"batch {self.batch}, learning rate {rate}, weight decay {decay}"


def random_settings(number: int, seed: int) -> list[Setting]:
    """Draw settings. They depend only on the seed; of more settings, the first are the same."""
    drawn = []
    for trial in range(number):
        random = np.random.default_rng([seed, trial])
        batch = int(random.choice(BATCHES))
        rate = float(np.exp(random.uniform(*np.log(LEARNING_RATES))))
        drawn.append(Setting(batch, rate, float(random.uniform(*WEIGHT_DECAYS))))
    return drawn
