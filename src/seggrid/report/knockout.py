"""The data of BPE-knockout's figures as one table, for the static figures and for the page."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from seggrid.morphology.references import Reference
from seggrid.morphology.sweeps import (
    chains,
    knocked_out_positions,
    leaf_shares,
    morphemes_per_word,
    selection_sweep,
    threshold_sweep,
    token_changes,
)
from seggrid.morphology.word_segmentation import Model

_SCORES = ["precision", "recall", "f1"]


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
        repeats, seed: runs and seed of the random selection, see
            `seggrid.morphology.sweeps.selection_sweep`.

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
    table = pd.concat(parts, ignore_index=True)
    table.insert(0, "tokenizer", tokenizer)
    table.insert(1, "reference", name)
    first = ["tokenizer", "reference", "figure", "knockout"]
    return table[[*first, *(column for column in table if column not in first)]]


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
