"""Static figures as SVG and PNG: the charts of `seggrid.grid.report.charts`, drawn with matplotlib.

A figure has panels of one kind, at most three in a row, and one legend. Sizes are for a paper with columns of
85 mm. matplotlib's object interface is used, on the Agg canvas, so that there is no global state.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from seggrid.base.files import atomic_write
from seggrid.grid.report.charts import Results, charts_of, described
from seggrid.grid.report.charts.chart import BARS, LINES, ROWS, Chart, ChartLayer, linear_up_to
from seggrid.grid.report.theme import FIRST, PLAIN

COLUMN, PAGE = 3.35, 6.9
"""Widths of one column and of two columns, in inches."""

# Metadata that matplotlib would write into the file, and that differs from run to run.
FORMATS: dict[str, dict[str, None]] = {
    ".svg": {"Date": None, "Creator": None},
    ".png": {"Software": None},
}

STYLE: dict[Any, Any] = {
    # The font that comes with matplotlib, so that figures are the same on every machine.
    "font.family": "DejaVu Sans",
    "font.size": 8,
    "axes.titlesize": 8,
    "axes.labelsize": 8,
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
    "legend.fontsize": 7,
    "legend.frameon": False,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.6,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#E3E6EA",
    "grid.linewidth": 0.6,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "lines.linewidth": 1.3,
    "lines.markersize": 3.6,
    "figure.dpi": 100,
    "savefig.dpi": 220,
    # Makes the bytes equal in each run: no random ids, and glyphs as outlines.
    "svg.hashsalt": "seggrid",
    "svg.fonttype": "path",
}


def draw_all(results: Results, folder: str | Path) -> list[Path]:
    """Draw the figures for which there are data; return the files, `.svg` and `.png`."""
    files = []
    with figure_style():
        for name, figure in figures(results):
            files += save(figure, Path(folder) / name)
    return files


def figures(results: Results) -> Iterator[tuple[str, Figure]]:
    """Name and drawing of each figure for which there are data."""
    if (scores := results.get("scores")) is not None:
        scores = described(scores, results.get("significance"))
        results = {**results, "scores": scores}
    for chart in charts_of(results):
        if chart.name != "measures":  # which only the page has
            yield chart.name, draw(chart)


def save(figure: Figure, stem: Path) -> list[Path]:
    """Write a figure as `stem.svg` and `stem.png`, with identical bytes in each run."""
    paths = [stem.with_name(stem.name + suffix) for suffix in FORMATS]
    for path in paths:
        save_as(figure, path)
    return paths


def save_as(figure: Figure, path: Path) -> None:
    """Write a figure to one file, in the format that its name ends in (see `FORMATS`)."""
    FigureCanvasAgg(figure)
    with atomic_write(path, "wb") as file:
        figure.savefig(file, format=path.suffix[1:], metadata=FORMATS[path.suffix])


def figure_style() -> AbstractContextManager[None]:
    """The settings under which figures are drawn and written."""
    return mpl.rc_context(STYLE)


# Inches of a digit of a tick's label, a letter of other labels, a row, and a line of the legend.
_DIGIT, _LETTER, _ROW, _LINE = 0.62 * 7 / 72, 0.058, 0.19, 0.16

# By how many panels are in a row: the most characters of a line of a title, and the height of a panel.
_TITLE, _HEIGHT = {1: 44, 2: 42, 3: 28}, {1: 1.75, 2: 1.6, 3: 1.35}


def draw(chart: Chart) -> Figure:
    """The figure of a chart."""
    names, legend = chart.panels, _legend(chart)
    figure, grid, across = _layout(chart, len(names), legend)
    for axes, name in zip(grid, names, strict=False):
        panel = chart.frame[chart.frame["panel"] == name]
        if chart.kind == ROWS:
            panel = _in_rows(axes, panel)
        for layer in chart.layers():
            _draw(axes, chart, layer, layer.rows(panel))
        if chart.kind == BARS:
            _count_axes(axes)
        if chart.log:
            _size_axis(axes, panel["x"])
        axes.set_title(_wrapped(name, _TITLE[across]), loc="left", fontsize=7)
    for place, axes in enumerate(grid):
        if place >= len(names):
            axes.remove()
        elif place + across >= len(names):
            axes.set_xlabel(chart.x)
        if chart.y and place % across == 0:
            axes.set_ylabel(chart.y)
    if legend:
        columns = _columns(legend, figure.get_figwidth())
        figure.legend(handles=legend, ncols=columns, loc="lower center", columnspacing=1.2)
    return figure


def _layout(chart: Chart, panels: int, legend: list[Line2D]) -> tuple[Figure, list[Axes], int]:
    """An empty figure, its panels, and how many of them are in a row.

    The layout is computed here, in inches: matplotlib's own layout takes longer than drawing.
    """
    rows, letters = 0, 0
    if chart.kind == ROWS:
        rows = chart.most_rows()
        letters = chart.frame["row"].str.len().max()
    across = min(panels, 3 if letters < 10 else 2 if letters < 24 else 1)
    down = -(-panels // across)
    width = COLUMN if across == 1 and letters <= 24 else PAGE
    lines = max(_wrapped(name, _TITLE[across]).count("\n") for name in chart.panels) + 1
    panel = _ROW * (rows + 1) if rows else COLUMN - 0.8 if chart.diagonal else _HEIGHT[across]
    above, below = 0.08 + 0.14 * lines, 0.3
    foot = 0.2 + _LINE * math.ceil(len(legend) / _columns(legend, width))
    left = max(0.55, 0.15 + _LETTER * letters)
    gap = left + 0.1 if rows else 0.4 if chart.has_own_axes else 0.2
    height = foot + down * (above + panel + below)
    figure = Figure(figsize=(width, height))
    share = chart.kind == LINES and not chart.apart
    grid = figure.subplots(down, across, squeeze=False, sharey=share)
    figure.subplots_adjust(
        left=left / width,
        right=1 - 0.2 / width,
        top=1 - above / height,
        bottom=(foot + below) / height,
        wspace=gap / ((width - left - 0.2 - gap * (across - 1)) / across),
        hspace=(above + below) / panel,
    )
    return figure, list(grid.flat), across


def _columns(legend: list[Line2D], width: float) -> int:
    """How many entries of a legend fit beside one another."""
    longest = max((len(str(entry.get_label())) for entry in legend), default=1)
    return max(1, int(width / (0.42 + _LETTER * longest)))


def _legend(chart: Chart) -> list[Line2D]:
    """An entry for each series of the legend, and for what rings, ticks and dashed lines stand for."""
    entries = []
    for name in chart.in_legend():
        look = chart.looks[name]
        entry = Line2D([], [], color=look.color, marker=look.marker, label=name)
        if chart.kind == ROWS or chart.diagonal:
            entry.set_linestyle("none")
        entries.append(entry)
    said = {"rings": chart.rings, "ticks": chart.ticks}
    marks = {layer.mark for layer in chart.layers()}
    named = {mark: label for mark, label in said.items() if mark in marks}
    named |= {"dashes": chart.dashed} if chart.dashed else {}
    for mark, label in named.items():
        how = {"linestyle": "none", "marker": "o"} | MARKS[mark]
        entries.append(Line2D([], [], color=PLAIN.color, label=label, **how))
    return entries


MARKS: dict[str, dict[str, Any]] = {
    "line": {},
    "dashes": {"marker": "", "linestyle": "--", "linewidth": 0.8},
    "points": {"linestyle": "none", "markeredgewidth": 0},
    "rings": {
        **{"linestyle": "none", "markerfacecolor": "none"},
        **{"markersize": 6, "markeredgewidth": 0.8},
    },
    "ticks": {"linestyle": "none", "marker": "|", "markersize": 9, "markeredgewidth": 1.6},
    "area": {"linewidth": 0},
    "spans": {"linewidth": 2.4},
    "bars": {"align": "edge", "edgecolor": "white"},
    "reference": {"linestyle": "--", "linewidth": 0.8, "zorder": 1},
    "diagonal": {"linewidth": 0.8, "zorder": 0},
}
"""How each mark of a chart's layers looks."""


def _draw(axes: Axes, chart: Chart, layer: ChartLayer, rows: pd.DataFrame) -> None:
    """Draw the marks of a layer in one panel."""
    how = {**MARKS[layer.mark], "alpha": layer.opacity}
    if layer.mark == "diagonal":
        low, high = chart.ends()
        margin = (high - low) / 20
        # The same limits for both axes, so that no point is outside.
        axes.set(xlim=(low - margin, high + margin), ylim=(low - margin, high + margin))
        axes.axline((low, low), slope=1, color=PLAIN.color, **how)
    elif layer.mark == "reference":
        for value in rows[layer.x].dropna().unique():
            axes.axvline(value, color=PLAIN.color, **how)
    elif layer.mark == "ticks":
        axes.plot(rows[layer.x], rows[layer.y], color=PLAIN.color, **how)
    elif layer.mark == "bars":
        width = rows[layer.to] - rows[layer.x]
        axes.bar(rows[layer.x], rows[layer.y], width, color=FIRST.color, **how)
    else:
        for series, points in rows.groupby("series", sort=False):
            look = chart.looks[str(series)]
            x, y = points[layer.x], points[layer.y]
            if layer.mark == "area":
                axes.fill_between(x, y, points[layer.to], color=look.color, **how)
            elif layer.mark == "spans":
                axes.hlines(y, x, points[layer.to], color=look.color, **how)
            else:
                marker = look.marker if layer.mark in ("points", "rings") else ""
                axes.plot(x, y, color=look.color, **{"marker": marker, **how})


def _in_rows(axes: Axes, panel: pd.DataFrame) -> pd.DataFrame:
    """The rows of a panel by their places, counted from above, where the axis names them."""
    names = list(dict.fromkeys(panel["row"]))
    axes.set_yticks(range(len(names)), names)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="y", visible=False)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.xaxis.set_major_locator(MaxNLocator(5))
    return panel.assign(row=panel["row"].map(names.index))


def _count_axes(axes: Axes) -> None:
    axes.grid(False, axis="x")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(6))
        axis.set_major_formatter(lambda value, _: short(value))


def _size_axis(axes: Axes, sizes: Iterable[float]) -> None:
    """A logarithmic scale for numbers of merges or types, with a tick at each number as far as labels fit.

    If 0 is on the scale, it is linear up to the smallest other number.
    """
    values = np.array(sorted(set(sizes)), dtype=float)
    if (least := linear_up_to(values)) is None:
        axes.set_xscale("log")
    else:
        axes.set_xscale("symlog", linthresh=least, linscale=0.5)
    labels = [short(value) for value in values]
    places = axes.transData.transform(np.stack([values, np.zeros_like(values)], 1))[:, 0]
    half = np.array([len(label) * _DIGIT * axes.figure.dpi / 2 for label in labels])
    kept = [0]
    for index in range(1, len(values)):
        if places[index] - places[kept[-1]] > half[index] + half[kept[-1]] + 2:
            kept.append(index)
    axes.set_xticks(values[kept], [labels[index] for index in kept])
    axes.set_xticks([], minor=True)


def short(number: float) -> str:
    """A short and exact spelling of a number.

    >>> short(500), short(2500), short(3999), short(40000)
    ('500', '2.5k', '3,999', '40k')
    """
    thousands = f"{number / 1000:g}"
    return f"{thousands}k" if number >= 1000 and len(thousands) <= 3 else f"{number:,.10g}"


def _wrapped(text: str, width: int) -> str:
    """The text in lines of at most `width` characters, broken at commas and underscores if that is enough."""
    lines = [""]
    for part in re.findall(r"[^,_]*(?:, |_+|$)", text):
        if lines[-1] and len(lines[-1] + part.rstrip()) > width:
            lines.append("")
        lines[-1] += part
    return "\n".join(line.rstrip() for line in lines)
