"""Quantiles of Student's distribution, against those of its definition."""

import math

import pytest

from seggrid.base.student import t_quantile


def probability(t, freedom):
    """P(|T| ≤ t), the density summed over small steps."""
    scale = math.gamma((freedom + 1) / 2) / math.gamma(freedom / 2) / math.sqrt(freedom * math.pi)
    step = t / 20_000
    places = ((n + 0.5) * step for n in range(20_000))
    return 2 * step * scale * sum((1 + x * x / freedom) ** (-(freedom + 1) / 2) for x in places)


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 9, 30])
@pytest.mark.parametrize("level", [0.5, 0.95])
def test_the_probability_within_a_quantile_is_the_level(freedom, level):
    assert probability(t_quantile(freedom, level), freedom) == pytest.approx(level, abs=1e-6)
