"""Votes across aligners and segmentations: the links that enough of several cells have.

A member is a cell's word links of the gold sentences. Members have weights, and a link is kept that
members of enough weight have. Weights and what is enough may be given; or they are chosen on sentences
with gold: then what is reported must come from other sentences, see `cross_validate`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor

import numpy as np
from numpy.typing import NDArray

from seggrid.corpus.gold import Gold
from seggrid.data.links import Links, key_bits
from seggrid.data.ragged import offsets_of
from seggrid.score.metrics import AER, compute_metrics


@dataclass(frozen=True)
class Candidates:
    """The links that any member has.

    Attributes:
        links: L links of G sentence pairs.
        has: which members have each, shape (L, M).
    """

    links: Links
    has: NDArray[np.bool_]

    @classmethod
    def from_members(cls, members: Sequence[Links]) -> Candidates:
        """Gather the links of members, all of the same sentence pairs."""
        bits = key_bits(members)
        keys = [links.keys(bits) for links in members]
        every = np.unique(np.concatenate(keys))
        has = np.column_stack([np.isin(every, own, assume_unique=True) for own in keys])
        return cls(Links.from_keys(every, bits, len(members[0])), has)

    def keep(self, kept: NDArray[np.bool_]) -> Links:
        """Some of the links, given by flags of shape (L,)."""
        lengths = np.bincount(self.links.sentence_of[kept], minlength=len(self.links))
        return Links(offsets_of(lengths), self.links.pairs[kept])

    def hits(self, gold: Gold) -> NDArray[np.bool_]:
        """Which links are sure and which are possible, shape (L, 2)."""
        bits = key_bits([self.links, gold.sure, gold.possible])
        keys = self.links.keys(bits)
        return np.column_stack(
            [np.isin(keys, links.keys(bits)) for links in (gold.sure, gold.possible)]
        )


@dataclass(frozen=True)
class Vote:
    """How members decide.

    Attributes:
        weights: of each member, shape (M,).
        above: a link is kept if the weights of those that have it add up to more than this.
    """

    weights: NDArray[np.float64]
    above: float

    @classmethod
    def from_threshold(cls, weights: Sequence[int], threshold: Fraction) -> Vote:
        """More than a share of all weight, as with samples; whole weights are compared exactly."""
        return cls(np.array(weights, dtype=np.float64), float(floor(threshold * sum(weights))))

    def decide(self, has: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Which links are kept, shape (L,), of flags of shape (L, M)."""
        return _sums(has, self.weights) > self.above


def _sums(has: NDArray[np.bool_], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The weight that each link has, rounded so that equal votes are equal whatever their order."""
    return np.round(has @ weights, 9)


def choose(has: NDArray[np.bool_], hits: NDArray[np.bool_], sure: int, penalty: float) -> Vote:
    """Weights by logistic regression, and the bound above which the links have the least AER.

    A member's weight is what its having a link adds to the log-odds that the link is right (possible,
    which sure ones are too), given what the others have. The sum of squared weights times `penalty` / 2
    is added to the loss, so that members that hardly differ share their weight; the intercept is not
    penalized. Of bounds of equal AER the largest is taken.

    Args:
        has: of the links of some sentences, which members have them, shape (L, M).
        hits: which of them are sure and possible, shape (L, 2).
        sure: how many sure links the gold has of these sentences.
        penalty: above 0.
    """
    weights = np.round(logistic_regression(has, hits[:, 1], penalty), 6)
    sums = _sums(has, weights)
    order = np.argsort(-sums, kind="stable")
    counts = np.column_stack([np.arange(1, len(sums) + 1), hits[order].cumsum(axis=0)])
    aer = compute_metrics(counts, sure)[:, AER]
    ranked = sums[order]
    # Links of equal weight are kept together.
    ends = np.flatnonzero(np.append(ranked[1:] < ranked[:-1], True)) if len(ranked) else ranked
    if not len(ends):
        return Vote(weights, 0.0)
    end = ends[aer[ends].argmin()]
    below = ranked[end + 1] if end + 1 < len(ranked) else ranked[end] - 1
    return Vote(weights, float((ranked[end] + below) / 2))


def logistic_regression(
    features: NDArray[np.bool_], positive: NDArray[np.bool_], penalty: float
) -> NDArray[np.float64]:
    """The weights of features, the intercept left out, by Newton's method, shape (M,).

    Args:
        features: shape (L, M).
        positive: shape (L,).
        penalty: on the squares of the weights, above 0.
    """
    # As many rows as there are different ones: a few thousand of tens of thousands.
    rows, of_row = np.unique(features, axis=0, return_inverse=True)
    counts = np.bincount(of_row, minlength=len(rows)).astype(np.float64)
    positives = np.bincount(of_row[positive], minlength=len(rows)).astype(np.float64)
    inputs = np.column_stack([rows, np.ones(len(rows))]).astype(np.float64)
    ridge = np.append(np.full(features.shape[1], penalty), 1e-6)
    weights = np.zeros(inputs.shape[1])
    for _ in range(_STEPS):
        odds = np.clip(inputs @ weights, -30, 30)
        probable = 1 / (1 + np.exp(-odds))
        gradient = inputs.T @ (positives - counts * probable) - ridge * weights
        curvature = (inputs.T * (counts * probable * (1 - probable))) @ inputs
        step = np.linalg.solve(curvature + np.diag(ridge), gradient)
        # A step that is too long is cut: the loss is convex, and steps are short near its minimum.
        weights += step * min(1.0, 5 / max(float(np.abs(step).max()), 1e-12))
        if np.abs(step).max() < 1e-9:
            break
    return weights[:-1]


_STEPS = 100
"""Of Newton's method, at most; it takes about ten."""


@dataclass(frozen=True)
class CrossValidated:
    """An ensemble whose links of a sentence were decided without that sentence's gold.

    Attributes:
        links: of all G sentences.
        fold: of each sentence, shape (G,).
        votes: chosen for each fold, on all others.
        every: chosen on all sentences: what one would use on others.
    """

    links: Links
    fold: NDArray[np.int64]
    votes: list[Vote]
    every: Vote


def cross_validate(
    candidates: Candidates, gold: Gold, folds: int, penalty: float, seed: int
) -> CrossValidated:
    """Choose on all folds but one and decide that one, for every fold.

    Args:
        candidates: the links of the members.
        gold: of the same sentences.
        folds: into how many parts the sentences are dealt at random; no more than there are sentences.
        penalty: see `choose`.
        seed: of the dealing.
    """
    hits = candidates.hits(gold)
    sure = np.diff(gold.sure.offsets)
    sentences = len(candidates.links)
    fold = np.random.default_rng(seed).permutation(sentences) % min(folds, sentences)
    of_link = fold[candidates.links.sentence_of]
    kept = np.zeros(len(of_link), dtype=np.bool_)
    votes = []
    for number in range(int(fold.max()) + 1):
        others = of_link != number
        vote = choose(
            candidates.has[others], hits[others], int(sure[fold != number].sum()), penalty
        )
        kept[~others] = vote.decide(candidates.has[~others])
        votes.append(vote)
    every = choose(candidates.has, hits, int(sure.sum()), penalty)
    return CrossValidated(candidates.keep(kept), fold, votes, every)
