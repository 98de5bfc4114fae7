"""The figure of settings compared across language pairs."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from seggrid.report.figures.style import BLUE, COLUMN, GREY, PAGE

MOST = 30
"""The most settings that are drawn; those with the best mean ranks are."""


def critical_differences(ranks: pd.DataFrame, names: Mapping[str, str]) -> Figure | None:
    """Mean ranks of settings over pairs, with half of Nemenyi's critical difference on each side.

    Two settings differ if their bars do not overlap. Settings whose bars begin right of the dashed line are
    worse than the best; they are grey if Friedman's test shows that settings differ at all.

    Args:
        ranks: `results/ranks.csv`, the best setting first.
        names: descriptions of settings.
    """
    if ranks.empty:
        return None
    shown = ranks.head(MOST)
    half = shown["critical_difference"].iloc[0] / 2
    labels = [names.get(setting, setting) for setting in shown["setting"]]
    width = PAGE if max(map(len, labels)) > 30 else COLUMN
    figure = Figure(figsize=(width, 0.7 + 0.19 * len(shown)), layout="constrained")
    axes = figure.subplots()
    rows = np.arange(len(shown))
    colors = [GREY if apart == "yes" else BLUE for apart in shown["told_apart"]]
    axes.hlines(
        rows,
        (shown["mean_rank"] - half).clip(lower=1),
        (shown["mean_rank"] + half).clip(upper=len(ranks)),
        colors=colors,
        alpha=0.5,
        linewidth=2.4,
    )
    axes.scatter(shown["mean_rank"], rows, c=colors, s=16, zorder=3)
    axes.axvline(shown["mean_rank"].iloc[0] + half, color=GREY, linestyle="--", linewidth=0.8)
    axes.set_yticks(rows, labels)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="y", visible=False)
    axes.set_xlim(1, min(len(ranks), shown["mean_rank"].max() + half))
    axes.set_ylim(len(shown) - 0.5, -0.5)
    axes.set_xlabel(
        f"Mean rank over {shown['pairs'].iloc[0]} pairs (bars: critical difference {2 * half:.2f})"
    )
    return figure
