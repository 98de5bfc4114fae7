"""Score word links against gold links, sure and possible (Och and Ney 2003; thesis, section 3.2.3).

With A the links to be scored, S the sure links and P the possible links (which include S):

    precision = |A ∩ P| / |A|        recall = |A ∩ S| / |S|
    F1 = 2 · precision · recall / (precision + recall)
    AER = 1 − (|A ∩ S| + |A ∩ P|) / (|A| + |S|)

Counts are summed over the gold sentences before dividing. Nothing is rounded.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from seggrid.text.links import Links, key_bits

METRICS = ("precision", "recall", "f1", "aer")
"""The metrics, each from 0 to 1, in the order of the last axis of `compute_metrics`."""

PRECISION, RECALL, F1, AER = range(4)
LINKS, SURE_HITS, POSSIBLE_HITS = range(3)


def count_hits(links: Links, sure: Links, possible: Links) -> NDArray[np.int32]:
    """The counts of each gold sentence, from which the metrics are computed: the numbers of links, of links
    that are sure, and of links that are possible (which the sure ones are too), int32, shape (G, 3)."""
    bits = key_bits([links, sure, possible])
    found = links.keys(bits)
    counts = np.empty((len(links), 3), dtype=np.int32)
    counts[:, LINKS] = np.diff(links.offsets)
    for column, gold in ((SURE_HITS, sure), (POSSIBLE_HITS, possible)):
        hit = np.isin(found, gold.keys(bits), assume_unique=True)
        counts[:, column] = np.bincount(links.sentence_of[hit], minlength=len(links))
    return counts


def hits_if_turned(links: Links, others: Links) -> tuple[int, int]:
    """How many links are among `others`, and how many would be with both positions of each exchanged."""
    # The links that are turned do not ascend, which does not matter for counts.
    both = links, Links(links.offsets, links.pairs[:, ::-1])
    hits, turned = (int(count_hits(one, others, others)[:, SURE_HITS].sum()) for one in both)
    return hits, turned


def compute_metrics(counts: ArrayLike, sure: ArrayLike) -> NDArray[np.float64]:
    """Precision, recall, F1 and AER from sums of counts.

    Och and Ney (2003), "A systematic comparison of various statistical alignment models",
    section 4.1. A ratio whose denominator is 0 is 0, so AER is 1 if there are no links at all.

    Ten links of which six are sure and two more possible, against eight sure links:

    >>> compute_metrics([10, 6, 8], 8).round(3).tolist()
    [0.8, 0.75, 0.774, 0.222]

    The counts are sums over sentences of the results of `count_hits`, shape (..., 3); the number of sure
    links is broadcast against shape (...). The metrics are in the order of `METRICS`, shape (..., 4).
    """
    counts, sure = np.asarray(counts, dtype=np.float64), np.asarray(sure, dtype=np.float64)
    links, sure_hits, possible_hits = (counts[..., column] for column in range(3))
    # Each metric is written as one contiguous array, which is several times as fast as interleaving them.
    metrics = np.empty((len(METRICS), *np.broadcast_shapes(links.shape, sure.shape)))
    metrics[PRECISION] = precision = _ratio(possible_hits, links)
    metrics[RECALL] = recall = _ratio(sure_hits, sure)
    metrics[F1] = _ratio(2 * precision * recall, precision + recall)
    metrics[AER] = 1 - _ratio(sure_hits + possible_hits, links + sure)
    return np.moveaxis(metrics, 0, -1)


def _ratio(part: NDArray[np.float64], whole: NDArray[np.float64]) -> NDArray[np.float64]:
    """Part divided by whole; 0 if both are 0."""
    return np.asarray(part / np.maximum(whole, np.finfo(np.float64).tiny))
