"""The figures of BPE-knockout as one table, for the static figures and for the page."""

from __future__ import annotations

import pandas as pd

from seggrid.morphology.references import Reference
from seggrid.morphology.sweeps import (
    knocked_out_positions,
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
    """All that the paper's Figures 2, 4, 5 and 6 show of one tokenizer: `results/knockout.csv`.

    Args:
        model: the tokenizer before pruning.
        reference: words and their morphemes.
        tokenizer, name: what the tokenizer and the reference are called.
        repeats, seed: of the random selection, see `seggrid.morphology.sweeps.selection_sweep`.

    Returns:
        Rows with `tokenizer`, `reference`, `figure` and `knockout`. For the figures `threshold` and
        `selection`: `precision`, `recall`, `f1` (morphemes, word types) and `pruned`, the share of
        merges pruned. For `position` (pruned types in the vocabulary) and `change` (tokens of a
        word, after minus before): a bin's `low` and `high` edge and its `count`.
    """
    merges = len(model.merges)
    thresholds = pd.DataFrame(threshold_sweep(model, reference))
    selections = pd.DataFrame(selection_sweep(model, reference, repeats=repeats, seed=seed))
    positions = pd.DataFrame(knocked_out_positions(model, reference))
    changes = pd.DataFrame(token_changes(model, reference))
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
        pd.DataFrame(
            {
                "figure": "change",
                "knockout": "blame-0.5",
                "low": changes["change"] - 0.5,
                "high": changes["change"] + 0.5,
                "count": changes["entries"],
            }
        ),
    ]
    table = pd.concat(parts, ignore_index=True)
    table.insert(0, "tokenizer", tokenizer)
    table.insert(1, "reference", name)
    first = ["tokenizer", "reference", "figure", "knockout"]
    return table[[*first, *(column for column in table if column not in first)]]
