"""Figures of pruned tokenizers, as BPE-knockout draws them."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from seggrid.report.curves import IDENTITY
from seggrid.report.figures.panels import legend, panels, short
from seggrid.report.figures.style import BLUE, GREY, METRIC_STYLE, P_R_F1


def knockout_sweep(
    rows: pd.DataFrame,
    methods: tuple[str, ...],
    label: str,
    measures: Mapping[str, str] = P_R_F1,
) -> Figure | None:
    """Boundary precision, recall and F1 over the amount of pruning (BPE-knockout, Figures 2 and 5).

    Dashed lines are the model before pruning.

    Args:
        rows: see `seggrid.report.curves.curves`.
        methods: the methods of pruning to draw, each in a panel.
        label: label of the x axis, the amount.
        measures: the columns to draw, with their labels.
    """
    contents = []
    for method in methods:
        for setting, group in rows[rows["method"] == method].groupby("setting", sort=False):
            if group["amount"].nunique() >= 3:
                base = rows[(rows["setting"] == setting) & (rows["knockout"] == "none")]
                name = f"{setting}, {method}" if setting else method
                contents.append((name, (group.sort_values("amount"), base)))

    def draw(axes: Axes, data: tuple[pd.DataFrame, pd.DataFrame]) -> None:
        group, base = data
        for metric, called in measures.items():
            color, marker = METRIC_STYLE.get(metric, (GREY, "o"))
            axes.plot(group["amount"], group[metric], color=color, marker=marker, label=called)
            for value in base[metric]:
                axes.axhline(value, color=color, linestyle="--", linewidth=0.8)

    figure = panels(contents, draw, label, None)
    if figure is not None:
        legend(figure, dashed="as learned")
    return figure


def leaves(knockout: pd.DataFrame) -> Figure | None:
    """The share of leaves among the latest merges, over the number of latest merges (BPE-knockout, Figure 3).

    The dashed line is the share among all merges, which is expected from a random choice.
    """
    chosen = knockout[knockout["figure"] == "leaves"]
    contents = [
        (", ".join(map(str, key)), group.sort_values("pruned"))
        for key, group in chosen.groupby(IDENTITY, sort=False)
    ]

    def draw(axes: Axes, group: pd.DataFrame) -> None:
        axes.plot(group["pruned"], group["leaves"], color=BLUE, marker="o", label="latest merges")
        axes.axhline(group["leaves"].iloc[-1], color=BLUE, linestyle="--", linewidth=0.8)

    figure = panels(contents, draw, "Share of merges taken", "Share that makes leaves")
    if figure is not None:
        legend(figure, dashed="all merges")
    return figure


def histogram(knockout: pd.DataFrame, kind: str, label: str) -> Figure | None:
    """Counts in bins, a panel for each model (BPE-knockout, Figures 4, 6 and 10).

    Args:
        knockout: see `seggrid.morphology.sweeps.figure_table`.
        kind: the figure, `position` or `change`.
        label: label of the x axis, the quantity that is binned.
    """
    keys = [*IDENTITY, "knockout"]
    chosen = knockout[knockout["figure"] == kind]
    contents = [
        (", ".join(map(str, key)), group) for key, group in chosen.groupby(keys, sort=False)
    ]

    def draw(axes: Axes, group: pd.DataFrame) -> None:
        width = group["high"] - group["low"]
        axes.bar(group["low"], group["count"], width, align="edge", color=BLUE, edgecolor="white")
        axes.grid(False, axis="x")
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_locator(MaxNLocator(6))
            axis.set_major_formatter(lambda value, _: short(value))

    return panels(contents, draw, label, "Count", share=False)
