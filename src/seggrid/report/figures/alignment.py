"""Figures of alignment scores over the axes of the grid."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from seggrid.data.sides import SIDES
from seggrid.report.figures.panels import alike, legend, panels, settings, short, size_axis
from seggrid.report.figures.style import GREY, METRIC_STYLE, P_R_F1, looks
from seggrid.report.labels import METRICS, is_pruned, threshold
from seggrid.score.aggregates import is_posterior

SIZES = {"merges": "Merges", "vocabulary": "Vocabulary size (types)"}
"""The axes that set the size of a model, and their labels."""


def over_sizes(
    cells: pd.DataFrame, by_cell: pd.DataFrame, size: str = "merges", dropout: bool = False
) -> Figure | None:
    """The four metrics over the size of the models (as in the thesis, Figures 6.1 to 6.15).

    There is a panel for each setting of the other axes (among them rate and aggregate of dropout) with at
    least three sizes. Cells whose sides differ in size are left out. Bands are confidence intervals. Dashed
    lines are the best words or, with dropout, the same cells without dropout and knockout.

    Args:
        cells: the cells to draw.
        by_cell: all cells, by name.
        size: one of `SIZES`.
        dropout: whether to draw the cells with dropout, or those without.
    """
    cells = cells[cells[size].notna() & ((cells["dropout"] > 0) == dropout) & alike(cells, size)]
    partner = "plain_cell" if dropout else "words_cell"
    contents = [
        (label, group.sort_values(size))
        for label, group in settings(cells, without=(size,))
        if group[size].nunique() >= 3
    ]

    def draw(axes: Axes, group: pd.DataFrame) -> None:
        metrics_over_sizes(axes, group, by_cell.reindex(group[partner]), size)
        for metric, (color, _) in METRIC_STYLE.items():
            if f"{metric}_low" in group:
                bounds = group[f"{metric}_low"], group[f"{metric}_high"]
                axes.fill_between(group[size], *bounds, color=color, alpha=0.15, linewidth=0)

    figure = panels(contents, draw, SIZES[size], None)
    if figure is not None:
        legend(figure, dashed=_unpruned(cells) if dropout else "best words")
    return figure


def _unpruned(cells: pd.DataFrame) -> str:
    """A label for the plain cells with which cells with dropout are compared."""
    return "no dropout" + (", no knockout" if is_pruned(cells).any() else "")


def metrics_over_sizes(
    axes: Axes, ours: pd.DataFrame, against: pd.DataFrame, size: str = "merges"
) -> None:
    """Draw the four metrics of cells over a size and, dashed, those of the cells with which they are
    compared.

    Args:
        axes: the matplotlib axes to draw on.
        ours: N cells that differ only in that size.
        against: the cells with which they are compared, N rows in the same order.
        size: one of `SIZES`.
    """
    for metric, (color, marker) in METRIC_STYLE.items():
        axes.plot(ours[size], against[metric], "--", color=color, linewidth=0.8)
        axes.plot(ours[size], ours[metric], color=color, marker=marker, label=METRICS[metric])
    size_axis(axes, ours[size])


def dropout_over_merges(cells: pd.DataFrame, by_cell: pd.DataFrame) -> Figure | None:
    """F1 over the number of merges with dropout, a line for each aggregate of the samples.

    There is a panel for each setting of the other axes. Cells whose sides differ in size are left out. Dashed
    lines are the same segmentation without dropout and knockout.
    """
    cells = cells[cells["merges"].notna() & (cells["dropout"] > 0) & alike(cells, "merges")]
    order = sorted(set(cells["aggregate"]), key=lambda way: (is_posterior(way), threshold(way)))
    ways = {way: way for way in order}
    contents = settings(cells, without=("merges", "aggregate"))
    against = _partner_f1(cells, by_cell, "plain")
    return _f1_over_merges(contents, "aggregate", ways, against, _unpruned(cells))


def knockout_over_merges(cells: pd.DataFrame, by_cell: pd.DataFrame) -> Figure | None:
    """F1 over the number of merges, with a line for each knockout and one for the unpruned models.

    There is a panel for each setting of the other axes with pruned cells, and for each choice of pruned
    sides; the unpruned models segment the same sides. Cells whose sides differ in size or in how they are
    pruned are left out. Dashed lines are the best words.
    """
    cells = cells[cells["merges"].notna() & (cells["dropout"] == 0)]
    cells = cells[alike(cells, "merges") & alike(cells, "knockout")]
    # With `both`, the two sides are pruned in the same way; with `mixed`, they are not.
    cells = cells.assign(sides=cells["sides"].replace("mixed", "both"))
    ways = sorted(set(cells["knockout"]), key=lambda way: (way != "none", way))
    called = {way: "as learned" if way == "none" else way for way in ways}
    contents = [
        (title, part)
        for label, group in settings(cells, without=("merges", "knockout"))
        for title, part in _by_pruned_sides(label, group)
        if part["knockout"].nunique() >= 2
    ]
    return _f1_over_merges(
        contents, "knockout", called, _partner_f1(cells, by_cell, "words"), "best words"
    )


def _by_pruned_sides(label: str, cells: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    """The cells for each choice of pruned sides, with a title; each part also has the unpruned cells."""
    source, target = (cells[side].str.contains("+knockout=", regex=False) for side in SIDES)
    kinds = {
        "both pruned": source & target,
        "source pruned": source & ~target,
        "target pruned": target & ~source,
    }
    kinds = {name: kind for name, kind in kinds.items() if kind.any()}
    for name, kind in kinds.items():
        title = f"{label}, {name}" if len(kinds) > 1 else label
        yield title, cells[kind | ~(source | target)]


def _partner_f1(cells: pd.DataFrame, by_cell: pd.DataFrame, partner: str) -> pd.Series:
    """F1 of the `words` or `plain` cell of each cell, with the index of `cells`."""
    return by_cell["f1"].reindex(cells[f"{partner}_cell"]).set_axis(cells.index)


def _f1_over_merges(
    contents: Iterable[tuple[str, pd.DataFrame]],
    axis: str,
    ways: Mapping[str, str],
    against: pd.Series,
    dashed: str,
) -> Figure | None:
    """F1 over the number of merges, a panel for each group of cells with at least three numbers of merges.

    Args:
        contents: title and cells of each panel.
        axis: the axis for whose values lines are drawn.
        ways: the labels of these values, in the order of the legend.
        against: the F1 with which each cell is compared, with the index of the cells.
        dashed: the label of the dashed lines, the cells with which they are compared.
    """
    look = looks(ways)

    def draw(axes: Axes, group: pd.DataFrame) -> None:
        first = group.drop_duplicates("merges")
        axes.plot(first["merges"], against[first.index], "--", color=GREY, linewidth=1)
        for way, called in ways.items():
            line = group[group[axis] == way]
            color, marker = look[way]
            axes.plot(line["merges"], line["f1"], color=color, marker=marker, label=called)
        size_axis(axes, group["merges"])

    kept = [(label, group) for label, group in contents if group["merges"].nunique() >= 3]
    drawn = [(label, group.sort_values("merges")) for label, group in kept]
    figure = panels(drawn, draw, SIZES["merges"], "F1")
    if figure is not None:
        legend(figure, dashed=dashed)
    return figure


def thresholds(cells: pd.DataFrame) -> Figure | None:
    """Precision, recall and F1 over the threshold above which links of samples are kept.

    The union is drawn at threshold 0 and the intersection at 1. There is a panel for each dropout rate and
    number of samples, at the number of merges with the highest best F1, and a separate one for thresholds on
    probabilities. Cells whose sides differ in size are left out.
    """
    cells = cells[alike(cells, "merges")]
    place = cells["aggregate"].map(threshold)
    cells = cells.assign(threshold=place)[place.notna() & (cells["dropout"] > 0)]
    contents = []
    for label, both in settings(cells, without=("merges", "aggregate")):
        for on_probabilities, group in both.groupby(both["aggregate"].map(is_posterior)):
            group = group[group["merges"] == group["merges"][group["f1"].idxmax()]]
            if group["threshold"].nunique() >= 3:
                title = f"{label}, {int(group['merges'].iloc[0]):,} merges"
                title += ", posterior" * on_probabilities
                contents.append((title, group.sort_values("threshold")))

    def draw(axes: Axes, group: pd.DataFrame) -> None:
        places = range(len(group))
        for metric, called in P_R_F1.items():
            color, marker = METRIC_STYLE[metric]
            axes.plot(places, group[metric], color=color, marker=marker, label=called)
        names = {0.0: "union", 1.0: "inters."}
        axes.set_xticks(places, [names.get(t, f"{t:g}") for t in group["threshold"]])

    figure = panels(contents, draw, "Threshold", None)
    if figure is not None:
        legend(figure)
    return figure


def dropout_by_merges(cells: pd.DataFrame) -> Figure | None:
    """The best F1 for each dropout rate and number of merges, as a heat map with numbers. Cells whose sides
    differ in these are left out."""
    cells = cells[cells["merges"].notna() & alike(cells, "merges") & alike(cells, "dropout")]
    contents = []
    axes_left = ("merges", "dropout", "dropout_kind", "samples", "aggregate")
    for label, group in settings(cells, without=axes_left):
        best = group.pivot_table(index="dropout", columns="merges", values="f1", aggfunc="max")
        if len(best) >= 2 and best.shape[1] >= 2:
            contents.append((label, best))

    def draw(axes: Axes, best: pd.DataFrame) -> None:
        values = best.to_numpy()
        axes.imshow(values, cmap="cividis", aspect="auto", origin="lower")
        axes.grid(False)
        middle = (np.nanmin(values) + np.nanmax(values)) / 2
        size = 6.5 if best.shape[1] <= 7 else 5.5
        for (row, column), value in np.ndenumerate(values):
            if np.isfinite(value):
                color = "black" if value > middle else "white"
                axes.text(
                    column,
                    row,
                    f"{value:.3f}".removeprefix("0"),
                    ha="center",
                    va="center",
                    color=color,
                    size=size,
                )
        axes.set_xticks(range(best.shape[1]), [short(m) for m in best.columns])
        axes.set_yticks(range(len(best)), [f"{rate:g}" for rate in best.index])

    return panels(contents, draw, "Merges", "Dropout", share=False)
