"""Figures that compare published scores with ours."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from seggrid.report.figures.alignment import metrics_over_sizes
from seggrid.report.figures.panels import legend, panels
from seggrid.report.figures.style import COLUMN, GREY, METRIC_STYLE, PAGE
from seggrid.report.labels import METRICS


def published_against_ours(published: pd.DataFrame) -> Figure | None:
    """Each published figure against ours; points on the diagonal agree."""
    figure = Figure(figsize=(COLUMN, COLUMN), layout="constrained")
    axes = figure.add_subplot()
    drawn = 0
    for metric, (color, marker) in METRIC_STYLE.items():
        pairs = published[[f"published_{metric}", metric]].dropna()
        drawn += len(pairs)
        axes.plot(
            pairs[f"published_{metric}"],
            pairs[metric],
            marker,
            color=color,
            alpha=0.7,
            markeredgewidth=0,
            label=METRICS[metric],
        )
    if not drawn:
        return None
    # The same limits for both, so that no point is outside.
    limits = [*axes.get_xlim(), *axes.get_ylim()]
    low, high = min(limits), max(limits)
    axes.axline((low, low), slope=1, color=GREY, linewidth=0.8, zorder=0)
    axes.set(xlabel="Published", ylabel="Ours", xlim=(low, high), ylim=(low, high), aspect="equal")
    axes.legend()
    return figure


def published_tables(published: pd.DataFrame, by_cell: pd.DataFrame) -> Iterator[Figure]:
    """Each published table as its author drew it, six tables in a figure; published values are circles.

    Dashed lines are the same cells without dropout, or the best words if there is no dropout.
    """
    contents = []
    for name, rows in published[published["cell"].isin(by_cell.index)].groupby("table", sort=False):
        theirs = [f"published_{metric}" for metric in METRICS]
        ours = by_cell.loc[rows["cell"]].reset_index()
        ours[theirs] = rows[theirs].to_numpy()
        if ours["merges"].nunique() >= 3:
            contents.append((str(name), ours.sort_values("merges")))

    def draw(axes: Axes, ours: pd.DataFrame) -> None:
        partner = "plain_cell" if (ours["dropout"] > 0).any() else "words_cell"
        metrics_over_sizes(axes, ours, by_cell.reindex(ours[partner]))
        for metric, (color, marker) in METRIC_STYLE.items():
            axes.plot(
                ours["merges"],
                ours[f"published_{metric}"],
                marker,
                color=color,
                markerfacecolor="none",
                markersize=6,
                markeredgewidth=0.8,
            )

    for start in range(0, len(contents), 6):
        figure = panels(contents[start : start + 6], draw, "Merges", None)
        assert figure is not None, "there are contents"
        (ring,) = figure.axes[0].plot([], [], "o", color=GREY, label="published", markersize=6)
        ring.set_markerfacecolor("none")
        legend(figure, dashed="no dropout, or best words")
        yield figure


def differences(published: pd.DataFrame) -> Figure | None:
    """Our value minus the published one, a row for each published table; the band is ±0.02."""
    found = published[published["delta_f1"].notna()]
    if found.empty:
        return None
    tables = list(dict.fromkeys(found["table"]))
    figure = Figure(figsize=(PAGE, 0.5 + 0.19 * len(tables)), layout="constrained")
    axes = figure.add_subplot()
    axes.axvspan(-0.02, 0.02, color="#F0F2F5", zorder=0)
    axes.axvline(0, color=GREY, linewidth=0.8)
    rows = found["table"].map({name: row for row, name in enumerate(tables)})
    for metric, shift in (("f1", 0.0), ("aer", 0.25)):
        color, marker = METRIC_STYLE[metric]
        axes.plot(
            found[f"delta_{metric}"],
            rows + shift,
            marker,
            color=color,
            alpha=0.8,
            label=METRICS[metric],
        )
    axes.set_yticks(range(len(tables)), tables)
    axes.invert_yaxis()
    axes.set_xlabel("Ours minus published")
    axes.legend(loc="upper right")
    return figure
