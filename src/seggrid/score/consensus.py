"""How well the links of a cell are borne out by those of other cells: a measure that needs no gold.

Each cell says how probable links between words are. What the other cells say, on the mean, stands in for
the gold: the expected F1 of a cell's links, if the others' probabilities were right. A cell that errs where
the others do not is found out; one that is merely sure of itself gains nothing by it. docs/recommend.md
shows how this goes with quality, and that agreement of directions and entropy do not.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from seggrid.data.links import Links, key_bits
from seggrid.score.votes import Means

HITS, LINKS, EXPECTED = range(3)


def evidence(cells: Sequence[Means], thresholds: Sequence[float]) -> NDArray[np.float64]:
    """What the measure is made of, for each sentence.

    Args:
        cells: the probabilities of links by C cells, two or more, of the same S sentence pairs.
        thresholds: T of them; a cell's links are those that are more probable.

    Returns:
        Shape (C, T, S, 3): of the links that a cell keeps, how many the others expect to be right; how
        many it keeps; and how many links the others expect there to be.
    """
    sets = [cell.links for cell in cells]
    bits = key_bits(sets)
    keys = np.unique(np.concatenate([links.keys(bits) for links in sets]))
    known = np.zeros((len(cells), len(keys)))
    for row, cell in zip(known, cells, strict=True):
        row[np.searchsorted(keys, cell.links.keys(bits))] = cell.mean
    sentence = Links.from_keys(keys, bits, len(sets[0])).sentence_of
    result = np.empty((len(cells), len(thresholds), len(sets[0]), 3))
    for of_cell, own, others in zip(result, known, _others(known), strict=True):
        of_cell[..., EXPECTED] = np.bincount(sentence, others, len(sets[0]))
        for row, threshold in zip(of_cell, thresholds, strict=True):
            kept = own > threshold
            row[:, HITS] = np.bincount(sentence[kept], others[kept], len(sets[0]))
            row[:, LINKS] = np.bincount(sentence[kept], minlength=len(sets[0]))
    return result


def consensus(sums: ArrayLike) -> NDArray[np.float64]:
    """The measure, 0 to 1, of sums of evidence over sentences, shape (..., 3).

    >>> float(consensus([3, 4, 4]))
    0.75
    """
    hits, links, expected = np.moveaxis(np.asarray(sums, dtype=np.float64), -1, 0)
    both = links + expected
    return np.divide(2 * hits, both, out=np.zeros_like(both), where=both > 0)


def _others(known: NDArray[np.float64]) -> NDArray[np.float64]:
    """For each cell, the mean of the others' probabilities; shape as `known`, (C, L)."""
    return np.clip((known.sum(axis=0) - known) / (len(known) - 1), 0.0, 1.0)
