"""Prune a BPE model: BPE-knockout and the variants with which it is compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import count
from math import floor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seggrid.errors import InputError
from seggrid.morphology.blame import blame, blame_merges
from seggrid.morphology.merge_graph import cascade, knock_out, leaf_merges, reify
from seggrid.morphology.references import Reference
from seggrid.morphology.word_segmentation import Model, segment, spell_reference
from seggrid.segment.bytelevel import ByteLevelModel
from seggrid.segment.pruning import Knockout, parse_knockout


def prune(
    model: Model,
    knockout: str | Knockout,
    reference: Reference | None = None,
    *,
    frequencies: Mapping[str, int] | None = None,
    counts: Mapping[str, int] | None = None,
    seed: int = 0,
) -> Model:
    """Prune a model.

    Args:
        model: the model.
        knockout: the variant, or its name; see `seggrid.segment.pruning`.
        reference: the words by which merges are blamed; needed by `blame`, `cascade`, `iterate`, `reify`,
            `dropout` and `random-blame`.
        frequencies: occurrences of words, needed by variants that end in `-tokens`.
        counts: for `trim`, occurrences of each type in a text segmented by the model; types that are missing
            occur 0 times.
        seed: seed of `random` and `random-blame`, unless the name of the variant has one.

    Returns:
        A model of the same class. `trim` keeps the merges and sets `split`, the types to be split after
        segmentation; `dropout` keeps the merges and sets the rate `dropout`; `none` changes nothing. In the
        vocabulary of a byte-level model, removed types lose their ids, all others keep theirs, and new types
        (`iterate`, `reify`) get ids after the last.

    Raises:
        InputError: the variant is unknown, or something that it needs is not given.
    """
    variant = knockout if isinstance(knockout, Knockout) else parse_knockout(knockout)
    if variant.method == "none":
        return model
    if variant.method == "trim":
        if counts is None:
            message = f"{variant} needs the frequencies of types in a segmented text"
            raise InputError(message, hint="give a text")
        products = map("".join, model.merges)
        rare = frozenset(type_ for type_ in products if counts.get(type_, 0) < variant.amount)
        return _replace(model, split=rare)
    if not variant.needs_reference:
        return _replace(model, merges=knock_out(model.merges, _share(model, variant, seed)))
    if reference is None:
        raise InputError(f"{variant} needs a morphological reference")
    if variant.tokens and frequencies is None:
        raise InputError(
            f"{variant} needs word frequencies", hint=f"or use {replace(variant, tokens=False)}"
        )
    weights = reference.weights(frequencies if variant.tokens else None)
    if variant.method in ("iterate", "reify"):
        return _replace(model, merges=_iterate(model, reference, weights, variant))
    found = blame_merges(model, reference, weights)
    removed = found.at_least(variant.amount)
    if variant.method == "dropout":
        return replace(model, dropout=found.effective_dropout(removed))
    if variant.method == "random-blame":
        removed = _drawn(len(removed), int(removed.sum()), variant, seed)
    remove = cascade if variant.method == "cascade" else knock_out
    return _replace(model, merges=remove(model.merges, removed))


def _replace(model: Model, **changes: Any) -> Model:
    """The model with other merges or types to split, and with the resulting vocabulary."""
    pruned = replace(model, **changes)
    if not isinstance(model, ByteLevelModel) or not model.vocabulary:
        return pruned
    before = set(map("".join, model.merges))
    after = dict.fromkeys(map("".join, pruned.merges))
    gone = before.difference(after) | pruned.split
    vocabulary = {type_: id for type_, id in model.vocabulary.items() if type_ not in gone}
    new = [type_ for type_ in after if type_ not in before]
    vocabulary.update(zip(new, count(max(model.vocabulary.values()) + 1), strict=False))
    return replace(model, **changes | {"vocabulary": vocabulary})


def _share(model: Model, variant: Knockout, seed: int) -> NDArray[np.bool_]:
    """Whether each merge is removed by `random`, `latest` or `leaves`; their number is rounded half up."""
    size = len(model.merges)
    count = floor(variant.amount * size + Fraction(1, 2))
    removed = np.zeros(size, dtype=np.bool_)
    if variant.method == "latest":
        removed[size - count :] = True
    elif variant.method == "leaves":
        leaves = np.flatnonzero(leaf_merges(model.merges))
        if count > len(leaves):
            raise InputError(
                f"{variant} asks for {count:,} merges of leaves, and the model has {len(leaves):,}",
                hint=f"ask for a share of at most {floor(Fraction(1000 * len(leaves), size)) / 1000:g}",
            )
        removed[leaves[len(leaves) - count :]] = True
    else:
        removed = _drawn(size, count, variant, seed)
    return removed


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
        found = blame(segment(merges, spelling), reference, weights)
        removed = found.at_least(variant.amount)
        banned.update("".join(merges[i]) for i in np.flatnonzero(removed))
        merges = knock_out(merges, removed)
    return reify(merges, banned) if variant.method == "reify" else merges
