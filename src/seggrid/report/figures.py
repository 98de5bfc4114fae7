"""Static figures, in SVG for the page and PNG for everything else.

Drawn with matplotlib's object interface on the Agg canvas, so that no global figure is kept. The
colors are Okabe and Ito's (2008, "Color universal design"), which stay apart for the common kinds
of color blindness; lines differ in marker too. Sizes are those of a paper: one column is 85 mm.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from seggrid.data.files import atomic_write
from seggrid.report.curves import curves, identity
from seggrid.report.labels import METRICS, SEGMENTERS
from seggrid.score.significance import partners

BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY = (
    "#0072B2",
    "#D55E00",
    "#009E73",
    "#CC79A7",
    "#E69F00",
    "#56B4E9",
)
GREY = "#5A6472"
METRIC_STYLE = {
    "precision": (VERMILLION, "^"),
    "recall": (GREEN, "s"),
    "f1": (BLUE, "o"),
    "aer": (PURPLE, "D"),
}
CYCLE = tuple(
    zip(
        (BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY, GREY),
        ("o", "^", "s", "D", "v", "P", "X"),
        strict=True,
    )
)

P_R_F1 = {metric: METRICS[metric] for metric in ("precision", "recall", "f1")}

COLUMN, PAGE = 3.35, 6.9
"""Widths of one column and of two, in inches."""

STYLE = {
    # The font that comes with matplotlib, so that figures look alike everywhere.
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
    # The same bytes each time: no random ids, and glyphs as outlines.
    "svg.hashsalt": "seggrid",
    "svg.fonttype": "path",
}


def draw_all(
    scores: pd.DataFrame,
    folder: str | Path,
    *,
    significance: pd.DataFrame | None = None,
    published: pd.DataFrame | None = None,
    morphology: pd.DataFrame | None = None,
    knockout: pd.DataFrame | None = None,
) -> list[Path]:
    """Draw every figure that the tables have the data for; return the files, `.svg` and `.png`.

    Args:
        scores: `results/scores.csv`.
        folder: where the figures are put.
        significance: `results/significance.csv`; its intervals are drawn where they are given.
        published: `results/published.csv`.
        morphology: `results/morphology.csv`.
        knockout: `results/knockout.csv`, see `seggrid.report.knockout.figure_table`.
    """
    files = []
    with mpl.rc_context(STYLE):
        for name, figure in figures(scores, significance, published, morphology, knockout):
            files += save(figure, Path(folder) / name)
    return files


def save(figure: Figure, stem: Path) -> list[Path]:
    """Write a figure as `stem.svg` and `stem.png`, the same bytes each time."""
    FigureCanvasAgg(figure)
    written = []
    for suffix, metadata in (
        (".svg", {"Date": None, "Creator": None}),
        (".png", {"Software": None}),
    ):
        path = stem.with_name(stem.name + suffix)
        with atomic_write(path, "wb") as file:
            figure.savefig(file, format=suffix[1:], metadata=metadata)
        written.append(path)
    return written


def figures(
    scores: pd.DataFrame,
    significance: pd.DataFrame | None = None,
    published: pd.DataFrame | None = None,
    morphology: pd.DataFrame | None = None,
    knockout: pd.DataFrame | None = None,
) -> Iterator[tuple[str, Figure]]:
    """Names and figures, one after the other; see `draw_all`."""
    scored = scores[scores["f1"].notna()].copy()
    scored["merges"] = pd.to_numeric(scored["merges"])
    scored["aggregate"] = scored["aggregate"].astype(str)
    if significance is not None and len(significance):
        scored = scored.merge(significance, on="cell", how="left", validate="one_to_one")
    compared = partners(scored).set_index("cell")
    known = scored.set_index("cell")
    for (pair, aligner), cells in scored.groupby(["pair", "aligner"], sort=False):
        name = f"{_slug(pair)}-{_slug(aligner)}"
        title = f"{pair}, {aligner}"
        for kind, draw in (
            ("merges", lambda c: over_merges(c, known, compared.words)),
            ("dropout", lambda c: dropout_over_merges(c, known, compared.plain)),
            ("knockout", lambda c: knockout_over_merges(c, known, compared.words)),
            ("thresholds", thresholds),
            ("dropout-merges", dropout_by_merges),
        ):
            figure = draw(cells)
            if figure is not None:
                figure.suptitle(title, fontsize=9, x=0.01, ha="left", fontweight="bold")
                yield f"{kind}-{name}", figure
    if published is not None and len(published):
        yield from _present(
            published=published_against_ours(published), differences=differences(published)
        )
        for number, figure in enumerate(published_tables(published, known, compared), start=1):
            yield f"published-tables-{number}", figure
    rows = curves(morphology, knockout)
    share = {"pruned": "share of merges pruned"}
    yield from _present(
        **{
            "knockout-threshold": knockout_sweep(rows, ("blame",), "Blame threshold"),
            "knockout-pruned": knockout_sweep(rows, ("blame",), "Blame threshold", share),
            "knockout-random-latest": knockout_sweep(
                rows, ("random", "latest"), "Share of merges pruned"
            ),
        }
    )
    if knockout is not None and len(knockout):
        for kind, name, label in (
            ("position", "knockout-positions", "Position in the vocabulary"),
            ("change", "knockout-tokens", "Tokens of a word, after minus before"),
        ):
            yield from _present(**{name: histogram(knockout, kind, label)})


def _present(**drawn: Figure | None) -> Iterator[tuple[str, Figure]]:
    yield from ((name, figure) for name, figure in drawn.items() if figure is not None)


def over_merges(cells: pd.DataFrame, known: pd.DataFrame, words: pd.Series) -> Figure | None:
    """The four metrics over the number of merges, no dropout (as in the thesis, Figure 6.1).

    A panel for each setting of the other axes that has at least three numbers of merges; the band
    is the confidence interval. Dashed: the words.

    Args:
        cells: the cells to draw.
        known: all cells, by name.
        words: name of the cell of words that each cell is compared with.
    """
    cells = cells[cells["merges"].notna() & (cells["dropout"] == 0)]
    panels = [
        (label, group.sort_values("merges"))
        for label, group in _settings(cells, without=("merges",))
        if group["merges"].nunique() >= 3
    ]

    def draw(axes: Axes, group: pd.DataFrame) -> None:
        _metrics_over_merges(axes, group, known.reindex(group["cell"].map(words)))
        for metric, (color, _) in METRIC_STYLE.items():
            if f"{metric}_low" in group:
                bounds = group[f"{metric}_low"], group[f"{metric}_high"]
                axes.fill_between(group["merges"], *bounds, color=color, alpha=0.15, linewidth=0)

    figure = _panels(panels, draw, "Merges", None)
    if figure is not None:
        _legend(figure, dashed="words")
    return figure


def _metrics_over_merges(axes: Axes, ours: pd.DataFrame, against: pd.DataFrame) -> None:
    for metric, (color, marker) in METRIC_STYLE.items():
        axes.plot(ours["merges"], against[metric], "--", color=color, linewidth=0.8)
        axes.plot(ours["merges"], ours[metric], color=color, marker=marker, label=METRICS[metric])
    _merges_axis(axes, ours["merges"])


def dropout_over_merges(
    cells: pd.DataFrame, known: pd.DataFrame, plain: pd.Series
) -> Figure | None:
    """F1 over the number of merges with dropout, a line for each way to join the samples.

    A panel for each setting of the other axes. Dashed: the same segmentation without dropout.

    Args:
        cells: the cells to draw.
        known: all cells, by name.
        plain: name of the cell without dropout that each cell is compared with.
    """
    cells = cells[cells["merges"].notna() & (cells["dropout"] > 0)]
    ways = {way: way for way in sorted(set(cells["aggregate"]), key=_threshold)}
    panels = _settings(cells, without=("merges", "aggregate"))
    against = known["f1"].reindex(cells["cell"].map(plain)).set_axis(cells.index)
    return _f1_over_merges(panels, "aggregate", ways, against, "no dropout")


def knockout_over_merges(
    cells: pd.DataFrame, known: pd.DataFrame, words: pd.Series
) -> Figure | None:
    """F1 over the number of merges, a line for each knockout and one for BPE as it is.

    A panel for each setting of the other axes in which something is pruned; where one side alone
    is, the models as learned are those of the same sides segmented. Dashed: the words.

    Args:
        cells: the cells to draw.
        known: all cells, by name.
        words: name of the cell of words that each cell is compared with.
    """
    cells = cells[cells["merges"].notna() & (cells["dropout"] == 0)]
    # `both` and `mixed` differ in whether the two sides are pruned alike.
    cells = cells.assign(sides=cells["sides"].replace("mixed", "both"))
    ways = sorted(set(cells["knockout"]), key=lambda way: (way != "none", way))
    called = {way: "as learned" if way == "none" else way for way in ways}
    panels = [
        (label, group)
        for label, group in _settings(cells, without=("merges", "knockout"))
        if group["knockout"].nunique() >= 2
    ]
    against = known["f1"].reindex(cells["cell"].map(words)).set_axis(cells.index)
    return _f1_over_merges(panels, "knockout", called, against, "words")


def _f1_over_merges(
    panels: Iterable[tuple[str, pd.DataFrame]],
    axis: str,
    ways: Mapping[str, str],
    against: pd.Series,
    dashed: str,
) -> Figure | None:
    """F1 over the number of merges, for the panels with at least three of them.

    Args:
        panels: a title and cells for each.
        axis: the axis of which each value is a line.
        ways: its values in the order of the legend, and what they are called there.
        against: the F1 that each cell is compared with, by the cells' index.
        dashed: what that is.
    """
    look = dict(zip(ways, CYCLE, strict=False))

    def draw(axes: Axes, group: pd.DataFrame) -> None:
        first = group.drop_duplicates("merges")
        axes.plot(first["merges"], against[first.index], "--", color=GREY, linewidth=1)
        for way, called in ways.items():
            line = group[group[axis] == way]
            color, marker = look.get(way, (GREY, "."))
            axes.plot(line["merges"], line["f1"], color=color, marker=marker, label=called)
        _merges_axis(axes, group["merges"])

    kept = [(label, group) for label, group in panels if group["merges"].nunique() >= 3]
    drawn = [(label, group.sort_values("merges")) for label, group in kept]
    figure = _panels(drawn, draw, "Merges", "F1")
    if figure is not None:
        _legend(figure, dashed=dashed)
    return figure


def thresholds(cells: pd.DataFrame) -> Figure | None:
    """Precision, recall and F1 over the threshold at which samples' links are kept.

    The union is the threshold 0 and the intersection 1. A panel for each dropout rate and number of
    samples, at the number of merges whose best F1 is highest.
    """
    place = cells["aggregate"].map(_threshold)
    cells = cells.assign(threshold=place)[place.notna() & (cells["dropout"] > 0)]
    panels = []
    for label, group in _settings(cells, without=("merges", "aggregate")):
        group = group[group["merges"] == group["merges"][group["f1"].idxmax()]]
        if group["threshold"].nunique() >= 3:
            merges = f"{int(group['merges'].iloc[0]):,} merges"
            panels.append((f"{label}, {merges}", group.sort_values("threshold")))

    def draw(axes: Axes, group: pd.DataFrame) -> None:
        places = range(len(group))
        for metric, called in P_R_F1.items():
            color, marker = METRIC_STYLE[metric]
            axes.plot(places, group[metric], color=color, marker=marker, label=called)
        names = {0.0: "union", 1.0: "inters."}
        axes.set_xticks(places, [names.get(t, f"{t:g}") for t in group["threshold"]])

    figure = _panels(panels, draw, "Threshold", None)
    if figure is not None:
        _legend(figure)
    return figure


def _threshold(aggregate: str) -> float:
    ends = {"union": 0.0, "intersection": 1.0, "none": np.nan}
    return ends[aggregate] if aggregate in ends else float(aggregate)


def dropout_by_merges(cells: pd.DataFrame) -> Figure | None:
    """The best F1 for each dropout rate and number of merges, as shades with figures in them."""
    cells = cells[cells["merges"].notna()]
    panels = []
    axes_left = ("merges", "dropout", "dropout_kind", "samples", "aggregate")
    for label, group in _settings(cells, without=axes_left):
        best = group.pivot_table(index="dropout", columns="merges", values="f1", aggfunc="max")
        if len(best) >= 2 and best.shape[1] >= 2:
            panels.append((label, best))

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
                    f"{value:.3f}"[1:],
                    ha="center",
                    va="center",
                    color=color,
                    size=size,
                )
        axes.set_xticks(range(best.shape[1]), [_short(m) for m in best.columns])
        axes.set_yticks(range(len(best)), [f"{rate:g}" for rate in best.index])

    return _panels(panels, draw, "Merges", "Dropout", share=False)


def published_against_ours(published: pd.DataFrame) -> Figure | None:
    """Each published figure against ours; on the diagonal they agree."""
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
    low, high = axes.get_xlim()
    axes.axline((low, low), slope=1, color=GREY, linewidth=0.8, zorder=0)
    axes.set(xlabel="Published", ylabel="Ours", xlim=(low, high), ylim=(low, high), aspect="equal")
    axes.legend()
    return figure


def published_tables(
    published: pd.DataFrame, known: pd.DataFrame, compared: pd.DataFrame
) -> Iterator[Figure]:
    """Each published table as its author drew it, six to a figure: ours, with theirs as rings.

    Dashed: the same without dropout, or the words where there is no dropout.

    Args:
        published: `results/published.csv`.
        known: all cells, by name.
        compared: their partners, see `seggrid.score.significance.partners`, by cell.
    """
    panels = []
    for name, rows in published[published["cell"].isin(known.index)].groupby("table", sort=False):
        theirs = [f"published_{metric}" for metric in METRICS]
        ours = known.loc[rows["cell"]].reset_index()
        ours[theirs] = rows[theirs].to_numpy()
        if ours["merges"].nunique() >= 3:
            panels.append((str(name), ours.sort_values("merges")))

    def draw(axes: Axes, ours: pd.DataFrame) -> None:
        kind = "plain" if (ours["dropout"] > 0).any() else "words"
        _metrics_over_merges(axes, ours, known.reindex(ours["cell"].map(compared[kind])))
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

    for start in range(0, len(panels), 6):
        figure = _panels(panels[start : start + 6], draw, "Merges", None)
        ring = {"marker": "o", "color": GREY, "markerfacecolor": "none", "linestyle": "none"}
        figure.axes[0].plot([], [], label="published", markersize=6, **ring)
        _legend(figure, dashed="no dropout, or words")
        yield figure


def differences(published: pd.DataFrame) -> Figure | None:
    """Ours minus published, a row for each published table; the band is ±0.02."""
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


def knockout_sweep(
    rows: pd.DataFrame,
    methods: tuple[str, ...],
    label: str,
    measures: Mapping[str, str] = P_R_F1,
) -> Figure | None:
    """Boundary precision, recall and F1 over how much is pruned (BPE-knockout, Figures 2 and 5).

    Dashed: the model as learned.

    Args:
        rows: see `seggrid.report.curves.curves`.
        methods: the ways to prune to draw, a panel each.
        label: what varies.
        measures: the columns to draw, and what they are called.
    """
    panels = []
    for method in methods:
        for setting, group in rows[rows["method"] == method].groupby("setting", sort=False):
            if group["amount"].nunique() >= 3:
                base = rows[(rows["setting"] == setting) & (rows["knockout"] == "none")]
                name = f"{setting}, {method}" if setting else method
                panels.append((name, (group.sort_values("amount"), base)))

    def draw(axes: Axes, data: tuple[pd.DataFrame, pd.DataFrame]) -> None:
        group, base = data
        for metric, called in measures.items():
            color, marker = METRIC_STYLE.get(metric, (GREY, "o"))
            axes.plot(group["amount"], group[metric], color=color, marker=marker, label=called)
            for value in base[metric]:
                axes.axhline(value, color=color, linestyle="--", linewidth=0.8)

    figure = _panels(panels, draw, label, None)
    if figure is not None:
        _legend(figure, dashed="as learned")
    return figure


def histogram(knockout: pd.DataFrame, kind: str, label: str) -> Figure | None:
    """Counts in bins, a panel for each model (BPE-knockout, Figures 4 and 6).

    Args:
        knockout: see `seggrid.report.knockout.figure_table`.
        kind: the figure.
        label: what is counted.
    """
    keys = [*identity(knockout), "knockout"]
    chosen = knockout[knockout["figure"] == kind]
    panels = [(", ".join(map(str, key)), group) for key, group in chosen.groupby(keys, sort=False)]

    def draw(axes: Axes, group: pd.DataFrame) -> None:
        width = group["high"] - group["low"]
        axes.bar(group["low"], group["count"], width, align="edge", color=BLUE, edgecolor="white")
        axes.grid(False, axis="x")
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_locator(MaxNLocator(6))
            axis.set_major_formatter(lambda value, _: _short(value))

    return _panels(panels, draw, label, "Count", share=False)


def _settings(cells: pd.DataFrame, without: tuple[str, ...]) -> Iterator[tuple[str, pd.DataFrame]]:
    """Groups of cells that differ in the axes `without` alone, with a label for each."""
    axes = [
        axis
        for axis in (
            "segmenter", "sides", "spaces", "case", "scoring", "knockout", "application",
            "symmetrization", "dropout", "dropout_kind", "samples", "aggregate", "merges",
        )
        if axis in cells and axis not in without
    ]  # fmt: skip
    varied = [axis for axis in axes if cells[axis].astype(str).nunique() > 1]
    keys = [cells[axis].astype(str) for axis in axes]
    for values, group in cells.groupby(keys, sort=False, dropna=False):
        setting = dict(zip(axes, values, strict=True))
        words = [SEGMENTERS.get(setting.get("segmenter", ""), setting.get("segmenter", ""))]
        words += [_phrase(axis, setting[axis]) for axis in varied if axis != "segmenter"]
        yield ", ".join(word for word in words if word), group


def _phrase(axis: str, value: str) -> str:
    if axis == "sides":
        return {"both": "", "mixed": "unlike sides"}.get(value, f"{value} only")
    if axis == "spaces":
        return {"no": "across spaces"}.get(value, "")
    if axis == "aggregate":
        return value if value in ("union", "intersection") else f"threshold {value}"
    if axis == "samples":
        return f"{value} samples"
    if axis == "dropout":
        return f"dropout {value}" if float(value) else ""
    return "" if value in ("", "none", "nan") else f"{axis.replace('_', ' ')} {value}"


def _panels(
    panels: list[tuple[str, Any]],
    draw: Callable[[Axes, Any], None],
    x_label: str,
    y_label: str | None,
    share: bool = True,
) -> Figure | None:
    """One panel each, at most three in a row; one panel alone is as wide as a column."""
    if not panels:
        return None
    across = min(len(panels), 3)
    down = -(-len(panels) // across)
    width = COLUMN if across == 1 else PAGE
    titles = [_wrapped(title, 50 if across == 1 else 100 // across) for title, _ in panels]
    # Laid out by hand, in inches: matplotlib's own layout takes longer than the drawing.
    lines = max(title.count("\n") for title in titles) + 1
    panel = {1: 1.75, 2: 1.6, 3: 1.35}[across]
    above, below, head, foot = 0.08 + 0.14 * lines, 0.3, 0.25, 0.5
    height = head + foot + down * (above + panel + below)
    figure = Figure(figsize=(width, height))
    grid = figure.subplots(down, across, squeeze=False, sharey=share)
    figure.subplots_adjust(
        left=0.55 / width,
        right=1 - 0.12 / width,
        top=1 - (head + above) / height,
        bottom=(foot + below) / height,
        wspace=0.12 if share else 0.22,
        hspace=(above + below) / panel,
    )
    for axes, title, (_, data) in zip(grid.flat, titles, panels, strict=False):
        draw(axes, data)
        axes.set_title(title, loc="left", fontsize=7)
    for axes in grid.flat[len(panels) :]:
        axes.remove()
    for place, axes in enumerate(grid.flat[: len(panels)]):
        if place + across >= len(panels):
            axes.set_xlabel(x_label)
        if y_label and place % across == 0:
            axes.set_ylabel(y_label)
    return figure


def _legend(figure: Figure, dashed: str | None = None) -> None:
    """One legend for all panels, at the foot of the figure."""
    axes = figure.axes[0]
    if dashed:
        axes.plot([], [], "--", color=GREY, linewidth=0.8, label=dashed)
    handles, labels = axes.get_legend_handles_labels()
    columns = len(labels) if figure.get_figwidth() > COLUMN else 3
    figure.legend(handles, labels, loc="lower center", ncols=columns, columnspacing=1.2)


def _merges_axis(axes: Axes, merges: Iterable[float]) -> None:
    """Merges in steps of tenfold, each number of merges a tick as far as they fit."""
    values = sorted(set(merges))
    axes.set_xscale("log")
    apart = [values[0]]
    for value in values[1:]:
        if np.log10(value / apart[-1]) > 0.2:
            apart.append(value)
    axes.set_xticks(apart, [_short(value) for value in apart])
    axes.set_xticks([], minor=True)


def _short(number: float) -> str:
    return f"{number / 1000:g}k" if number >= 1000 else f"{number:g}"


def _wrapped(text: str, width: int) -> str:
    """The text in lines of at most `width`, cut at commas."""
    lines = [""]
    for part in text.split(", "):
        joined = f"{lines[-1]}, {part}" if lines[-1] else part
        if len(joined) > width and lines[-1]:
            lines[-1] += ","
            lines.append(part)
        else:
            lines[-1] = joined
    return "\n".join(lines)


def _slug(text: object) -> str:
    """A name that can be part of a file's name anywhere."""
    return "".join(c if c.isascii() and (c.isalnum() or c in "_-") else "_" for c in str(text))
