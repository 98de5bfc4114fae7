"""Charts as specifications of Vega-Lite, for the page.

`usermeta` tells the page how to fit a chart into its width: `panels`, their number, and `least`, the width in
pixels that a panel needs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd

from seggrid.grid.report.charts.chart import BARS, LINES, ROWS, Chart, ChartLayer, linear_up_to
from seggrid.grid.report.theme import FIRST, PLAIN, Look

Spec = dict[str, Any]

DASHES = [5, 4]


MARKS: dict[str, Spec] = {
    "area": {"type": "area"},
    "line": {"type": "line", "strokeWidth": 2},
    "dashes": {"type": "line", "strokeDash": DASHES, "strokeWidth": 1.2},
    "points": {"type": "point", "filled": True, "size": 40},
    "rings": {"type": "point", "filled": False, "size": 60},
    "spans": {"type": "rule", "strokeWidth": 3},
    "ticks": {"type": "tick", "thickness": 2, "size": 14, "color": PLAIN.css},
    "bars": {"type": "bar", "binSpacing": 1, "color": FIRST.css},
    "reference": {"type": "rule", "strokeDash": DASHES, "strokeWidth": 1.4, "color": PLAIN.css},
    "diagonal": {"type": "line", "strokeWidth": 1, "color": PLAIN.css},
}
"""How each mark of a chart's layers looks."""

_LEAST = {LINES: 240, ROWS: 330, BARS: 280}
"""The width in pixels that a panel needs."""


def spec_of(chart: Chart) -> Spec:
    """The specification of a chart that is not empty, without its data: a panel for each value of `panel`."""
    spec = {"height": _height(chart), "layer": [_layer(chart, layer) for layer in chart.layers()]}
    least, panels = _LEAST[chart.kind], chart.panels
    if len(panels) == 1:
        title = {"title": {"text": panels[0], "anchor": "start"}} if panels[0] else {}
        return {**spec, **title, "usermeta": {"panels": 1, "least": least}}
    # Names of tables may begin alike: panels are so wide that the names fit, but two stand side by side.
    least = max(least, min(500, 64 + 8 * max(map(len, panels))))
    return in_panels(spec, panels, least, ["x", "y"] if chart.has_own_axes else [])


def _height(chart: Chart) -> int:
    # Not a step for each row, which Vega-Lite cannot fit into a width, nor count in panels with other rows.
    return 24 * chart.most_rows() if chart.kind == ROWS else 240 if chart.kind == LINES else 200


def _layer(chart: Chart, layer: ChartLayer) -> Spec:
    """The marks of a layer, with their place and look."""
    mark = {**MARKS[layer.mark], "opacity": layer.opacity}
    if layer.mark == "points" and chart.kind == ROWS:
        mark["size"] = 60 if layer.opacity == 1 else 30
    x, y = _axes(chart)
    encoding: Spec = {"x": {**x, "field": layer.x}}
    if layer.y:
        encoding["y"] = {**y, "field": layer.y}
    if layer.to:
        encoding["y2" if layer.mark == "area" else "x2"] = {"field": layer.to}
    if layer.of_series:
        looks = {name: chart.looks[name] for name in chart.series()}
        channels = colored(looks, legend=bool(chart.in_legend()))
        encoding |= channels if mark["type"] == "point" else {"color": channels["color"]}
    spec: Spec = {"mark": mark, "encoding": encoding}
    if layer.style:
        spec["transform"] = [{"filter": f"datum.style === '{layer.style}'"}]
    if layer.mark == "diagonal":
        spec["data"] = {"values": [{"x": end, "y": end} for end in chart.ends()]}
    return spec


def _axes(chart: Chart) -> tuple[Spec, Spec]:
    """The horizontal and the vertical axis of all layers of a chart."""
    number: Spec = {"type": "quantitative", "scale": {"zero": False}}
    x = {**number, "title": chart.x}
    if chart.kind == ROWS:
        rows = {"type": "nominal", "sort": None, "title": None, "axis": {"grid": False}}
        return x, rows
    if chart.kind == BARS:
        x = {"type": "quantitative", "bin": {"binned": True}, "title": chart.x}
        return x, {"type": "quantitative", "title": chart.y}
    x |= size_scale(chart.frame["x"]) if chart.log else {"axis": {"tickCount": 6, "grid": False}}
    return x, {**number, "title": chart.y or None}


def chart_rows(chart: Chart) -> pd.DataFrame:
    """The data of a chart: its frame, in which one row of a panel draws the line across rows."""
    frame = chart.frame
    if "at" not in frame:
        return frame
    return frame.assign(at=frame["at"].mask(frame["panel"].duplicated()))


def in_panels(spec: Spec, panels: list[str], least: int, apart: Iterable[str]) -> Spec:
    """A specification with a panel for each of some values of `panel`."""
    outer = ("data", "transform", "params", "title")
    inner = {name: part for name, part in spec.items() if name not in outer}
    return {
        **{name: spec[name] for name in outer if name in spec},
        "facet": {"field": "panel", "type": "nominal", "sort": panels},
        "spec": inner,
        "spacing": 34,
        "resolve": {"scale": dict.fromkeys(apart, "independent")},
        "usermeta": {"panels": len(panels), "least": least},
    }


def colored(
    looks: Mapping[str, Look], field: str = "series", *, legend: bool | None = None
) -> Spec:
    """Color and shape by series, with one legend; by default, if there are several."""
    names = list(looks)
    channel = {"field": field, "type": "nominal", "title": None}
    color = {"domain": names, "range": [look.css for look in looks.values()]}
    shape = {"domain": names, "range": [look.shape for look in looks.values()]}
    shown: Spec | None = {} if (len(names) > 1 if legend is None else legend) else None
    return {
        "color": {**channel, "scale": color, "legend": shown},
        "shape": {**channel, "scale": shape, "legend": shown},
    }


def size_scale(values: Iterable[float]) -> Spec:
    """An axis of sizes: logarithmic, with ticks at its values as far as they fit; 0 has a place below the
    others."""
    known = sorted({float(value) for value in values})
    scale: Spec = {"nice": False, "padding": 12, "type": "log"}
    if (least := linear_up_to(known)) is not None:
        scale |= {"type": "symlog", "constant": least}
    ticks = {"values": known, "labelExpr": "format(datum.value, ',~r')", "grid": False}
    return {"type": "quantitative", "scale": scale, "axis": ticks}
