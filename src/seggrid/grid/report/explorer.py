"""The explorer of the page: charts of all cells, which the reader filters with Vega's own parameters.

A view draws scores over one axis, or two scores. Its data are the cells of the page; the reader
chooses the score, whether every cell is drawn or the best at each point, and values of axes to keep.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from seggrid.grid.report.labels import (
    MEASURES,
    METRICS,
    MORE_METRICS,
    SIZES,
    axis_labels,
    order_of_aggregate,
    value_label,
)
from seggrid.grid.report.theme import PLAIN, Look
from seggrid.grid.report.vega import DASHES, Spec, colored, in_panels, size_scale
from seggrid.score.votes import PREFIXES
from seggrid.segment.axes import AXES as SIDE_AXES
from seggrid.text.sides import SIDES

ALL = "all"
"""The value of a filter that keeps every cell."""

_AS_SPELLED = ("aggregate", "knockout")
"""Axes whose values are short as they are spelled, and long as they are said."""

_SCORES = [*METRICS, *MORE_METRICS]
_FEWEST = 3
"""The fewest points of a panel."""

_NOT_OVER = ("pair", "aligner", "experiment", "segmenter", "sides")
"""Axes that no view is over: panels and colors show them."""

_MOST = 40
"""The most values of an axis that has a filter."""


def views(cells: pd.DataFrame, looks: Mapping[str, Look]) -> Iterator[tuple[str, Spec]]:
    """Title and specification of each view of a grid that has something to show. Cells are as from
    `seggrid.grid.report.charts.described`, with the column `panel`; looks are by kind of segmentation."""
    scored = cells[cells["f1"].notna()]
    kinds = scored.groupby(["panel", "family"], sort=False)
    axes = [*SIZES, *(axis for axis in axis_labels() if axis not in (*SIZES, *_NOT_OVER))]
    for axis in axes:
        if axis not in cells:
            continue
        several = kinds[axis].nunique()
        panels = [p for p in scored["panel"].unique() if (several.get(p, pd.Series(0)) > 1).any()]
        if panels:
            yield f"Over {axis_labels()[axis].lower()}", _over(axis, scored, panels, looks)
    sized = scored[scored["merges"].notna()].groupby("panel")[["merges", "dropout"]].nunique()
    if (sized > 1).all(axis=1).any():
        yield "Dropout \N{MULTIPLICATION SIGN} merges", _dropout_by_merges(scored)
    if len(scored) > 1:
        yield "Precision and recall", _against("recall", "precision", scored, looks)
        for measure in ("fertility_target", "fertility_source"):
            if measure in scored and scored[measure].nunique() > 1:
                label = MEASURES[measure]
                yield label, _against(measure, "f1", scored, looks)
                break


def _over(axis: str, cells: pd.DataFrame, panels: list[str], looks: Mapping[str, Look]) -> Spec:
    """A score over an axis: for each kind, a line through the cells that differ from its best one in the axis
    alone; dashed: the words that differ from the best of these in the segmentation alone."""
    values = ordered(axis, cells[axis].dropna().unique().tolist())
    if pd.api.types.is_numeric_dtype(cells[axis]):
        tenfold = min(values) >= 0 and max(values) >= 10 * min(v for v in values if v > 0)
        plain = {"type": "quantitative", "scale": {"zero": False, "padding": 12}}
        x = size_scale(values) if tenfold else plain | {"axis": {"values": values, "grid": False}}
    else:
        labels = {
            value: value if axis in _AS_SPELLED else value_label(axis, value) or value
            for value in values
        }
        x = {"type": "ordinal", "sort": values, "axis": _ordinal(labels, len(panels))}
    x = {"field": axis, "title": axis_labels()[axis], **x}
    y = {"field": "y", "type": "quantitative", "scale": {"zero": False}, "title": None}
    look = colored(_present(looks, cells), field="family")
    where = {"x": x, "y": y, "color": look["color"]}
    best = {**where, "y": {**y, "field": "best"}}
    known = {"condition": {"test": "isValid(datum.best_words)", "value": 1}, "value": 0}
    words = {"y": {**y, "field": "words_y"}, "opacity": known}
    ends = {**where, "y": {**y, "field": "low"}, "y2": {"field": "high"}}
    spec = {
        **_data(cells, panels, axis),
        "height": 260,
        "layer": [
            {"mark": {"type": "rule", "strokeDash": DASHES, "color": PLAIN.css}, "encoding": words},
            {"mark": {"type": "line", "invalid": "filter"}, "encoding": best},
            {"mark": {"type": "rule", "opacity": 0.4}, "encoding": ends},
            {"mark": _POINT, "encoding": {**where, "shape": look["shape"]}},
        ],
    }
    return in_panels(spec, panels, 280, ["y"])


_POINT = {"type": "point", "filled": True, "size": 44, "opacity": 1}


def _against(x: str, y: str, cells: pd.DataFrame, looks: Mapping[str, Look]) -> Spec:
    """Every cell as a point between two numbers."""
    titles = {**METRICS, **MEASURES}
    counts = cells["panel"].value_counts(sort=False)
    panels = list(counts.index[counts >= _FEWEST]) or list(counts.index)
    spec = {
        **_data(cells, panels, None, score=y),
        "height": 300,
        "mark": {**_POINT, "opacity": 0.8},
        "encoding": {
            name: {
                "field": field,
                "type": "quantitative",
                "title": titles[own],
                "scale": {"zero": False},
            }
            for name, field, own in (("x", x, x), ("y", "y", y))
        }
        | colored(_present(looks, cells), field="family"),
    }
    return in_panels(spec, panels, 320, ["x", "y"])


def _dropout_by_merges(cells: pd.DataFrame) -> Spec:
    """The best score by dropout and merges, in shades that all panels share, with numbers."""
    axes = ["merges", "dropout"]
    shown = cells[
        cells["merges"].notna()
        & same_on_both_sides(cells, "merges")
        & same_on_both_sides(cells, "dropout")
    ]
    counts = shown.groupby("panel", sort=False)[axes].nunique()
    panels = list(counts.index[(counts > 1).all(axis=1)])
    shown = shown[shown["panel"].isin(panels)]
    places = {
        "x": {"field": "merges", "type": "ordinal", "title": "Merges", "axis": {"labelAngle": 0}},
        "y": {"field": "dropout", "type": "ordinal", "title": "Dropout", "sort": "descending"},
    }
    shade: Spec = {"field": "y", "type": "quantitative", "title": None}
    shade |= {"scale": {"scheme": "cividis", "zero": False}, "legend": {"gradientThickness": 10}}
    best = shown.groupby(["panel", *axes])["f1"].max()
    # Numbers are white on dark shades.
    test = f"datum.y > {(best.min() + best.max()) / 2}"
    number = {
        "text": {"field": "y", "type": "quantitative", "format": ".3f"},
        "color": {"condition": {"test": test, "value": "#111"}, "value": "#fff"},
    }
    data = _data(cells, panels, None)
    unlike = [transform for axis in axes for transform in _unlike(axis, cells)]
    best_cell = [_numbered("place", ["panel", *axes], by="y"), {"filter": "datum.place === 1"}]
    spec = {
        **data,
        "title": {"text": METRICS["f1"], "anchor": "start"},
        "transform": [*data["transform"], *unlike, {"filter": "isValid(datum.merges)"}, *best_cell],
        "height": 30 * shown["dropout"].nunique(),
        "layer": [
            {"mark": "rect", "encoding": {**places, "color": shade}},
            {"mark": {"type": "text", "fontSize": 10}, "encoding": {**places, **number}},
        ],
    }
    return in_panels(spec, panels, 300, [])


def _data(cells: pd.DataFrame, panels: list[str], axis: str | None, *, score: str = "f1") -> Spec:
    """The cells of some panels with their chosen score, `y`, and the parameters that filter them; over an
    axis, the reader chooses the score, too."""
    kept, filters = _filters(cells)
    params: list[Spec] = [{"name": "score", "value": score}, *kept]
    transform: list[Spec] = [
        {"filter": {"field": "panel", "oneOf": panels}},
        {"filter": "isValid(datum.f1)"},
        *_unlike(axis, cells),
        *filters,
        {"calculate": "datum[score]", "as": "y"},
        {"filter": "isValid(datum.y)"},
    ]
    if axis:
        measures = {**METRICS, **MORE_METRICS, **MEASURES}
        known = {m: name for m, name in measures.items() if m in cells and cells[m].notna().any()}
        shown = {"best": "the best cell", "all": "every cell"}
        params = [
            {"name": "score", "value": score, "bind": _select("Score", known)},
            {"name": "show", "value": "best", "bind": _select("At each point", shown)},
            *kept,
        ]
        transform += _ranked(axis, cells)
        title = {"text": {"expr": f"{known}[score]"}, "anchor": "start"}
        return {"params": params, "transform": transform, "title": title}
    return {"params": params, "transform": transform}


def _select(name: str, options: Mapping[str, str]) -> Spec:
    """A select with the labels of its values."""
    return {
        "input": "select",
        "name": f"{name} ",
        "options": list(options),
        "labels": list(options.values()),
    }


def _ranked(axis: str, cells: pd.DataFrame) -> list[Spec]:
    """Transforms that give each cell its `place` among those of the same panel and kind at the same value of
    an axis. For each kind, cells are kept that differ in the axis alone from its best cell, of those that
    others differ from so. The best has `best`, its score, with `low` and `high`; one row of a panel has
    `words_y`, the words that differ from the best cell that is shown in the segmentation alone, unless the
    lowest score is best."""
    lower = ["aer", "f1_sd", "f1_samples_sd"]
    is_lower, is_score = (f"indexof({names}, score) >= 0" for names in (lower, _SCORES))
    own, joined = _settings(axis, cells)
    of_kind = ["panel", "family"]
    return [
        # A measure has no best value: there, the best is that by F1.
        {"calculate": f"{is_lower} ? -datum.y : {is_score} ? datum.y : datum.f1", "as": "better"},
        {"calculate": own, "as": "settings"},
        {"calculate": joined, "as": "joined"},
        {"calculate": f"isValid(datum['{axis}']) && datum['{axis}'] !== ''", "as": "placed"},
        {
            "joinaggregate": [{"op": "distinct", "field": axis, "as": "values"}],
            "groupby": [*of_kind, "settings", "placed"],
        },
        # Those of which there are several come before a single cell, however good.
        {"calculate": "datum.better + (datum.values > 1 ? 1000 : 0)", "as": "order"},
        *_best_of("leader", of_kind, "datum.placed", "order"),
        {
            "calculate": "datum.placed && (show === 'all' || datum.settings === datum.leader.settings)",
            "as": "shown",
        },
        *_best_of("top", ["panel"], "datum.shown", "better"),
        {
            "calculate": f"!({is_lower}) && datum.family === 'words' && datum.joined === datum.top.joined"
            " ? datum.y : null",
            "as": "of_words",
        },
        {
            "joinaggregate": [{"op": "max", "field": "of_words", "as": "best_words"}],
            "groupby": ["panel"],
        },
        {"filter": "datum.shown"},
        _numbered("place", ["panel", axis, "family"], by="better"),
        {"filter": "show === 'all' || datum.place === 1"},
        _numbered("row", ["panel"], by="place"),
        # Without words, the line is at a score of the panel, and not seen.
        {
            "calculate": "datum.row > 1 ? null : isValid(datum.best_words) ? datum.best_words : datum.y",
            "as": "words_y",
        },
        {"calculate": "datum.place === 1 ? datum.y : null", "as": "best"},
        *(
            {
                "calculate": f"datum.place === 1 && isValid(datum[score + '_{end}'])"
                f" ? datum[score + '_{end}'] : datum.best",
                "as": end,
            }
            for end in ("low", "high")
        ),
    ]


def _settings(axis: str, cells: pd.DataFrame) -> tuple[str, str]:
    """Two expressions of Vega: the settings of a cell but an axis, and those beside its segmentation. Samples
    and their votes belong to a segmentation that is drawn, thresholds on probabilities do not."""
    varying = [
        name
        for name in axis_labels()
        if name in cells
        and name not in (axis, "experiment")
        and cells[name].nunique(dropna=False) > 1
    ]
    by_axis = SIDE_AXES.get(axis)
    drawn = by_axis is not None and by_axis.random
    own = [
        _threshold(name) if drawn and name == "aggregate" else f"datum['{name}']"
        for name in varying
        if not (drawn and name == "samples")
        and not ((known := SIDE_AXES.get(name)) and known.needs == axis)
    ]
    after = [name for name in varying if name not in SIDE_AXES or SIDE_AXES[name].stage == "corpus"]
    joined = [
        _threshold(name) if name == "aggregate" else f"datum['{name}']"
        for name in after
        if name not in ("samples", "sides", "replicates")
    ]
    return f"join([{', '.join(own)}], '|')", f"join([{', '.join(joined)}], '|')"


def _threshold(name: str) -> str:
    """The expression of an aggregate that is a threshold on probabilities; of all others, an empty text."""
    return f"test(/^({'|'.join(PREFIXES)})/, toString(datum['{name}'])) ? datum['{name}'] : ''"


def _best_of(name: str, groups: list[str], among: str, by: str) -> list[Spec]:
    """Give each row the one of its group with the highest value of a field, among those that an expression
    holds for."""
    last = -1e9
    return [
        {"calculate": f"{among} ? datum.{by} : {last}", "as": f"{name}_order"},
        {
            "joinaggregate": [{"op": "argmax", "field": f"{name}_order", "as": name}],
            "groupby": groups,
        },
    ]


def _numbered(name: str, groups: list[str], by: str) -> Spec:
    """The place of each row in its group, from the highest value of a field."""
    return {
        "window": [{"op": "row_number", "as": name}],
        "sort": [{"field": by, "order": "descending"}],
        "groupby": groups,
    }


def _unlike(axis: str | None, cells: pd.DataFrame) -> list[Spec]:
    """A cell whose sides differ in an axis has the value of the source there: it has no place on the axis."""
    if axis not in SIDE_AXES:
        return []
    unlike = cells.index[~same_on_both_sides(cells, axis)].tolist()
    return [{"filter": f"indexof({unlike}, datum.i) < 0"}] if unlike else []


def same_on_both_sides(cells: pd.DataFrame, axis: str) -> pd.Series:
    """Whether both sides of each cell have the same value of an axis, whose column has that of the source. A
    side without the axis, or with its neutral value, does not count."""
    own = [cells[side].str.extract(rf"\+{axis}=([^+]*)", expand=False) for side in SIDES]
    return own[0].isna() | own[1].isna() | (own[0] == own[1])


def _filters(cells: pd.DataFrame) -> tuple[list[Spec], list[Spec]]:
    """For each axis that varies, a parameter with its values, and the filter that it sets."""
    params, filters = [], []
    for axis, label in axis_labels().items():
        if axis not in cells:
            continue
        texts = cells[axis].dropna()
        found = texts[texts != ""].unique().tolist()
        if axis == "experiment":
            found = list(dict.fromkeys(name for text in found for name in str(text).split(";")))
        if not 1 < len(found) <= _MOST:
            continue
        values = ordered(axis, found)
        options = [ALL, *map(str, values)]
        labels = [ALL, *(value_label(axis, value) or str(value) for value in values)]
        bind = _select(label, dict(zip(options, labels, strict=True)))
        params.append({"name": f"only_{axis}", "value": ALL, "bind": bind})
        own = f"split(toString(datum['{axis}']), ';')"
        filters.append({"filter": f"only_{axis} === '{ALL}' || indexof({own}, only_{axis}) >= 0"})
    return params, filters


def ordered(axis: str, values: Sequence[Any]) -> list[Any]:
    """Values of an axis in their order: numbers and thresholds by size, others as they come.

    >>> ordered("aggregate", ["0.5", "posterior-0.4", "union", "1/3", "none"])
    ['none', 'union', '1/3', '0.5', 'posterior-0.4']
    """
    if axis == "aggregate":
        return sorted(map(str, values), key=order_of_aggregate)
    if all(isinstance(value, (int, float)) for value in values):
        return sorted(int(v) if float(v).is_integer() else float(v) for v in values)
    return sorted(map(str, values), key=lambda value: value != "none")


def _ordinal(labels: Mapping[str, str], panels: int) -> Spec:
    """An axis of names; long ones lean."""
    lean = sum(map(len, labels.values())) * min(panels, 3) > 100 or len(labels) > 8
    longer = {value: label for value, label in labels.items() if value != label}
    said = {"labelExpr": f"{longer}[datum.value] || datum.value"} if longer else {}
    every = {"labelAngle": -40, "labelOverlap": False} if lean else {"labelAngle": 0}
    return {"grid": False, **every, **said}


def _present(looks: Mapping[str, Look], cells: pd.DataFrame) -> dict[str, Look]:
    return {name: look for name, look in looks.items() if name in set(cells["family"])}
