"""The data of the figures of BPE-knockout (appendix A; Figures 2 to 6, 9 and 10)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import floor
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from seggrid.morphology.blame import blame, blame_merges
from seggrid.morphology.evaluate import MEASURES, compare, vocabulary_size
from seggrid.morphology.knockout import prune
from seggrid.morphology.merge_graph import knock_out, leaf_merges, stepping_stones
from seggrid.morphology.references import Reference
from seggrid.morphology.word_segmentation import Model, segment, spell_reference
from seggrid.segment.pruning import Knockout

Row = dict[str, Any]

THRESHOLDS = (
    Fraction(1, 100),
    *(Fraction(step, 20) for step in range(1, 20)),
    Fraction(99, 100),
)
_SCORES = ["precision", "recall", "f1"]
SHARES = tuple(Fraction(step, 20) for step in range(11))


def threshold_sweep(
    model: Model, reference: Reference, thresholds: Sequence[Fraction] = THRESHOLDS
) -> list[Row]:
    """Knockout over thresholds of blame (Figure 5; section A.3).

    Returns:
        one row for each threshold: `threshold`, `removed`, the number of removed merges, `vocabulary`, and
        `precision`, `recall` and `f1` of boundaries between morphemes, over word types.
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
    """Knockout of merges that are chosen at random, of the latest, and of the latest leaves (Figure 2;
    section A.2).

    Returns:
        one row for each of `random`, `latest` and `leaves` and each share of all merges: `selection`,
        `share`, and `precision`, `recall` and `f1` of boundaries between morphemes, over word types; for
        `random`, means over runs with the seeds `seed`, `seed` + 1, ... For `leaves` there is no row for a
        share of more merges than make leaves.
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
                cuts = segment(pruned.merges, spelling).cuts()
                scores.append(compare(cuts, reference.morphemes, reference, weights))
            means = {m: float(np.mean([score[m] for score in scores])) for m in MEASURES}
            rows.append({"selection": selection, "share": float(share), **means})
    return rows


def leaf_shares(model: Model, shares: Sequence[Fraction] = SHARES) -> list[Row]:
    """How many of the latest merges make leaves: types that no merge builds on (Figure 3).

    Of merges chosen at random, the share that makes leaves is that of all merges on average.

    Returns:
        for each share of all merges but 0, and for all of them, a row: `share`, `leaves`, the share
        of the latest merges so many that make leaves.
    """
    leaves = leaf_merges(model.merges)
    rows = []
    for share in sorted({*shares, Fraction(1)}):
        count = floor(share * len(leaves) + Fraction(1, 2))
        if count:
            rows.append({"share": float(share), "leaves": float(leaves[-count:].mean())})
    return rows


def morphemes_per_word(reference: Reference) -> list[Row]:
    """How many words have so many morphemes (Figure 10).

    Returns:
        for each number of morphemes that occurs, ascending, a row: `morphemes`, `entries`, and their
        `share`.
    """
    morphemes, entries = np.unique(reference.morphemes.counts, return_counts=True)
    return [
        {"morphemes": int(count) + 1, "entries": int(n), "share": int(n) / len(reference)}
        for count, n in zip(morphemes, entries, strict=True)
    ]


def chains(model: Model, reference: Reference) -> list[Row]:
    """How many types are built on stepping stones, which serve them alone (section 8.2, Figure 9).

    Returns:
        for each number of stepping stones that occurs, ascending, a row: `stones`, and `types`, how
        many are built on so many.
    """
    segmented = segment(model.merges, spell_reference(model, reference))
    tokens = {token for unit in segmented.units().tokens for token in unit}
    built = stepping_stones(model.merges, tokens)
    numbers, types = np.unique([len(stones) for stones in built.values()], return_counts=True)
    return [
        {"stones": int(number), "types": int(n)} for number, n in zip(numbers, types, strict=True)
    ]


def knocked_out_positions(
    model: Model, reference: Reference, threshold: Fraction = Fraction(1, 2), bins: int = 40
) -> list[Row]:
    """The positions in the vocabulary of removed types (Figure 6).

    A type's position is that of its merge, after all types that no merge makes. Bins are equally wide over
    the whole vocabulary; the last may be narrower.

    Returns:
        one row for each bin: `first` and `last` position, both included, and `removed`, the number of removed
        types.
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
    """The change of the number of tokens of a word by pruning (Figure 4; section A.4).

    Returns:
        one row for each change that occurs, ascending: `change`, `entries`, and their `share`. Words are
        segmented without dropout, except if the variant sets a rate.
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
        merges pruned. For `leaves`: `pruned`, the share of merges that are taken, latest first, and
        `leaves`, how many of them make types that no merge builds on. For `position` (pruned types
        in the vocabulary), `change` (tokens of a word, after minus before), `morphemes` (of a word)
        and `stepping_stones` (types that serve one other type alone, by that type): a bin's `low`
        and `high` edge and its `count`.
    """
    merges = len(model.merges)
    thresholds = pd.DataFrame(threshold_sweep(model, reference))
    selections = pd.DataFrame(selection_sweep(model, reference, repeats=repeats, seed=seed))
    positions = pd.DataFrame(knocked_out_positions(model, reference))
    changes = pd.DataFrame(token_changes(model, reference))
    leaves = pd.DataFrame(leaf_shares(model))
    parts = [
        thresholds[_SCORES].assign(
            figure="threshold",
            knockout=[f"blame-{threshold:g}" for threshold in thresholds["threshold"]],
            pruned=thresholds["removed"] / merges,
        ),
        selections[_SCORES].assign(
            figure="selection",
            knockout=[
                f"{row.selection}-{row.share:g}" if row.share else "none"
                for row in selections.itertuples()
            ],
            pruned=selections["share"],
        ),
        pd.DataFrame(
            {
                "figure": "position",
                "knockout": "blame-0.5",
                "low": positions["first"],
                "high": positions["last"] + 1,
                "count": positions["removed"],
            }
        ),
        _bars("change", "blame-0.5", changes["change"], changes["entries"]),
        pd.DataFrame(
            {
                "figure": "leaves",
                "knockout": "none",
                "pruned": leaves["share"],
                "leaves": leaves["leaves"],
            }
        ),
        *(
            _bars(figure, "none", *pd.DataFrame(rows, columns=names).to_numpy().T)
            for figure, rows, names in (
                ("morphemes", morphemes_per_word(reference), ["morphemes", "entries"]),
                ("stepping_stones", chains(model, reference), ["stones", "types"]),
            )
        ),
    ]
    gathered: pd.DataFrame = pd.concat(parts, ignore_index=True)
    gathered = gathered.assign(tokenizer=tokenizer, reference=name)
    leading: list[str] = ["tokenizer", "reference", "figure", "knockout"]
    return gathered[[*leading, *gathered.columns.difference(leading, sort=False)]]


def _bars(figure: str, knockout: str, values: ArrayLike, counts: ArrayLike) -> pd.DataFrame:
    """One bar for each whole number."""
    middle = np.asarray(values)
    return pd.DataFrame(
        {
            "figure": figure,
            "knockout": knockout,
            "low": middle - 0.5,
            "high": middle + 0.5,
            "count": np.asarray(counts),
        }
    )
