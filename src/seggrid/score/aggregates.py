"""The two kinds of aggregates: thresholds on votes and thresholds on probabilities."""

from __future__ import annotations

POSTERIOR = "posterior-"
"""Prefix of aggregates that are thresholds on probabilities, not on votes."""


def is_posterior(aggregate: object) -> bool:
    """Whether an aggregate is a threshold on probabilities."""
    return isinstance(aggregate, str) and aggregate.startswith(POSTERIOR)
