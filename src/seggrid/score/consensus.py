"""The consensus of a cell with other cells: a measure of alignment quality that needs no gold.

Each cell gives probabilities of links between words. The mean of the other cells' probabilities takes the
place of the gold: the measure is the F1 that a cell's links are expected to have if these probabilities are
right. A cell that errs where the others do not scores low, and high probabilities of its own do not raise its
score. docs/studies/recommend.md shows that the measure correlates with quality, unlike the agreement of
directions, and unlike entropy.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from seggrid.data.links import Links, key_bits
from seggrid.score.votes import Means

HITS, LINKS, EXPECTED = range(3)


def evidence(cells: Sequence[Means], thresholds: Sequence[float]) -> NDArray[np.float64]:
    """The counts of each sentence; the measure is computed from their sums.

    Args:
        cells: the probabilities of links by C cells, two or more, of the same S sentence pairs.
        thresholds: T thresholds; a cell keeps the links whose probability is greater.

    Returns:
        Shape (C, T, S, 3): the expected number of kept links that are right; the number of kept links; the
        expected number of links in the sentence. Expectations are by the other cells' probabilities.
    """
    sets = [cell.links for cell in cells]
    bits = key_bits(sets)
    keys = np.unique(np.concatenate([links.keys(bits) for links in sets]))
    probability = np.zeros((len(cells), len(keys)))
    for row, cell in zip(probability, cells, strict=True):
        row[np.searchsorted(keys, cell.links.keys(bits))] = cell.probability
    sentence = Links.from_keys(keys, bits, len(sets[0])).sentence_of
    result = np.empty((len(cells), len(thresholds), len(sets[0]), 3))
    for of_cell, own, others in zip(result, probability, _others(probability), strict=True):
        of_cell[..., EXPECTED] = np.bincount(sentence, others, len(sets[0]))
        for row, threshold in zip(of_cell, thresholds, strict=True):
            kept = own > threshold
            row[:, HITS] = np.bincount(sentence[kept], others[kept], len(sets[0]))
            row[:, LINKS] = np.bincount(sentence[kept], minlength=len(sets[0]))
    return result


def consensus(sums: ArrayLike) -> NDArray[np.float64]:
    """The measure, from 0 to 1, from sums of `evidence` over sentences, shape (..., 3).

    >>> float(consensus([3, 4, 4]))
    0.75
    """
    hits, links, expected = np.moveaxis(np.asarray(sums, dtype=np.float64), -1, 0)
    both = links + expected
    return np.asarray(np.divide(2 * hits, both, out=np.zeros_like(both), where=both > 0))


def _others(probabilities: NDArray[np.float64]) -> NDArray[np.float64]:
    """For each cell, the mean of the other cells' probabilities; both arrays have shape (C, L)."""
    others = probabilities.sum(axis=0) - probabilities
    return np.asarray(np.clip(others / (len(probabilities) - 1), 0.0, 1.0))
