"""Aggregate the word links of several dropout samples: by votes (thesis, sections 4.3 and 5.3.3), or by the
mean of their probabilities if the aligner gives them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from seggrid.data.links import Links, Posteriors, key_bits
from seggrid.score.aggregates import POSTERIOR


@dataclass(frozen=True)
class Votes:
    """The links of all samples, and the number of samples that have each link.

    Attributes:
        links: the links that at least one sample has, L of them.
        counts: number of samples that have each link, shape (L,).
        samples: number of samples.
    """

    links: Links
    counts: NDArray[np.intp]
    samples: int

    @classmethod
    def from_samples(cls, samples: Sequence[Links]) -> Votes:
        """Count the votes of samples of the same sentence pairs."""
        if len(samples) == 1:
            # A single sample needs no array of its own for the counts.
            return cls(samples[0], np.broadcast_to(np.intp(1), len(samples[0].pairs)), 1)
        links, row = _united(samples)
        return cls(links, np.bincount(row, minlength=len(links.pairs)), len(samples))

    def keep(self, aggregate: str) -> Links:
        """The links that enough samples have.

        Args:
            aggregate: `union` (any sample), `intersection` (all samples), `none` (there is only one sample),
                or a threshold t as text: a link is kept if more than t·n of the n samples have it. The
                comparison is exact: with t = 0.7 and 10 samples, 8 samples are needed.

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
        return self.links if least <= 1 else self.links.where(self.counts >= least)


class Means(Posteriors):
    """The links that at least one of several samples has, with the means of their probabilities over all
    samples; a sample without the link counts as 0. float64, or float32 for a single sample.
    """

    @classmethod
    def from_samples(cls, samples: Sequence[Posteriors]) -> Means:
        """Average the probabilities of samples of the same sentence pairs."""
        return cls.from_members([cls(sample.links, sample.probability) for sample in samples])

    @classmethod
    def from_members(cls, members: Sequence[Means], weights: Sequence[float] = ()) -> Means:
        """Average the members of a vote, all of the same sentence pairs. By default, each member has the same
        weight, however many samples it has.

        >>> one, other = (Links.from_sets([[(0, 0), (0, 1)]]), Links.from_sets([[(0, 1)]]))
        >>> both = Means.from_members([Means(one, np.array([0.5, 1.0])), Means(other, np.ones(1))])
        >>> both.probability.tolist(), both.keep("posterior-0.5").sentence(0)
        ([0.25, 1.0], [(0, 1)])
        """
        if len(members) == 1:
            return members[0]
        links, row = _united([member.links for member in members])
        weights = weights or [1.0] * len(members)
        shares = [w * member.probability for w, member in zip(weights, members, strict=True)]
        sums = np.bincount(row, np.concatenate(shares), len(links.pairs))
        return cls(links, sums / sum(weights))

    def spread(self, lines: NDArray[np.integer], total: int) -> Means:
        """As `Links.spread`."""
        return Means(self.links.spread(lines, total), self.probability)

    def keep(self, aggregate: str) -> Links:
        """The links whose mean probability is above the threshold t of `posterior-t`."""
        # As float64: a Python float would be rounded to float32 if the means are float32.
        threshold = np.float64(Fraction(aggregate.removeprefix(POSTERIOR)))
        return self.links.where(self.probability > threshold)


def _united(samples: Sequence[Links]) -> tuple[Links, NDArray[np.intp]]:
    """The links that at least one sample has, and the index among them of each sample's links."""
    bits = key_bits(samples)
    keys = np.concatenate([links.keys(bits) for links in samples])
    distinct, row = np.unique(keys, return_inverse=True)
    return Links.from_keys(distinct, bits, len(samples[0])), row
