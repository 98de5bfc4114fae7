"""Charts across cells and pairs, and of measures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from seggrid.grid.report.charts.chart import ROWS, Chart, joined
from seggrid.grid.report.labels import MEASURES, axis_labels, meanings, value_label
from seggrid.grid.report.theme import FIRST, METRIC_LOOKS, PLAIN, Look, looks
from seggrid.segment import SEGMENTERS

MOST_RANKS = 30
"""The most settings whose ranks are drawn; those with the best mean ranks are."""

_MOST_ROWS = 24
"""The most rows of the first chart that name both segmentation and aligner."""


def family_looks(cells: pd.DataFrame) -> dict[str, Look]:
    """The look of each kind of segmentation, the same wherever it is drawn; words are plain."""
    names = dict.fromkeys(cells["family"])
    return {"words": PLAIN} | looks(name for name in names if name != "words")


def best_cells(scored: pd.DataFrame, look: Mapping[str, Look], by: str = "f1") -> Chart:
    """The best cell of each segmenter and aligner with its interval, and a tick at the words that differ from
    it in the segmentation alone.

    With many pairs and aligners, it is the best of each segmenter alone. Without gold, cells are compared by
    their agreement.
    """
    keys = ["pair", "segmenter", "aligner"]
    if len(scored.drop_duplicates(keys)) > _MOST_ROWS:
        keys = keys[:-1]
    best = scored.loc[scored.groupby(keys, sort=False)[by].idxmax()]
    best = best.sort_values(["pair", by], ascending=[True, False], kind="stable")
    words = best["words_cell"].map(scored.set_index("cell")[by])
    rows = best["family"] + [_size(cell) for cell in best.to_dict("records")]
    if best["aligner"].nunique() > 1:
        rows = best["aligner"] + ": " + rows
    frame = pd.DataFrame(
        {
            "panel": best["pair"],
            "row": rows,
            "series": best["family"],
            "x": best[by],
            **interval_ends(best, by),
            "tick": words.where(best["words_cell"] != best["cell"]),
            "cell": best.index,
        }
    )
    name, x = "best", "F1"
    title = "The best cell of each segmenter" + (" and aligner" if "aligner" in keys else "")
    if by != "f1":
        name, x = "agreement", "Mean F1 against each other cell"
        title = "How far cells agree without gold"
    ticks = "words with the same settings"
    return Chart(name, title, ROWS, frame, x, looks=look, ticks=ticks, apart=True, legend=False)


def interval_ends(cells: pd.DataFrame, score: str) -> dict[str, pd.Series]:
    """The ends of the intervals of a score, if the cells have them."""
    ends = ("low", "high")
    return {end: cells[f"{score}_{end}"] for end in ends if f"{score}_{end}" in cells}


def _size(cell: Mapping[str, Any]) -> str:
    """How large the models of a cell are, if those of both sides are alike."""
    if cell["sides"] in ("none", "mixed"):
        return ""
    units = {"merges": SEGMENTERS[cell["segmenter"]].size_unit, "vocabulary": "types"}
    return "".join(
        f", {cell[size]:,.0f} {unit}"
        for size, unit in units.items()
        if size in cell and pd.notna(cell[size])
    )


def critical_differences(ranks: pd.DataFrame, names: Mapping[str, str]) -> Chart:
    """Mean ranks of settings over pairs, with half of Nemenyi's critical difference on each side.

    Two settings differ if their bars do not overlap. Settings whose bars begin right of the dashed line are
    worse than the best; they are grey if Friedman's test shows that settings differ at all. The best setting
    comes first.
    """
    shown = ranks.head(MOST_RANKS)
    half = shown["critical_difference"].iloc[0] / 2
    frame = pd.DataFrame(
        {
            "panel": "",
            "row": [names.get(setting, setting) for setting in shown["setting"]],
            "series": ["worse" if apart == "yes" else "not worse" for apart in shown["told_apart"]],
            "x": shown["mean_rank"],
            "low": (shown["mean_rank"] - half).clip(lower=1),
            "high": (shown["mean_rank"] + half).clip(upper=len(ranks)),
            "at": shown["mean_rank"].iloc[0] + half,
        }
    )
    x = f"Mean rank over {shown['pairs'].iloc[0]} pairs (bars: critical difference {2 * half:.2f})"
    look = {"not worse": FIRST, "worse": PLAIN}
    return Chart("ranks", "Settings across pairs", ROWS, frame, x, looks=look)


def measures(correlations: pd.DataFrame) -> Chart:
    """Rank correlations of measures of the segmentations with F1, a panel for each group of cells."""
    shown = correlations[(correlations["score"] == "f1") & correlations["spearman"].notna()]
    labels = MEASURES
    rows = pd.DataFrame(
        {
            "panel": group_of_correlation(shown),
            "row": shown["measure"].map(lambda name: labels.get(name, name)),
            "meaning": shown["measure"].map(meanings("scores")),
            "series": "these cells",
            "x": shown["spearman"],
            **{end: shown[f"spearman_{end}"] for end in ("low", "high")},
            "at": 0.0,
        }
    )
    parts = [rows]
    if "spearman_others" in shown:
        others = rows.assign(series="mean of the other pairs", x=shown["spearman_others"])
        parts.append(others.drop(columns=["low", "high"])[others["x"].notna()])
    look = {"these cells": FIRST, "mean of the other pairs": METRIC_LOOKS["Precision"]}
    title, x = "Measures and F1", "Correlation with F1"
    return Chart("measures", title, ROWS, joined(parts), x, looks=look)


def group_of_correlation(rows: pd.DataFrame) -> pd.Series:
    """The group of cells of each row of correlations: pair and aligner, and the axes that vary."""
    axes = list(rows.columns[: rows.columns.get_loc("measure")])
    named = [
        a
        for a in axes
        if a in ("pair", "aligner") or (a in axis_labels() and rows[a].nunique() > 1)
    ]
    said = [[value_label(axis, value) for value in rows[axis]] for axis in named]
    # A list, since there may be no rows.
    texts = [", ".join(filter(None, row)) for row in zip(*said, strict=True)]
    return pd.Series(texts, rows.index, dtype=object)
