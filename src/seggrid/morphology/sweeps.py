"""The data behind the figures of BPE-knockout (appendix A; Figures 2, 4, 5 and 6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from seggrid.morphology.blame import blame
from seggrid.morphology.evaluate import MEASURES, compare, vocabulary_size
from seggrid.morphology.knockout import blame_merges, prune
from seggrid.morphology.merge_graph import knock_out
from seggrid.morphology.references import Reference
from seggrid.morphology.variants import Knockout
from seggrid.morphology.word_segmentation import Model, segment, spell_reference

Row = dict[str, Any]

THRESHOLDS = (
    Fraction(1, 100),
    *(Fraction(step, 20) for step in range(1, 20)),
    Fraction(99, 100),
)
SHARES = tuple(Fraction(step, 20) for step in range(11))


def threshold_sweep(
    model: Model, reference: Reference, thresholds: Sequence[Fraction] = THRESHOLDS
) -> list[Row]:
    """What the blame threshold does (Figure 5; section A.3).

    Returns:
        for each threshold a row: `threshold`, `removed` merges, `vocabulary`, and `precision`,
        `recall` and `f1` of boundaries between morphemes, over word types.
    """
    weights = reference.weights(None)
    spelling = spell_reference(model, reference)
    found = blame(segment(model.merges, spelling), reference, weights)
    rows = []
    for threshold in thresholds:
        removed = found.at_least(threshold)
        cuts = segment(knock_out(model.merges, removed), spelling).cuts()
        scores = compare(cuts, reference.morphemes, reference, weights)
        rows.append(
            {
                "threshold": float(threshold),
                "removed": int(removed.sum()),
                "vocabulary": vocabulary_size(model) - int(removed.sum()),
                **{measure: scores[measure] for measure in MEASURES},
            }
        )
    return rows


def selection_sweep(
    model: Model,
    reference: Reference,
    shares: Sequence[Fraction] = SHARES,
    repeats: int = 10,
    seed: int = 0,
) -> list[Row]:
    """Knockout of merges that are chosen at random, and of the latest (Figure 2; section A.2).

    Returns:
        for each of `random` and `latest`, and each share of all merges, a row: `selection`,
        `share`, and `precision`, `recall` and `f1` of boundaries between morphemes, over word
        types; for `random` their mean over runs with the seeds `seed`, `seed` + 1, ...
    """
    weights = reference.weights(None)
    spelling = spell_reference(model, reference)
    rows = []
    for selection, runs in (("random", repeats), ("latest", 1)):
        for share in shares:
            scores = []
            for run in range(runs if share else 1):
                pruned = prune(model, Knockout(selection, share), seed=seed + run)
                cuts = segment(pruned.merges, spelling).cuts()
                scores.append(compare(cuts, reference.morphemes, reference, weights))
            means = {m: float(np.mean([score[m] for score in scores])) for m in MEASURES}
            rows.append({"selection": selection, "share": float(share), **means})
    return rows


def knocked_out_positions(
    model: Model, reference: Reference, threshold: Fraction = Fraction(1, 2), bins: int = 40
) -> list[Row]:
    """Where in the vocabulary the knocked-out types stand (Figure 6).

    A type's position is that of its merge, behind all types that no merge makes. The bins are
    equally wide over the whole vocabulary, the last perhaps narrower.

    Returns:
        for each bin a row: `first` and `last` position, both included, and `removed` types.
    """
    removed = blame_merges(model, reference, reference.weights(None)).at_least(threshold)
    size = vocabulary_size(model)
    positions = np.flatnonzero(removed) + size - len(model.merges)
    width = -(-size // bins)
    starts = range(0, size, width)
    counts = np.bincount(positions // width, minlength=len(starts))
    return [
        {"first": start, "last": min(start + width, size) - 1, "removed": int(count)}
        for start, count in zip(starts, counts, strict=True)
    ]


def token_changes(
    model: Model,
    reference: Reference,
    knockout: str = "blame-0.5",
    counts: Mapping[str, int] | None = None,
) -> list[Row]:
    """How many tokens more, or fewer, a word has after pruning (Figure 4; section A.4).

    Returns:
        for each difference that occurs, ascending, a row: `change`, `entries`, and their `share`.
        Both are segmented without dropout, but for what `knockout` sets.
    """
    model = replace(model, dropout=0.0)
    spelling = spell_reference(model, reference)
    pruned = prune(model, knockout, reference, counts=counts)
    before = segment(model.merges, spelling).counts
    after = segment(pruned.merges, spelling, split=pruned.split, dropout=pruned.dropout).counts
    changes, entries = np.unique(after - before, return_counts=True)
    return [
        {"change": int(change), "entries": int(n), "share": int(n) / len(reference)}
        for change, n in zip(changes, entries, strict=True)
    ]
