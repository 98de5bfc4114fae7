"""Score word links against gold links, sure and possible (Och and Ney 2003; thesis, section 3.2.3).

With A the links to be scored, S the sure links and P the possible ones (which hold S):

    precision = |A ∩ P| / |A|        recall = |A ∩ S| / |S|
    F1 = 2 · precision · recall / (precision + recall)
    AER = 1 − (|A ∩ S| + |A ∩ P|) / (|A| + |S|)

each summed over the gold sentences before dividing. Nothing is rounded.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seggrid.data.links import Links, key_bits

LINKS, SURE_HITS, POSSIBLE_HITS = range(3)


@dataclass(frozen=True)
class Scores:
    """The four metrics, each from 0 to 1."""

    precision: float
    recall: float
    f1: float
    aer: float


def count_hits(links: Links, sure: Links, possible: Links) -> NDArray[np.int32]:
    """What the scores are made of, for each sentence.

    Args:
        links: the links to be scored, of the gold sentences, in their order.
        sure, possible: the gold links; `possible` holds the sure ones.

    Returns:
        int32, shape (G, 3): links, those that are sure, those that are possible.
    """
    bits = key_bits([links, sure, possible])
    found = links.keys(bits)
    counts = np.empty((len(links), 3), dtype=np.int32)
    counts[:, LINKS] = np.diff(links.offsets)
    for column, gold in ((SURE_HITS, sure), (POSSIBLE_HITS, possible)):
        hit = np.isin(found, gold.keys(bits), assume_unique=True)
        counts[:, column] = np.bincount(links.sentence_of[hit], minlength=len(links))
    return counts


def scores(counts: NDArray[np.integer], sure: NDArray[np.integer]) -> Scores:
    """The metrics from the counts of all sentences together.

    Args:
        counts: shape (G, 3), from `count_hits`.
        sure: number of sure links of each sentence, shape (G,).

    A metric whose denominator is 0 is 0; AER is 1 where there is nothing to compare.
    """
    links, sure_hits, possible_hits = (int(n) for n in counts.sum(axis=0, dtype=np.int64))
    n_sure = int(sure.sum(dtype=np.int64))
    precision = possible_hits / links if links else 0.0
    recall = sure_hits / n_sure if n_sure else 0.0
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    aer = 1 - (sure_hits + possible_hits) / (links + n_sure) if links + n_sure else 1.0
    return Scores(precision, recall, f1, aer)
