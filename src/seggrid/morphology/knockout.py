"""BPE-knockout: blame merges for deleting morpheme boundaries (sections 3.3 and 3.4), prune a model by blame
or in the ways with which that is compared, and weights of dropout.

The thesis drops all merges at the same rate, and asks (chapter 7) whether more intelligent sampling would be
better. Here rates of dropout may be proportional to weights, such as blame;
`seggrid.segment.bpe.apply.weighted_rates` scales them so that as many applications are dropped, in
expectation, as with uniform dropout.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import count
from math import floor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seggrid.base.errors import InputError
from seggrid.morphology.cuts import Cuts
from seggrid.morphology.merge_graph import cascade, final_shares, knock_out, leaf_merges, reify
from seggrid.morphology.references import Reference
from seggrid.morphology.word_segmentation import (
    AnyModel,
    Model,
    SegmentedWords,
    segment_entries,
    spell_reference,
)
from seggrid.segment.bpe.apply import count_applications
from seggrid.segment.bpe.model import BPEModel
from seggrid.segment.byte_level import TokenizerModel
from seggrid.segment.variants import Knockout, parse_knockout


@dataclass(frozen=True)
class Blame:
    """The deletions of boundaries between symbols by M merges.

    Attributes:
        applied: N(m), how many boundaries each merge deleted, int64, shape (M,).
        blamed: B(m), how many of these are between morphemes, int64, shape (M,).
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
    segmented: SegmentedWords,
    reference: Reference,
    weights: NDArray[np.int64],
) -> Blame:
    """Count, for each merge, the boundaries that it deleted in the E words of a reference, and how many of
    them are between morphemes. `weights` are those of the entries, shape (E,).

    An application of a merge of k parts deletes k - 1 boundaries. The boundary after a word marker counts as
    deleted but is never between morphemes. Of several analyses of a word, the one that the segmentation
    matches best is used.
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
    return blame(segment_entries(model.merges, spelling), reference, weights)


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

    By `rank`, counted from 1, late merges are dropped more often; by `frequency`, the number of applications
    in the sentences, early merges. By `blame`, the weight is the share of a merge's applications to the
    reference's words that delete a morpheme boundary; each merge gets one more application with the mean
    share of all merges, so that the weight of a rare merge does not depend only on one or two words.
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


def prune_model(
    model: Model,
    knockout: str | Knockout,
    reference: Reference | None = None,
    *,
    frequencies: Mapping[str, int] | None = None,
    counts: Mapping[str, int] | None = None,
    seed: int = 0,
) -> Model:
    """Prune a model by a variant (`seggrid.segment.variants`), or its name.

    `counts`, for `trim` and `residues`, are occurrences of each type in a text segmented by the model, 0 for
    types that are missing; `frequencies`, for `-tokens`, occurrences of words. `seed` is that of `random` and
    `random-blame`, unless the name of the variant has one.

    The result is a model of the same class. `trim` keeps the merges and sets `split`, the types to be split
    after segmentation; `dropout` keeps the merges and sets the rate `dropout`. In the vocabulary of a
    byte-level model, removed types lose their ids, all others keep theirs, and new types (`iterate`, `reify`)
    get ids after the last.
    """
    variant = knockout if isinstance(knockout, Knockout) else parse_knockout(knockout)
    if variant.method == "none":
        return model
    if variant.needs_counts and counts is None:
        message = f"{variant} needs the frequencies of types in a segmented text"
        raise InputError(message, hint="give a text")
    if variant.needs_reference and reference is None:
        raise InputError(f"{variant} needs a morphological reference")
    if variant.tokens and frequencies is None:
        raise InputError(
            f"{variant} needs word frequencies", hint=f"or use {replace(variant, tokens=False)}"
        )
    given = _Given(reference, frequencies if variant.tokens else None, counts or {}, seed)
    return _replace(model, **RULES[variant.method](model, variant, given))


@dataclass(frozen=True)
class _Given:
    """What rules read besides the model; see `prune`."""

    reference: Reference | None
    frequencies: Mapping[str, int] | None
    counts: Mapping[str, int]
    seed: int

    def blame(self, model: Any) -> Blame:
        """The blame of a model's merges."""
        return blame_merges(model, *self.weighed())

    def weighed(self) -> tuple[Reference, NDArray[np.int64]]:
        """The reference, and the weights of its entries."""
        assert self.reference is not None, "refused before"
        return self.reference, self.reference.weights(self.frequencies)


Changes = Mapping[str, Any]
"""The attributes of a model that pruning changes."""


def _blame(model: Any, variant: Knockout, given: _Given) -> Changes:
    removed = given.blame(model).at_least(variant.amount)
    return {"merges": knock_out(model.merges, removed)}


def _cascade(model: Any, variant: Knockout, given: _Given) -> Changes:
    return {"merges": cascade(model.merges, given.blame(model).at_least(variant.amount))}


def _dropout(model: Any, variant: Knockout, given: _Given) -> Changes:
    found = given.blame(model)
    return {"dropout": found.effective_dropout(found.at_least(variant.amount))}


def _random_blame(model: Any, variant: Knockout, given: _Given) -> Changes:
    removed = given.blame(model).at_least(variant.amount)
    drawn = _drawn(len(removed), int(removed.sum()), variant, given.seed)
    return {"merges": knock_out(model.merges, drawn)}


def _random(model: Any, variant: Knockout, given: _Given) -> Changes:
    size = len(model.merges)
    drawn = _drawn(size, _count(size, variant), variant, given.seed)
    return {"merges": knock_out(model.merges, drawn)}


def _latest(model: Any, variant: Knockout, given: _Given) -> Changes:
    return _last_of(np.arange(len(model.merges)), "any kind", model, variant)


def _leaves(model: Any, variant: Knockout, given: _Given) -> Changes:
    return _last_of(np.flatnonzero(leaf_merges(model.merges)), "leaves", model, variant)


def _residues(model: Any, variant: Knockout, given: _Given) -> Changes:
    """The merges with the smallest final shares; of equal ones, the latest first."""
    shares = final_shares(model.merges, given.counts)
    order = np.argsort(-shares, kind="stable")
    return _last_of(order[shares[order] < 1], "stages", model, variant)


def _trim(model: Any, variant: Knockout, given: _Given) -> Changes:
    products = map("".join, model.merges)
    return {"split": frozenset(t for t in products if given.counts.get(t, 0) < variant.amount)}


def _in_rounds(model: Any, variant: Knockout, given: _Given) -> Changes:
    return {"merges": _iterate(model, *given.weighed(), variant)}


RULES: dict[str, Callable[[Any, Knockout, _Given], Changes]] = {
    "blame": _blame,
    "cascade": _cascade,
    "iterate": _in_rounds,
    "reify": _in_rounds,
    "dropout": _dropout,
    "random": _random,
    "random-blame": _random_blame,
    "latest": _latest,
    "leaves": _leaves,
    "residues": _residues,
    "trim": _trim,
}
"""The rules of pruning, by the method of a variant."""


def _replace(model: Model, **changes: Any) -> Model:
    """The model with other merges or types to split, and with the resulting vocabulary."""
    pruned = replace(model, **changes)
    if not isinstance(model, TokenizerModel) or not model.vocabulary:
        return pruned
    before = set(map("".join, model.merges))
    after = dict.fromkeys(map("".join, pruned.merges))
    gone = before.difference(after) | pruned.split
    vocabulary = {type_: id for type_, id in model.vocabulary.items() if type_ not in gone}
    new = [type_ for type_ in after if type_ not in before]
    vocabulary.update(zip(new, count(max(model.vocabulary.values()) + 1), strict=False))
    return replace(model, **changes | {"vocabulary": vocabulary})


def _count(size: int, variant: Knockout) -> int:
    """How many of the merges a share is, rounded half up."""
    return floor(variant.amount * size + Fraction(1, 2))


def _last_of(merges: NDArray[np.integer], kind: str, model: AnyModel, variant: Knockout) -> Changes:
    """Knock out a share of a model's merges: the last ones of these."""
    size = len(model.merges)
    count = _count(size, variant)
    if count > len(merges):
        raise InputError(
            f"{variant} asks for {count:,} merges of {kind}, and the model has {len(merges):,}",
            hint=f"ask for a share of at most {floor(Fraction(1000 * len(merges), size)) / 1000:g}",
        )
    removed = np.zeros(size, dtype=np.bool_)
    removed[merges[len(merges) - count :]] = True
    return {"merges": knock_out(model.merges, removed)}


def _drawn(size: int, count: int, variant: Knockout, seed: int) -> NDArray[np.bool_]:
    """Whether each merge is among `count` merges drawn at random, with the variant's seed or else with
    `seed`."""
    generator = np.random.default_rng(seed if variant.seed is None else variant.seed)
    removed = np.zeros(size, dtype=np.bool_)
    removed[generator.choice(size, count, replace=False)] = True
    return removed


def _iterate(
    model: Model, reference: Reference, weights: NDArray[np.int64], variant: Knockout
) -> list[tuple[str, ...]]:
    """Rounds of blame and knockout; before each round but the first, pairs in tuples become merges."""
    merges = model.merges
    spelling = spell_reference(model, reference)
    banned: set[str] = set()
    for number in range(variant.rounds):
        if number:
            merges = reify(merges, banned)
        found = blame(segment_entries(merges, spelling), reference, weights)
        removed = found.at_least(variant.amount)
        banned.update("".join(merges[i]) for i in np.flatnonzero(removed))
        merges = knock_out(merges, removed)
    return reify(merges, banned) if variant.method == "reify" else merges
