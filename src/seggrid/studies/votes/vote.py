"""Ensembles: weighted votes of cells with different aligners and segmentations.

A member is the word links of a cell on the gold sentences. Members have weights, and a link is kept if the
weights of the members that have it add up to more than a bound. Weights and bound are either given or chosen
on sentences with gold; if chosen, scores must be computed on other sentences, see `cross_validate`. Tables
compare an ensemble with its best member, and show the weights of its members.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from seggrid.base.errors import InputError
from seggrid.base.resampling import bootstrap_weights, bounds, random_folds
from seggrid.score.metrics import AER, F1, METRICS, compute_metrics, count_hits
from seggrid.score.significance import difference_intervals, intervals, randomization_test
from seggrid.score.votes import united
from seggrid.text.gold import Gold
from seggrid.text.links import Links, key_bits
from seggrid.text.ragged import offsets_of


@dataclass(frozen=True)
class Candidates:
    """The L links of G sentence pairs that at least one of M members has.

    Attributes:
        links: the links.
        has: whether each member has each link, shape (L, M).
    """

    links: Links
    has: NDArray[np.bool_]

    @classmethod
    def from_members(cls, members: Sequence[Links]) -> Candidates:
        """Gather the links of members, all of the same sentence pairs."""
        links, row = united(members)
        has = np.zeros((len(links.pairs), len(members)), dtype=np.bool_)
        has[row, np.repeat(np.arange(len(members)), [len(own.pairs) for own in members])] = True
        return cls(links, has)

    def keep(self, kept: NDArray[np.bool_]) -> Links:
        """The links for which `kept`, shape (L,), is true."""
        lengths = np.bincount(self.links.sentence_of[kept], minlength=len(self.links))
        return Links(offsets_of(lengths), self.links.pairs[kept])

    def hits(self, gold: Gold) -> NDArray[np.bool_]:
        """Whether each link is sure, and whether it is possible, shape (L, 2)."""
        bits = key_bits([self.links, gold.sure, gold.possible])
        keys = self.links.keys(bits)
        return np.column_stack(
            [np.isin(keys, links.keys(bits)) for links in (gold.sure, gold.possible)]
        )


@dataclass(frozen=True)
class Vote:
    """A weighted vote: a link is kept if the weights of the members that have it add up to more than `above`.

    Attributes:
        weights: weight of each of M members, shape (M,).
        above: the sum that a link must exceed.
    """

    weights: NDArray[np.float64]
    above: float

    @classmethod
    def from_threshold(cls, weights: Sequence[int], threshold: Fraction) -> Vote:
        """A vote that keeps links with more than a share `threshold` of the total weight. The comparison is
        exact."""
        return cls(np.array(weights, dtype=np.float64), float(floor(threshold * sum(weights))))

    def decide(self, has: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Whether each link is kept, shape (L,); `has` says whether each member has it, shape (L, M)."""
        return _sums(has, self.weights) > self.above


def _sums(has: NDArray[np.bool_], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The sum of the weights for each link, rounded so that it does not depend on the order of members."""
    return np.round(has @ weights, 9)


PENALTY = 1.0
"""How strongly similar members share their weight, see `choose_weights`."""


def choose_weights(has: NDArray[np.bool_], hits: NDArray[np.bool_], sure: int) -> Vote:
    """Choose weights by logistic regression, and the bound for which the kept links have the least AER.

    The regression predicts whether a link is possible (which includes sure links) from the members that have
    it: a member's weight is the change of the log-odds if the member has the link. The sum of squared weights
    times `PENALTY` / 2 is added to the loss, so that similar members share their weight; the
    intercept is not penalized. Among bounds with equal AER, the largest is taken. `has` says whether each
    member has each link of some sentences, shape (L, M); `hits`, whether it is sure, and whether it is
    possible, shape (L, 2); `sure` is the number of sure links in the gold of these sentences.
    """
    weights = np.round(logistic_regression(has, hits[:, 1], PENALTY), 6)
    sums = _sums(has, weights)
    order = np.argsort(-sums, kind="stable")
    counts = np.column_stack([np.arange(1, len(sums) + 1), hits[order].cumsum(axis=0)])
    aer = compute_metrics(counts, sure)[:, AER]
    ranked = sums[order]
    # Links with equal sums of weights are kept or dropped together.
    ends = np.flatnonzero(np.append(ranked[1:] < ranked[:-1], True)) if len(ranked) else ranked
    if not len(ends):
        return Vote(weights, 0.0)
    end = ends[aer[ends].argmin()]
    below = ranked[end + 1] if end + 1 < len(ranked) else ranked[end] - 1
    return Vote(weights, float((ranked[end] + below) / 2))


def logistic_regression(
    features: NDArray[np.bool_], positive: NDArray[np.bool_], penalty: float
) -> NDArray[np.float64]:
    """Weights of M features of L examples by Newton's method, without the intercept, shape (M,); `penalty` as
    `PENALTY`."""
    # Computed on distinct rows: a few thousand out of tens of thousands.
    rows, row_of_example = np.unique(features, axis=0, return_inverse=True)
    counts = np.bincount(row_of_example, minlength=len(rows)).astype(np.float64)
    positives = np.bincount(row_of_example[positive], minlength=len(rows)).astype(np.float64)
    inputs = np.column_stack([rows, np.ones(len(rows))]).astype(np.float64)
    ridge = np.append(np.full(features.shape[1], penalty), 1e-6)
    weights = np.zeros(inputs.shape[1])
    for _ in range(_STEPS):
        odds = np.clip(inputs @ weights, -30, 30)
        probable = 1 / (1 + np.exp(-odds))
        gradient = inputs.T @ (positives - counts * probable) - ridge * weights
        curvature = (inputs.T * (counts * probable * (1 - probable))) @ inputs
        step = np.linalg.solve(curvature + np.diag(ridge), gradient)
        # Limit the length of a step. The loss is convex, and steps near its minimum are shorter.
        weights += step * min(1.0, 5 / max(float(np.abs(step).max()), 1e-12))
        if np.abs(step).max() < 1e-9:
            break
    return weights[:-1]


_STEPS = 100
"""The most steps of Newton's method; about ten are needed."""


@dataclass(frozen=True)
class CrossValidated:
    """An ensemble whose links of each of G sentences were chosen without the gold of that sentence.

    Attributes:
        links: its links.
        fold: fold of each sentence, shape (G,).
        votes: for each fold, the vote chosen on all others.
        every: the vote chosen on all sentences, for use on other text.
    """

    links: Links
    fold: NDArray[np.int64]
    votes: list[Vote]
    every: Vote


def cross_validate(candidates: Candidates, gold: Gold, folds: int, seed: int) -> CrossValidated:
    """Choose a vote (see `choose_weights`) on all folds but one and apply it to that fold, for every fold.
    Sentences are divided into folds at random."""
    hits = candidates.hits(gold)
    sure = np.diff(gold.sure.offsets)
    sentences = len(candidates.links)
    if sentences < folds:
        raise InputError(
            f"{sentences:,} sentences with gold, fewer than {folds} folds",
            hint="give fewer folds, or weights and threshold in place of choose",
        )
    fold = random_folds(sentences, folds, seed)
    fold_of_link = fold[candidates.links.sentence_of]
    kept = np.zeros(len(fold_of_link), dtype=np.bool_)
    votes = []
    for number in range(int(fold.max()) + 1):
        others = fold_of_link != number
        own = int(sure[fold != number].sum())
        vote = choose_weights(candidates.has[others], hits[others], own)
        kept[~others] = vote.decide(candidates.has[~others])
        votes.append(vote)
    every = choose_weights(candidates.has, hits, int(sure.sum()))
    return CrossValidated(candidates.keep(kept), fold, votes, every)


def compare_with_best(
    links: Links, names: Sequence[str], members: Sequence[Links], gold: Gold, rounds: int, seed: int
) -> dict[str, object]:
    """The scores of an ensemble's links and of the member with the least AER, on the G sentences of the gold.

    The best member is chosen with the gold on which it is scored; the weights of the ensemble are not. So the
    comparison may favor the member, but not the ensemble. `delta_f1` and `delta_aer` are the ensemble minus
    the member. Without a sure link in the gold, all but `members` are empty. The test has five times as many
    random assignments as the bootstrap has rounds.
    """
    sure = np.diff(gold.sure.offsets)
    counts = np.stack([count_hits(some, gold.sure, gold.possible) for some in (links, *members)])
    metrics = compute_metrics(counts.sum(axis=1, dtype=np.int64), sure.sum())
    best = 1 + int(metrics[1:, AER].argmin())
    ours, theirs = (counts[[row], None] for row in (0, best))
    weights = bootstrap_weights(len(sure), rounds, seed)
    ends = intervals(ours, sure, weights)[0]
    differences = difference_intervals(ours, theirs, sure, weights)[0]
    row: dict[str, object] = {"members": len(members)}
    for m, metric in enumerate(METRICS):
        row |= {metric: metrics[0, m]} | bounds(metric, ends[m])
    row["best_member"] = names[best - 1]
    row |= {f"best_{metric}": metrics[best, m] for m, metric in enumerate(METRICS)}
    for m, name in ((F1, "delta_f1"), (AER, "delta_aer")):
        row |= {name: metrics[0, m] - metrics[best, m]} | bounds(name, differences[m])
    row["p"] = randomization_test(ours, theirs, sure, 5 * rounds, seed)[0]
    return row if sure.any() else {name: row[name] if name == "members" else None for name in row}


def table_of_votes(
    names: Sequence[str], members: Sequence[Links], gold: Gold, found: CrossValidated | Vote
) -> pd.DataFrame:
    """One row for each member: its own `f1` and `aer` (empty without gold), its weight, and the bound on the
    sum of weights. For a cross-validated ensemble, the weights are those chosen on all sentences, with the
    least and the largest chosen for a fold."""
    sure = int(np.diff(gold.sure.offsets).sum())
    hits = [count_hits(some, gold.sure, gold.possible).sum(axis=0) for some in members]
    own = compute_metrics(hits, sure) if sure else np.full((len(members), len(METRICS)), np.nan)
    vote, votes = (found, [found]) if isinstance(found, Vote) else (found.every, found.votes)
    weights = np.stack([one.weights for one in votes])
    return pd.DataFrame(
        {
            "member": list(names),
            "f1": own[:, F1],
            "aer": own[:, AER],
            "weight": vote.weights,
            "weight_low": weights.min(axis=0),
            "weight_high": weights.max(axis=0),
            "above": vote.above,
        }
    )
