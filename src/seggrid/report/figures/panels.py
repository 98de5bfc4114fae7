"""Panels side by side, one for each setting, with one legend."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.backend_bases import RendererBase
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.legend import Legend

from seggrid.data.sides import SIDES
from seggrid.grid.axes import AXES
from seggrid.report.figures.style import COLUMN, GREY, PAGE
from seggrid.report.labels import describe_side, value_label, value_text
from seggrid.segment.axes import AXES as SIDE_AXES

# Width of a digit of a tick's label, in inches.
_DIGIT = 0.62 * 7 / 72

# The height of a legend that fits below the panels, in inches, and the number of labels that fit in it.
_LEGEND, _FEW = 0.33, 5


def settings(cells: pd.DataFrame, without: tuple[str, ...]) -> Iterator[tuple[str, pd.DataFrame]]:
    """Groups of cells that differ only in the axes `without`, with a label for each group.

    The axes are compared on both sides. If the sides differ, the label names both.
    """
    axes = [axis for axis in AXES if axis in cells and axis not in without]
    keys = [cells[axis].map(value_text) for axis in axes]
    varied = [key.nunique() > 1 for key in keys]
    sides = [cells[side].map(lambda spec: _left(spec, without)) for side in SIDES if side in cells]
    for values, group in cells.groupby([*keys, *sides], sort=False, dropna=False):
        specs = values[len(axes) :]
        unlike = len(set(specs)) > 1 and not any(spec.startswith("words") for spec in specs)
        phrases = [" / ".join(map(describe_side, specs))] if unlike else []
        phrases += [
            value_label(axis, value)
            for axis, value, varies in zip(axes, values, varied, strict=False)
            if (varies or axis == "segmenter")
            and not (unlike and (axis in SIDE_AXES or axis == "sides"))
        ]
        yield ", ".join(filter(None, phrases)), group


def alike(cells: pd.DataFrame, axis: str) -> pd.Series:
    """Whether both sides of each cell have the same value of an axis.

    The column of the axis has the value of the source, so cells with two values cannot be drawn over it. A
    side without the axis, or with its neutral value, does not count.
    """
    own = [cells[side].str.extract(rf"\+{axis}=([^+]*)", expand=False) for side in SIDES]
    return own[0].isna() | own[1].isna() | (own[0] == own[1])


def _left(spec: str, without: tuple[str, ...]) -> str:
    """The spec of a side without some axes, and without axes that need one of them."""
    segmenter, *parts = spec.split("+")
    names = [part.partition("=")[0] for part in parts]
    gone = {name for name in names if name in without or SIDE_AXES[name].needs in without}
    return "+".join([segmenter, *(p for p, n in zip(parts, names, strict=True) if n not in gone)])


def panels(
    contents: list[tuple[str, Any]],
    draw: Callable[[Axes, Any], None],
    x_label: str,
    y_label: str | None,
    share: bool = True,
) -> Figure | None:
    """Draw panels, at most three in a row; a single panel has the width of a column.

    Args:
        contents: title and data of each panel.
        draw: draws the data of one panel.
        x_label, y_label: labels of the axes.
        share: whether all panels share one y axis.

    Returns:
        The figure; None if there is no panel.
    """
    if not contents:
        return None
    across = min(len(contents), 3)
    down = -(-len(contents) // across)
    width = COLUMN if across == 1 else PAGE
    titles = [_wrapped(title, {1: 44, 2: 42, 3: 28}[across]) for title, _ in contents]
    # The layout is computed here, in inches: matplotlib's own layout takes longer than drawing.
    lines = max(title.count("\n") for title in titles) + 1
    panel = {1: 1.75, 2: 1.6, 3: 1.35}[across]
    above, below, head, foot = 0.08 + 0.14 * lines, 0.3, 0.25, 0.5
    height = head + foot + down * (above + panel + below)
    figure = Figure(figsize=(width, height))
    grid = figure.subplots(down, across, squeeze=False, sharey=share)
    figure.subplots_adjust(
        left=0.55 / width,
        right=1 - 0.2 / width,
        top=1 - (head + above) / height,
        bottom=(foot + below) / height,
        wspace=0.12 if share else 0.22,
        hspace=(above + below) / panel,
    )
    for axes, title, (_, data) in zip(grid.flat, titles, contents, strict=False):
        draw(axes, data)
        axes.set_title(title, loc="left", fontsize=7)
    for axes in grid.flat[len(contents) :]:
        axes.remove()
    for place, axes in enumerate(grid.flat[: len(contents)]):
        if place + across >= len(contents):
            axes.set_xlabel(x_label)
        if y_label and place % across == 0:
            axes.set_ylabel(y_label)
    return figure


def legend(figure: Figure, dashed: str | None = None) -> None:
    """Add one legend for all panels at the bottom of a figure.

    Args:
        figure: a figure whose first panel has a line of every kind.
        dashed: the label of dashed lines.
    """
    axes = figure.axes[0]
    if dashed:
        axes.plot([], [], "--", color=GREY, linewidth=0.8, label=dashed)
    handles, labels = axes.get_legend_handles_labels()
    columns = len(labels) if figure.get_figwidth() > COLUMN else 3

    def add(columns: int) -> Legend:
        return figure.legend(handles, labels, ncols=columns, loc="lower center", columnspacing=1.2)

    drawn = add(columns)
    if len(labels) <= _FEW:
        return
    # Many labels may need more rows than fit in the figure.
    renderer: RendererBase = FigureCanvasAgg(figure).get_renderer()  # type: ignore[no-untyped-call]
    while columns > 1 and drawn.get_window_extent(renderer).width > figure.bbox.width:
        columns -= 1
        drawn.remove()
        drawn = add(columns)
    more = drawn.get_window_extent(renderer).height / figure.dpi - _LEGEND
    if more > 0:
        _add_below(figure, more)


def _add_below(figure: Figure, inches: float) -> None:
    """Make a figure higher, adding space below its panels, which keep their size."""
    before = figure.get_figheight()
    height = before + inches
    bottom, top = figure.subplotpars.bottom, figure.subplotpars.top
    figure.set_figheight(height)
    figure.subplots_adjust(
        bottom=(bottom * before + inches) / height, top=(top * before + inches) / height
    )


def size_axis(axes: Axes, sizes: Iterable[float]) -> None:
    """Set a logarithmic scale for numbers of merges or types, with a tick at each number as far as labels
    fit.

    If 0 is on the scale, it is linear up to the smallest other number.
    """
    values = np.array(sorted(set(sizes)), dtype=float)
    positive = values[values > 0]
    if len(positive) == len(values):
        axes.set_xscale("log")
    else:
        axes.set_xscale("symlog", linthresh=positive[0] if len(positive) else 1, linscale=0.5)
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
    """The text in lines of at most `width` characters, broken at commas if that is enough."""
    lines = [""]
    for part in text.split(", "):
        joined = f"{lines[-1]}, {part}" if lines[-1] else part
        if len(joined) > width and lines[-1]:
            lines[-1] += ","
            lines.append(part)
        else:
            lines[-1] = joined
    return "\n".join(lines)
