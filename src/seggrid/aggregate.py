"""Join the word links of several dropout samples (thesis, sections 4.3 and 5.3.3)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from seggrid.arrays import Links, offsets_of


def aggregate(samples: Sequence[Links], how: str) -> Links:
    """The links that enough of the samples have.

    Args:
        samples: the links of the same sentence pairs, one set a sample.
        how: `union` (any sample), `intersection` (all of them), `none` (there is but one sample),
            or a threshold t as text: a link is kept that more than t·n of the n samples have. The
            comparison is exact: 0.7 of 10 samples is 7, and 7 are not more.

    Raises:
        ValueError: several samples with `none`.
    """
    if how == "none":
        (only,) = samples
        return only
    sentences = np.concatenate([links.sentence_of for links in samples])
    pairs = np.concatenate([links.pairs for links in samples])
    rows = np.column_stack([sentences, pairs])
    distinct, counts = np.unique(rows, axis=0, return_counts=True)
    if how == "union":
        least = 1
    elif how == "intersection":
        least = len(samples)
    else:
        least = Fraction(how) * len(samples) // 1 + 1
    kept = distinct[counts >= int(least)]
    lengths = np.bincount(kept[:, 0], minlength=len(samples[0]))
    return Links(offsets_of(lengths), kept[:, 1:].astype(np.int32))
