"""Blame of merges for deleting morpheme boundaries (BPE-knockout, section 3.4), and weights of dropout.

The thesis drops all merges at the same rate, and asks (chapter 7) whether more intelligent sampling would be
better. Here rates of dropout may be proportional to weights, such as blame;
`seggrid.segment.bpe.apply.weighted_rates` scales them so that as many applications are dropped, in
expectation, as with uniform dropout.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from seggrid.errors import InputError
from seggrid.morphology.cuts import Cuts
from seggrid.morphology.references import Reference
from seggrid.morphology.word_segmentation import Model, Segmented, segment, spell_reference
from seggrid.segment.bpe.apply import count_applications
from seggrid.segment.bpe.model import BPEModel


@dataclass(frozen=True)
class Blame:
    """The effects of M merges on the words of a reference.

    Attributes:
        applied: N(m), the number of boundaries between symbols that each merge deleted, or the number of its
            applications, int64, shape (M,).
        blamed: B(m), how many of these are boundaries between morphemes, int64, shape (M,).
    """

    applied: NDArray[np.int64]
    blamed: NDArray[np.int64]

    def at_least(self, threshold: Fraction) -> NDArray[np.bool_]:
        """Whether the ratio B(m) / N(m) of each merge (equation 1) is at least a threshold above 0, compared
        exactly, shape (M,)."""
        # In Python's integers, since the products may exceed 64 bits.
        blamed = self.blamed.astype(object) * threshold.denominator
        needed = self.applied.astype(object) * threshold.numerator
        return (self.applied > 0) & (blamed >= needed).astype(np.bool_)

    def effective_dropout(self, removed: NDArray[np.bool_]) -> float:
        """The share of all merge applications that belong to the removed merges (equation 2)."""
        return float(self.applied[removed].sum() / max(self.applied.sum(), 1))


def blame(
    segmented: Segmented,
    reference: Reference,
    weights: NDArray[np.int64],
) -> Blame:
    """Count, for each merge, the boundaries that it deleted, and how many of them are between morphemes.

    An application of a merge of k parts deletes k - 1 boundaries. The boundary after a word marker counts as
    deleted but is never between morphemes. Of several analyses of a word, the one that the segmentation
    matches best is used.

    Args:
        segmented: the E words of the reference, in its order.
        weights: weight of each entry, shape (E,).
    """
    cuts = reference.morphemes
    if reference.has_alternatives:
        cuts = cuts.take(best_analyses(segmented.cuts(), cuts, reference))
    between = cuts.mask(reference.offsets)
    spelling = segmented.spelling
    merged = np.flatnonzero(segmented.merged_by >= 0)
    merges = segmented.merged_by[merged]
    characters = spelling.characters[merged]
    times = np.repeat(weights, np.diff(spelling.words))[merged]
    wrong = (characters >= 0) & between[characters]
    return Blame(
        _weighted_counts(merges, times, len(segmented.table.products)),
        _weighted_counts(merges[wrong], times[wrong], len(segmented.table.products)),
    )


def blame_merges(model: Model, reference: Reference, weights: NDArray[np.int64]) -> Blame:
    """Segment the words of a reference, each by itself, and blame the model's merges."""
    spelling = spell_reference(model, reference)
    return blame(segment(model.merges, spelling), reference, weights)


def _weighted_counts(
    index: NDArray[np.integer], times: NDArray[np.int64], size: int
) -> NDArray[np.int64]:
    """The sum of the weights of the occurrences of each number below `size`, int64, shape (size,)."""
    # The sums are float64, exact up to 2^53.
    return np.bincount(index, weights=times, minlength=size).astype(np.int64)


def best_analyses(predicted: Cuts, gold: Cuts, reference: Reference) -> NDArray[np.int64]:
    """For each entry, the analysis whose cuts have the highest F1 with the predicted ones, (E,).

    Among equally good ones, the first is taken. If neither analysis nor prediction has a cut, they match
    perfectly.
    """
    if not reference.has_alternatives:
        return np.arange(len(reference))
    word_of = reference.entry_of
    shared = predicted.shared(gold, word_of)
    total = predicted.counts[word_of] + gold.counts
    f1 = np.where(total == 0, 1.0, 2 * shared / np.maximum(total, 1))
    # Sort stably, by entry first: the first row of each entry is then its best analysis.
    order = np.lexsort((-f1, word_of))
    return order[reference.analyses[:-1]]


def dropout_weights(
    model: BPEModel,
    by: str,
    sentences: Sequence[Sequence[str]],
    reference: Reference | None = None,
) -> tuple[float, ...]:
    """The weight of each of the model's M merges, above 0.

    Args:
        model: the merges.
        by: `rank`: the rank of the merge, counted from 1, so that late merges are dropped more often;
            `frequency`: the number of its applications in the text, so that early merges are; `blame`: the
            share of its applications to the reference's words that delete a morpheme boundary. For `blame`,
            each merge gets one more application with the mean share of all merges, so that the weight of a
            rare merge does not depend only on one or two words.
        sentences: the text, for `frequency`.
        reference: the words, for `blame`.
    """
    if by == "rank":
        return tuple(map(float, range(1, len(model.merges) + 1)))
    if by == "frequency":
        return tuple(np.maximum(count_applications(model, sentences), 1).astype(float).tolist())
    if reference is None:
        raise InputError("blame as the weight of merges needs a morphological reference")
    found = blame_merges(model, reference, reference.weights(None))
    share = max(found.blamed.sum(), 1) / max(found.applied.sum(), 1)
    return tuple(((found.blamed + share) / (found.applied + 1)).tolist())
