"""Draw and divide units at random: bootstrap resamples, as weights of the drawn units, and folds."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

ROUNDS = 1024
"""Number of resamples that are drawn at a time. It limits memory and does not change results."""

TAILS = ((1 - 0.95) / 2, (1 + 0.95) / 2)
"""The quantiles of resampled values between which a 95% interval lies."""


def bootstrap_weights(units: int, rounds: int, seed: int) -> NDArray[np.float32]:
    """The number of times that each unit is drawn in each bootstrap resample, shape (rounds, units).

    Every resample draws as many units as there are, with replacement (Efron and Tibshirani 1993, "An
    introduction to the bootstrap", chapter 6). If two figures are compared, both use the same
    weights, so that their difference is on the same units (usually sentences).
    """
    random = np.random.default_rng(seed)
    weights = np.empty((rounds, units), dtype=np.float32)
    for begin in range(0, rounds, ROUNDS):
        block = weights[begin : begin + ROUNDS]
        draws = random.integers(0, units, size=block.shape)
        draws += np.arange(len(block))[:, None] * units
        block[:] = np.bincount(draws.ravel(), minlength=block.size).reshape(block.shape)
    return weights


def random_folds(units: int, folds: int, seed: int) -> NDArray[np.int64]:
    """The fold of each unit, shape (units,): folds differ by at most one unit in size."""
    return np.asarray(np.random.default_rng(seed).permutation(units) % folds)


def bounds(name: str, ends: NDArray[np.floating]) -> dict[str, Any]:
    """The columns of the ends of intervals, shape (..., 2): `{name}_low` and `{name}_high`."""
    return {f"{name}_low": ends[..., 0], f"{name}_high": ends[..., 1]}
