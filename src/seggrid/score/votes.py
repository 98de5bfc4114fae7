"""Aggregate the word links of several dropout samples (thesis, sections 4.3 and 5.3.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from seggrid.data.links import Links, key_bits
from seggrid.data.ragged import offsets_of


@dataclass(frozen=True)
class Votes:
    """The links of all samples, and how many of the samples have each.

    Attributes:
        links: those of any sample.
        counts: of each link, shape (L,).
        samples: how many there are.
    """

    links: Links
    counts: NDArray[np.intp]
    samples: int

    @classmethod
    def from_samples(cls, samples: Sequence[Links]) -> Votes:
        """Count the votes of samples of the same sentence pairs."""
        if len(samples) == 1:
            return cls(samples[0], np.ones(len(samples[0].pairs), dtype=np.intp), 1)
        bits = key_bits(samples)
        distinct, counts = np.unique(
            np.concatenate([links.keys(bits) for links in samples]), return_counts=True
        )
        return cls(Links.from_keys(distinct, bits, len(samples[0])), counts, len(samples))

    def keep(self, aggregate: str) -> Links:
        """The links that enough of the samples have.

        Args:
            aggregate: `union` (any sample), `intersection` (all of them), `none` (there is but one
                sample), or a threshold t as text: a link is kept that more than t·n of the n
                samples have. The comparison is exact: 0.7 of 10 samples is 7, and 7 are not more.

        Raises:
            ValueError: several samples with `none`.
        """
        if aggregate == "none":
            if self.samples > 1:
                raise ValueError(f"{self.samples} samples need an aggregate")
            return self.links
        if aggregate == "union":
            least = 1
        elif aggregate == "intersection":
            least = self.samples
        else:
            least = int(Fraction(aggregate) * self.samples) + 1
        kept = self.counts >= least
        lengths = np.bincount(self.links.sentence_of[kept], minlength=len(self.links))
        return Links(offsets_of(lengths), self.links.pairs[kept])
