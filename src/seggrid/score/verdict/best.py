"""Which cells may be the best: a confidence set, from resampled scores."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_CLEARLY = 3.0
"""A rival is left out if it is worse than the benchmark by more standard deviations than this."""

_REFINED = 0.01


def p_of_best(f1: NDArray[np.float64], resampled: NDArray[np.float64]) -> NDArray[np.float64]:
    """For each cell, the p-value of the hypothesis that no other cell is better.

    This is a reality check (White 2000, "A reality check for data snooping", Econometrica 68) with the cell
    as the benchmark and all cells as its rivals. The largest lead over the cell is compared with the largest
    lead in resamples in which each cell's score is subtracted, so that no cell is better than another. So p
    is corrected for the number of cells and for how similar they are. Rivals that are clearly worse than the
    benchmark are left out, since they would only add noise (Hansen 2005, "A test for superior predictive
    ability", Journal of Business & Economic Statistics 23; his bound is lower, about 2). This is not done
    if p is at most 0.01 already.

    The set of cells with p above 0.05 contains the best cell with a probability of at least 95%.

    Args:
        f1: scores of C cells, shape (C,).
        resampled: the same in B resamples, shape (B, C).

    Returns:
        Shape (C,); at least 1 / (B + 1), since the real scores count as one resample.
    """
    noise = np.ascontiguousarray((resampled - f1).T)
    every = noise.max(axis=0)
    p = np.array([_p(every, own, f1.max() - score) for own, score in zip(noise, f1, strict=True)])
    for cell in np.flatnonzero(p > _REFINED):
        spread = np.std(noise - noise[cell], axis=1)
        rivals = f1 - f1[cell] >= -_CLEARLY * spread
        p[cell] = _p(noise[rivals].max(axis=0), noise[cell], f1.max() - f1[cell])
    return p


def _p(lead: NDArray[np.float64], own: NDArray[np.float64], real: float) -> float:
    # Equal leads must compare as equal despite rounding in the last bit.
    return float((1 + (lead - own >= real - 1e-12).sum()) / (len(own) + 1))
