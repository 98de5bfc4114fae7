"""The data of the figures of BPE-knockout (appendix A; Figures 2 to 6, 9 and 10)."""

from __future__ import annotations

from fractions import Fraction
from math import floor
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from seggrid.morphology.evaluate import compare, types_of
from seggrid.morphology.knockout import Blame, blame, prune_model
from seggrid.morphology.merge_graph import knock_out, leaf_merges, stepping_stones
from seggrid.morphology.references import Reference
from seggrid.morphology.word_segmentation import (
    Model,
    SegmentedWords,
    segment_entries,
    spell_reference,
)
from seggrid.segment.variants import Knockout

Row = dict[str, Any]

THRESHOLDS = (
    Fraction(1, 100),
    *(Fraction(step, 20) for step in range(1, 20)),
    Fraction(99, 100),
)
SHARES = tuple(Fraction(step, 20) for step in range(11))
_BINS = 40
_SCORES = ("precision", "recall", "f1")
_USUAL = "blame-0.5"
"""The variant for which pruned types and changed words are counted."""


def figure_table(
    model: Model,
    reference: Reference,
    tokenizer: str,
    name: str,
    *,
    repeats: int,
    seed: int = 0,
) -> pd.DataFrame:
    """The data of the paper's figures for one tokenizer, given before pruning: `results/knockout.csv`.
    `repeats` and `seed` are of random knockout; each further run has the next seed."""
    before: SegmentedWords = segment_entries(model.merges, spell_reference(model, reference))
    found: Blame = blame(before, reference, reference.weights(None))
    table = pd.DataFrame(
        [
            *_threshold_sweep(model, reference, before, found),
            *_selection_sweep(model, reference, before, repeats, seed),
            *_pruned_positions(model, found),
            *_token_changes(model, before, found),
            *_leaf_shares(model),
            *_bars("morphemes", "none", reference.morphemes.counts + 1),
            *_chains(model, before),
        ]
    )
    table.insert(0, "tokenizer", tokenizer)
    table.insert(1, "reference", name)
    return table


def _threshold_sweep(
    model: Model, reference: Reference, before: SegmentedWords, found: Blame
) -> list[Row]:
    """Knockout over thresholds of blame (Figure 5; section A.3): one row for each threshold."""
    rows = []
    for threshold in THRESHOLDS:
        removed = found.at_least(threshold)
        pruned = segment_entries(knock_out(model.merges, removed), before.spelling)
        share = int(removed.sum()) / max(len(removed), 1)
        variant = {"figure": "threshold", "knockout": f"blame-{float(threshold):g}"}
        rows.append(variant | _scores(pruned, reference) | {"pruned": share})
    return rows


def _selection_sweep(
    model: Model, reference: Reference, before: SegmentedWords, repeats: int, seed: int
) -> list[Row]:
    """Knockout of random merges, of the latest merges, and of the latest leaves (Figure 2; section A.2).

    There is a row for each share of all merges, unless it is of more leaves than exist.
    """
    rows = []
    leaves = Fraction(int(leaf_merges(model.merges).sum()), max(len(model.merges), 1))
    for selection, runs in (("random", repeats), ("latest", 1), ("leaves", 1)):
        for share in SHARES:
            if selection == "leaves" and share > leaves:
                continue
            scores = []
            for run in range(runs if share else 1):
                pruned = prune_model(model, Knockout(selection, share), seed=seed + run)
                scores.append(_scores(segment_entries(pruned.merges, before.spelling), reference))
            knockout = f"{selection}-{float(share):g}" if share else "none"
            means = {name: float(np.mean([own[name] for own in scores])) for name in _SCORES}
            rows.append(
                {"figure": "selection", "knockout": knockout} | means | {"pruned": float(share)}
            )
    return rows


def _pruned_positions(model: Model, found: Blame) -> list[Row]:
    """The positions in the vocabulary of the types that `blame-0.5` removes (Figure 6).

    A type's position is that of its merge, after all types that no merge makes. Bins are equally wide over
    the whole vocabulary; the last may be narrower.
    """
    size = len(types_of(model))
    positions = np.flatnonzero(found.at_least(Fraction(1, 2))) + size - len(model.merges)
    width = -(-size // _BINS)
    starts = range(0, size, width)
    counts = np.bincount(positions // width, minlength=len(starts)).tolist()
    return [
        _bar("position", _USUAL, start, min(start + width, size), count)
        for start, count in zip(starts, counts, strict=True)
    ]


def _token_changes(model: Model, before: SegmentedWords, found: Blame) -> list[Row]:
    """Changes in the number of a word's tokens by `blame-0.5`, and the number of words with each (Figure 4;
    A.4)."""
    merges = knock_out(model.merges, found.at_least(Fraction(1, 2)))
    return _bars("change", _USUAL, segment_entries(merges, before.spelling).counts - before.counts)


def _leaf_shares(model: Model) -> list[Row]:
    """The share of the latest merges that make leaves, which are types on which no merge builds (Figure 3).

    There is a row for each share except 0, and one for all merges. The latter is also the expected share of
    leaves among merges chosen at random.
    """
    leaves = leaf_merges(model.merges)
    rows = []
    for share in (*SHARES, Fraction(1)):
        if count := floor(share * len(leaves) + Fraction(1, 2)):
            made = float(leaves[-count:].mean())
            rows.append(
                {"figure": "leaves", "knockout": "none", "pruned": float(share), "leaves": made}
            )
    return rows


def _chains(model: Model, before: SegmentedWords) -> list[Row]:
    """Numbers of stepping stones, which serve only one other type, and the number of types built on so many
    (section 8.2, Figure 9)."""
    tokens = {before.table.types[t] for t in set(before.types.tolist())}
    built = stepping_stones(model.merges, tokens)
    return _bars("stepping_stones", "none", [len(stones) for stones in built.values()])


def _scores(segmented: SegmentedWords, reference: Reference) -> dict[str, float]:
    """Precision, recall and F1 of boundaries between morphemes."""
    weights = reference.weights(None)
    scores = compare(segmented.cuts(), reference.morphemes, reference, weights)
    return {name: scores[name] for name in _SCORES}


def _bars(figure: str, knockout: str, values: ArrayLike) -> list[Row]:
    """One bar of a histogram for each whole number that occurs, ascending."""
    numbers, counts = np.unique(np.asarray(values), return_counts=True)
    return [
        _bar(figure, knockout, number - 0.5, number + 0.5, count)
        for number, count in zip(numbers.tolist(), counts.tolist(), strict=True)
    ]


def _bar(figure: str, knockout: str, low: float, high: float, count: int) -> Row:
    return {"figure": figure, "knockout": knockout, "low": low, "high": high, "count": count}
