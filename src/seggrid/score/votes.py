"""Aggregate the word links of several dropout samples: by votes (thesis, sections 4.3 and 5.3.3), or by the
mean of their probabilities if the aligner gives them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from seggrid.text.links import Links, Posteriors, key_bits
from seggrid.text.ragged import each_block, offsets_of

POSTERIOR, MUTUAL = "posterior-", "mutual-"
"""Prefixes of aggregates that are thresholds on probabilities, not on votes: on their means, and on
`Means.mutual`."""
PREFIXES = (POSTERIOR, MUTUAL)


def threshold_prefix(aggregate: object) -> str:
    """The prefix of an aggregate that is a threshold on probabilities; of any other, an empty text.

    >>> threshold_prefix("mutual-0.4"), threshold_prefix("0.4"), threshold_prefix(0.4)
    ('mutual-', '', '')
    """
    text = aggregate if isinstance(aggregate, str) else ""
    return next((kind for kind in PREFIXES if text.startswith(kind)), "")


def is_posterior(aggregate: object) -> bool:
    """Whether an aggregate is a threshold on probabilities."""
    return bool(threshold_prefix(aggregate))


def threshold_of(aggregate: str) -> Fraction:
    """The threshold of an aggregate that is one, on votes or on probabilities.

    >>> str(threshold_of("1/3")), str(threshold_of("mutual-0.35"))
    ('1/3', '7/20')
    """
    return Fraction(aggregate.removeprefix(threshold_prefix(aggregate)))


@dataclass(frozen=True)
class LinkVotes:
    """The L links that at least one of several samples has.

    Attributes:
        links: the links.
        counts: number of samples that have each link, shape (L,).
        samples: number of samples.
    """

    links: Links
    counts: NDArray[np.intp]
    samples: int

    @classmethod
    def from_samples(cls, samples: Sequence[Links]) -> LinkVotes:
        """Count the votes of samples of the same sentence pairs."""
        if len(samples) == 1:
            # A single sample needs no array of its own for the counts.
            return cls(samples[0], np.broadcast_to(np.intp(1), len(samples[0].pairs)), 1)
        links, row = united(samples)
        return cls(links, np.bincount(row, minlength=len(links.pairs)), len(samples))

    def keep(self, aggregate: str) -> Links:
        """The links that enough samples have: `union` (any), `intersection` (all), `none` (there is only one
        sample), or a threshold t as text: a link is kept if more than t·n of the n samples have it. The
        comparison is exact: with t = 0.7 and 10 samples, 8 are needed."""
        if aggregate == "none":
            if self.samples > 1:
                raise ValueError(f"{self.samples} samples need an aggregate")
            return self.links
        if aggregate == "union":
            least = 1
        elif aggregate == "intersection":
            least = self.samples
        else:
            least = int(threshold_of(aggregate) * self.samples) + 1
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
        links, row = united([member.links for member in members])
        weights = weights or [1.0] * len(members)
        shares = [w * member.probability for w, member in zip(weights, members, strict=True)]
        sums = np.bincount(row, np.concatenate(shares), len(links.pairs))
        return cls(links, sums / sum(weights))

    def spread(self, lines: NDArray[np.integer], total: int) -> Means:
        """As `Links.spread`."""
        return Means(self.links.spread(lines, total), self.probability)

    def mutual(self) -> Means:
        """Lower the probability p of each link by how it compares with the most probable links of its two
        words, of probabilities a and b: p · (p / a) · (p / b). Links of a word compete, as in competitive
        linking (Melamed 2000), but a word may keep several. float64. What that gains: docs/studies/neural.md.

        >>> both = Means(Links.from_sets([[(0, 0), (0, 1), (1, 1)]]), np.array([0.8, 0.4, 0.5]))
        >>> both.mutual().probability.round(3).tolist()
        [0.8, 0.16, 0.5]
        """
        found = np.empty(len(self.probability))
        for begin, end in each_block(len(self)):
            block = self.block(begin, end)
            p = block.probability.astype(np.float64)
            highest = [_highest(block.links, column, p) for column in (0, 1)]
            first, last = self.links.offsets[[begin, end]]
            found[first:last] = p * (p / highest[0]) * (p / highest[1])
        return Means(self.links, found)

    def compared(self, aggregate: str) -> Means:
        """The links with the probabilities that are compared with the threshold of an aggregate."""
        return self.mutual() if threshold_prefix(aggregate) == MUTUAL else self

    def keep(self, aggregate: str) -> Links:
        """The links that are more probable than the threshold t of `posterior-t` (by their means) or
        `mutual-t`."""
        return self.links.where(self.kept(aggregate))

    def kept(self, aggregate: str) -> NDArray[np.bool_]:
        """Whether `keep` keeps each link, shape (L,)."""
        # As float64: a Python float would be rounded to float32 if the means are float32.
        threshold = np.float64(threshold_of(aggregate))
        found = np.empty(len(self.probability), dtype=np.bool_)
        # Block by block, since mutual probabilities take eight times the memory of the result.
        for begin, end in each_block(len(self)):
            first, last = self.links.offsets[[begin, end]]
            found[first:last] = self.block(begin, end).compared(aggregate).probability > threshold
        return found


def _highest(links: Links, column: int, probability: NDArray[np.float64]) -> NDArray[np.float64]:
    """The highest probability of the links of each link's source word (`column` 0) or target word (1),
    shape (L,)."""
    word, sentence = links.pairs[:, column].astype(np.int64), links.sentence_of
    words = np.zeros(len(links), dtype=np.int64)
    np.maximum.at(words, sentence, word + 1)
    place = offsets_of(words)[sentence] + word
    # Above 0: where a plug-in gives links of probability 0, 0 is not divided by 0.
    highest = np.full(int(words.sum()), np.finfo(np.float64).tiny)
    np.maximum.at(highest, place, probability)
    return np.asarray(highest[place])


def united(members: Sequence[Links]) -> tuple[Links, NDArray[np.intp]]:
    """The links that at least one member has, and the index among them of each member's links, one member
    after the other."""
    bits = key_bits(members)
    keys = np.concatenate([links.keys(bits) for links in members])
    distinct, row = np.unique(keys, return_inverse=True)
    return Links.from_keys(distinct, bits, len(members[0])), row


# The consensus of a cell with other cells: a measure of alignment quality that needs no gold. The mean of the
# other cells' probabilities of links takes the place of the gold: the measure is the F1 that a cell's links
# are expected to have if these probabilities are right. A cell that errs where the others do not scores low,
# and high probabilities of its own do not raise its score. docs/studies/recommend.md shows that the measure
# correlates with quality, unlike the agreement of directions, and unlike entropy.

HITS, LINKS, EXPECTED = range(3)


def evidence(cells: Sequence[Means], aggregates: Sequence[str]) -> NDArray[np.float64]:
    """The counts of each sentence, from whose sums the measure is computed, of C cells, two or more, and the
    same S sentence pairs; with each of T thresholds on probabilities, a cell keeps links (`Means.keep`).

    Shape (C, T, S, 3): the expected number of kept links that are right; the number of kept links; the
    expected number of links in the sentence. Expectations are by the other cells' probabilities.
    """
    links, row = united([cell.links for cell in cells])
    probability = np.zeros((len(cells), len(links.pairs)))
    rows = np.split(row, np.cumsum([len(cell.probability) for cell in cells])[:-1])
    for own, places, cell in zip(probability, rows, cells, strict=True):
        own[places] = cell.probability
    sentence, sentences = links.sentence_of, len(links)
    result = np.empty((len(cells), len(aggregates), sentences, 3))
    for of_cell, others, places, cell in zip(
        result, _others(probability), rows, cells, strict=True
    ):
        of_cell[..., EXPECTED] = np.bincount(sentence, others, sentences)
        for counts, aggregate in zip(of_cell, aggregates, strict=True):
            kept = places[cell.kept(aggregate)]
            counts[:, HITS] = np.bincount(sentence[kept], others[kept], sentences)
            counts[:, LINKS] = np.bincount(sentence[kept], minlength=sentences)
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
