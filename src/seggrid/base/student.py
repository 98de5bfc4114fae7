"""Intervals of the mean of a few independent values by Student's t distribution."""

from __future__ import annotations

from math import cos, pi, sin, sqrt

import numpy as np
from numpy.typing import NDArray


def mean_interval(values: NDArray[np.float64], level: float = 0.95) -> NDArray[np.float64]:
    """The interval of the mean of K values, for each of M columns: mean ± t · sd / √K.

    Args:
        values: shape (K, M), K ≥ 2.
        level: coverage.

    Returns:
        Lower and upper end, shape (M, 2).

    >>> mean_interval(np.array([[1.0], [2.0], [3.0]])).round(2).tolist()
    [[-0.48, 4.48]]
    """
    size = len(values)
    half = t_quantile(size - 1, level) * values.std(axis=0, ddof=1) / sqrt(size)
    mean = values.mean(axis=0)
    return np.stack([mean - half, mean + half], axis=-1)


def t_quantile(freedom: int, level: float) -> float:
    """The t for which P(|T| ≤ t) is `level`, by bisection.

    Args:
        freedom: degrees of freedom, at least 1.
        level: a probability between 0 and 1.

    >>> round(t_quantile(2, 0.95), 3), round(t_quantile(4, 0.95), 3)
    (4.303, 2.776)
    """
    # Bisection over the angle whose tangent is t / √freedom, since t has no upper bound.
    low, high = 0.0, pi / 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _within(middle, freedom) < level else (low, middle)
    return sqrt(freedom) * sin(low) / cos(low)


def _within(angle: float, freedom: int) -> float:
    """P(|T| ≤ t) for a whole number of degrees of freedom (Abramowitz and Stegun 1964, 26.7.3 and 26.7.4)."""
    odd = freedom % 2
    term = cos(angle) if odd else 1.0
    total = 0.0
    for power in range(1 + odd, freedom, 2):
        total += term
        term *= cos(angle) ** 2 * power / (power + 1)
    return (angle + sin(angle) * total) * 2 / pi if odd else sin(angle) * total
