"""The data of the figures of BPE-knockout (appendix A; Figures 2 to 6, 9 and 10)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import floor
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from seggrid.morphology.blame import blame, blame_merges
from seggrid.morphology.evaluate import compare, vocabulary_size
from seggrid.morphology.knockout import prune
from seggrid.morphology.merge_graph import knock_out, leaf_merges, stepping_stones
from seggrid.morphology.references import Reference
from seggrid.morphology.word_segmentation import Model, Segmented, segment, spell_reference
from seggrid.segment.pruning import Knockout

Row = dict[str, Any]

THRESHOLDS = (
    Fraction(1, 100),
    *(Fraction(step, 20) for step in range(1, 20)),
    Fraction(99, 100),
)
SHARES = tuple(Fraction(step, 20) for step in range(11))
_SCORES = ("precision", "recall", "f1")
_USUAL = "blame-0.5"
"""The variant for which pruned types and changed words are counted."""


def figure_table(
    model: Model,
    reference: Reference,
    tokenizer: str,
    name: str,
    *,
    repeats: int = 10,
    seed: int = 0,
) -> pd.DataFrame:
    """The data of the paper's Figures 2 to 6, 9 and 10 for one tokenizer: `results/knockout.csv`.

    Args:
        model: the tokenizer before pruning.
        reference: words and their morphemes.
        tokenizer, name: names of the tokenizer and of the reference.
        repeats, seed: runs and seed of the random selection, see `selection_sweep`.

    Returns:
        Rows with `tokenizer`, `reference`, `figure` and `knockout`. For the figures `threshold` and
        `selection`: `precision`, `recall`, `f1` (morphemes, word types) and `pruned`, the share of
        merges pruned. For `leaves`: `pruned`, the share of latest merges that is looked at, and
        `leaves`, the share of these that make types on which no merge builds. For `position` (pruned types
        in the vocabulary), `change` (tokens of a word, after minus before), `morphemes` (of a word)
        and `stepping_stones` (number of types that serve only one other type, for each such
        other type): a bin's `low` and `high` edge and its `count`.
    """
    table = pd.DataFrame(
        [
            *threshold_sweep(model, reference),
            *selection_sweep(model, reference, repeats=repeats, seed=seed),
            *pruned_positions(model, reference),
            *token_changes(model, reference),
            *leaf_shares(model),
            *morphemes_per_word(reference),
            *chains(model, reference),
        ]
    )
    table.insert(0, "tokenizer", tokenizer)
    table.insert(1, "reference", name)
    return table


def threshold_sweep(
    model: Model, reference: Reference, thresholds: Sequence[Fraction] = THRESHOLDS
) -> list[Row]:
    """Knockout over thresholds of blame (Figure 5; section A.3): one row for each threshold."""
    weights = reference.weights(None)
    spelling = spell_reference(model, reference)
    found = blame(segment(model.merges, spelling), reference, weights)
    rows = []
    for threshold in thresholds:
        removed = found.at_least(threshold)
        scores = _scores(segment(knock_out(model.merges, removed), spelling), reference, weights)
        rows.append(
            {
                "figure": "threshold",
                "knockout": f"blame-{float(threshold):g}",
                **scores,
                "pruned": int(removed.sum()) / max(len(removed), 1),
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
    """Knockout of random merges, of the latest merges, and of the latest leaves (Figure 2; section A.2).

    Returns:
        One row for each of these three ways and each share of all merges. Scores of random choices are means
        over runs with the seeds `seed`, `seed` + 1, ... There is no row for a share of more leaves than
        exist.
    """
    weights = reference.weights(None)
    spelling = spell_reference(model, reference)
    rows = []
    leaves = Fraction(int(leaf_merges(model.merges).sum()), max(len(model.merges), 1))
    for selection, runs in (("random", repeats), ("latest", 1), ("leaves", 1)):
        for share in shares:
            if selection == "leaves" and share > leaves:
                continue
            scores = []
            for run in range(runs if share else 1):
                pruned = prune(model, Knockout(selection, share), seed=seed + run)
                scores.append(_scores(segment(pruned.merges, spelling), reference, weights))
            rows.append(
                {
                    "figure": "selection",
                    "knockout": f"{selection}-{float(share):g}" if share else "none",
                    **{name: float(np.mean([own[name] for own in scores])) for name in _SCORES},
                    "pruned": float(share),
                }
            )
    return rows


def pruned_positions(model: Model, reference: Reference, bins: int = 40) -> list[Row]:
    """The positions in the vocabulary of the types that `blame-0.5` removes (Figure 6).

    A type's position is that of its merge, after all types that no merge makes. Bins are equally wide over
    the whole vocabulary; the last may be narrower.
    """
    removed = blame_merges(model, reference, reference.weights(None)).at_least(Fraction(1, 2))
    size = vocabulary_size(model)
    positions = np.flatnonzero(removed) + size - len(model.merges)
    width = -(-size // bins)
    starts = range(0, size, width)
    counts = np.bincount(positions // width, minlength=len(starts)).tolist()
    return [
        _bar("position", _USUAL, start, min(start + width, size), count)
        for start, count in zip(starts, counts, strict=True)
    ]


def token_changes(model: Model, reference: Reference) -> list[Row]:
    """Changes in the number of a word's tokens by `blame-0.5`, and the number of words with each (Figure 4;
    A.4)."""
    spelling = spell_reference(model, reference)
    pruned = prune(model, _USUAL, reference)
    before = segment(model.merges, spelling).counts
    after = segment(pruned.merges, spelling, split=pruned.split).counts
    return _bars("change", _USUAL, after - before)


def leaf_shares(model: Model, shares: Sequence[Fraction] = SHARES) -> list[Row]:
    """The share of the latest merges that make leaves, which are types on which no merge builds (Figure 3).

    There is a row for each share except 0, and one for all merges. The latter is also the expected share of
    leaves among merges chosen at random.
    """
    leaves = leaf_merges(model.merges)
    rows = []
    for share in sorted({*shares, Fraction(1)}):
        count = floor(share * len(leaves) + Fraction(1, 2))
        if count:
            made = float(leaves[-count:].mean())
            rows.append(
                {"figure": "leaves", "knockout": "none", "pruned": float(share), "leaves": made}
            )
    return rows


def morphemes_per_word(reference: Reference) -> list[Row]:
    """Numbers of morphemes of a word, and the number of words with each (Figure 10)."""
    return _bars("morphemes", "none", reference.morphemes.counts + 1)


def chains(model: Model, reference: Reference) -> list[Row]:
    """Numbers of stepping stones, which serve only one other type, and the number of types built on so many
    (section 8.2, Figure 9)."""
    segmented = segment(model.merges, spell_reference(model, reference))
    tokens = {segmented.table.types[t] for t in set(segmented.types.tolist())}
    built = stepping_stones(model.merges, tokens)
    return _bars("stepping_stones", "none", [len(stones) for stones in built.values()])


def _scores(
    segmented: Segmented, reference: Reference, weights: NDArray[np.int64]
) -> dict[str, float]:
    """Precision, recall and F1 of boundaries between morphemes."""
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
