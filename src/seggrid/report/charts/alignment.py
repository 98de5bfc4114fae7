"""Charts of alignment scores over the axes of the grid, for one pair and aligner.

Cells whose sides differ in the axis of a chart are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import pandas as pd

from seggrid.data.sides import SIDES
from seggrid.grid.axes import AXES
from seggrid.report.charts.chart import HEAT, LINES, Chart, curve, joined
from seggrid.report.labels import (
    METRICS,
    describe_side,
    order_of_aggregate,
    threshold,
    value_label,
    value_text,
)
from seggrid.report.theme import looks
from seggrid.score.votes import is_posterior
from seggrid.segment.axes import AXES as SIDE_AXES

SIZES = {"merges": "Merges", "vocabulary": "Vocabulary size (types)"}
"""The axes that set the size of a model, and their labels."""

LEAST = 3
"""The fewest values of x of which a panel is drawn."""


def of_setting(cells: pd.DataFrame, by_cell: pd.DataFrame) -> Iterator[Chart]:
    """The charts of the scored cells of one pair and aligner; `by_cell` has all scored cells, by name."""
    yield over_sizes(cells, by_cell)
    yield over_sizes(cells, by_cell, "vocabulary")
    yield dropout_over_merges(cells, by_cell)
    yield over_sizes(cells, by_cell, dropout=True)
    yield knockout_over_merges(cells, by_cell)
    yield thresholds(cells)
    yield dropout_by_merges(cells)


def settings(cells: pd.DataFrame, without: tuple[str, ...]) -> Iterator[tuple[str, pd.DataFrame]]:
    """Groups of cells that differ only in the axes `without`, on both sides, each with a label, which names
    both sides if they differ."""
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
    """Whether both sides of each cell have the same value of an axis, whose column has that of the source. A
    side without the axis, or with its neutral value, does not count."""
    own = [cells[side].str.extract(rf"\+{axis}=([^+]*)", expand=False) for side in SIDES]
    return own[0].isna() | own[1].isna() | (own[0] == own[1])


def _left(spec: str, without: tuple[str, ...]) -> str:
    """The spec of a side without some axes, and without axes that need one of them."""
    segmenter, *parts = spec.split("+")
    names = [part.partition("=")[0] for part in parts]
    gone = {name for name in names if name in without or SIDE_AXES[name].needs in without}
    return "+".join([segmenter, *(p for p, n in zip(parts, names, strict=True) if n not in gone)])


def over_sizes(
    cells: pd.DataFrame, by_cell: pd.DataFrame, size: str = "merges", dropout: bool = False
) -> Chart:
    """The four metrics over the size of the models (as in the thesis, Figures 6.1 to 6.15), a panel for each
    setting of the other axes. Dashed: the best words or, with dropout, the same cells without dropout and
    knockout."""
    cells = cells[cells[size].notna() & ((cells["dropout"] > 0) == dropout) & alike(cells, size)]
    partner = "plain_cell" if dropout else "words_cell"
    groups = [
        (panel, group.sort_values(size))
        for panel, group in settings(cells, without=(size,))
        if group[size].nunique() >= LEAST
    ]
    return Chart(
        "dropout-metrics" if dropout else size,
        f"Scores over {'merges, with dropout' if dropout else SIZES[size].lower()}",
        LINES,
        joined(metrics_over(p, g, size, by_cell.reindex(g[partner])) for p, g in groups),
        SIZES[size],
        dashed=_unpruned(cells) if dropout else "best words",
        log=True,
    )


def metrics_over(
    panel: str, ours: pd.DataFrame, x: str, against: pd.DataFrame | None = None
) -> pd.DataFrame:
    """The four metrics of cells over a column and, dashed, those of the cells with which they are compared,
    which are in the same order."""
    parts = []
    for metric, label in METRICS.items():
        ends = {
            end: ours[f"{metric}_{end}"] for end in ("low", "high") if f"{metric}_{end}" in ours
        }
        if against is not None:
            parts.append(curve(panel, label, ours[x], against[metric], "dashed"))
        parts.append(curve(panel, label, ours[x], ours[metric], **ends))
    return joined(parts)


def _unpruned(cells: pd.DataFrame) -> str:
    """A label for the plain cells with which cells with dropout are compared."""
    pruned = ~cells["knockout"].fillna("").isin(["", "none"])
    return "no dropout" + (", no knockout" if pruned.any() else "")


def dropout_over_merges(cells: pd.DataFrame, by_cell: pd.DataFrame) -> Chart:
    """F1 over the number of merges with dropout, a line for each aggregate of the samples. Dashed: the same
    segmentation without dropout and knockout."""
    cells = cells[cells["merges"].notna() & (cells["dropout"] > 0) & alike(cells, "merges")]
    order = sorted(set(cells["aggregate"]), key=order_of_aggregate)
    return Chart(
        "dropout",
        "F1 over merges, with dropout",
        LINES,
        _f1_over_merges(
            settings(cells, without=("merges", "aggregate")),
            "aggregate",
            {way: way for way in order},
            _partner_f1(cells, by_cell, "plain"),
        ),
        SIZES["merges"],
        "F1",
        looks(order),
        _unpruned(cells),
        log=True,
    )


def knockout_over_merges(cells: pd.DataFrame, by_cell: pd.DataFrame) -> Chart:
    """F1 over the number of merges, with a line for each knockout and one for the unpruned models, which
    segment the same sides; a panel for each choice of pruned sides. Dashed: the best words."""
    cells = cells[cells["merges"].notna() & (cells["dropout"] == 0)]
    cells = cells[alike(cells, "merges") & alike(cells, "knockout")]
    # With `both`, the two sides are pruned in the same way; with `mixed`, they are not.
    cells = cells.assign(sides=cells["sides"].replace("mixed", "both"))
    ways = sorted(set(cells["knockout"]), key=lambda way: (way != "none", way))
    called = {way: "as learned" if way == "none" else way for way in ways}
    groups = [
        (title, part)
        for label, group in settings(cells, without=("merges", "knockout"))
        for title, part in _by_pruned_sides(label, group)
        if part["knockout"].nunique() >= 2
    ]
    return Chart(
        "knockout",
        "F1 over merges, with and without pruning",
        LINES,
        _f1_over_merges(groups, "knockout", called, _partner_f1(cells, by_cell, "words")),
        SIZES["merges"],
        "F1",
        looks(called.values()),
        "best words",
        log=True,
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
    groups: Iterable[tuple[str, pd.DataFrame]],
    axis: str,
    called: Mapping[str, str],
    against: pd.Series,
) -> pd.DataFrame:
    """F1 over the number of merges, a line for each value of an axis, and the dashed line of `against`."""
    parts = []
    for panel, cells in groups:
        if cells["merges"].nunique() < LEAST:
            continue
        group = cells.sort_values("merges")
        first = group.drop_duplicates("merges")
        parts.append(curve(panel, "", first["merges"], against[first.index], "dashed"))
        for way, label in called.items():
            line = group[group[axis] == way]
            parts.append(curve(panel, label, line["merges"], line["f1"]))
    return joined(parts)


def thresholds(cells: pd.DataFrame) -> Chart:
    """Precision, recall and F1 over the threshold above which links of samples are kept, at the number of
    merges with the highest F1. Thresholds on probabilities have panels of their own."""
    cells = cells[alike(cells, "merges")]
    place = cells["aggregate"].map(threshold)
    cells = cells.assign(threshold=place)[place.notna() & (cells["dropout"] > 0)]
    parts = []
    for label, both in settings(cells, without=("merges", "aggregate")):
        for on_probabilities, group in both.groupby(both["aggregate"].map(is_posterior)):
            group = group[group["merges"] == group["merges"][group["f1"].idxmax()]]
            if group["threshold"].nunique() < LEAST:
                continue
            title = f"{label}, {int(group['merges'].iloc[0]):,} merges"
            title += ", posterior" * on_probabilities
            group = group.sort_values("threshold")
            names = {0.0: "union", 1.0: "inters."}
            places = [names.get(value, f"{value:g}") for value in group["threshold"]]
            parts += [
                curve(title, METRICS[metric], places, group[metric])
                for metric in ("precision", "recall", "f1")
            ]
    return Chart(
        "thresholds", "Scores over the threshold on samples", LINES, joined(parts), "Threshold"
    )


def dropout_by_merges(cells: pd.DataFrame) -> Chart:
    """The best F1 for each dropout rate and number of merges."""
    cells = cells[cells["merges"].notna() & alike(cells, "merges") & alike(cells, "dropout")]
    parts = []
    axes_left = ("merges", "dropout", "dropout_kind", "samples", "aggregate")
    for label, group in settings(cells, without=axes_left):
        best = group.groupby(["merges", "dropout"], as_index=False)["f1"].max()
        if best["merges"].nunique() >= 2 and best["dropout"].nunique() >= 2:
            best = best.rename(columns={"merges": "x", "dropout": "row", "f1": "y"})
            parts.append(best.assign(panel=label))
    return Chart(
        "dropout-merges",
        "The best F1 by dropout and merges",
        HEAT,
        joined(parts),
        "Merges",
        "Dropout",
    )
