"""Charts as specifications of Vega-Lite, for the page.

`usermeta` tells the page how to fit a chart into its width: `panels`, their number, and `least`, the width in
pixels that a panel needs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd

from seggrid.grid.report.charts.chart import BARS, LINES, ROWS, Chart
from seggrid.grid.report.theme import FIRST, PLAIN, Look

Spec = dict[str, Any]

DASHES = [5, 4]


def spec_of(chart: Chart) -> Spec:
    """The specification of a chart that is not empty, without its data: a panel for each value of `panel`."""
    make, least = {LINES: (_lines, 240), ROWS: (_rows, 330), BARS: (_bars, 280)}[chart.kind]
    spec, panels = make(chart), chart.panels
    if len(panels) == 1:
        title = {"title": {"text": panels[0], "anchor": "start"}} if panels[0] else {}
        return {**spec, **title, "usermeta": {"panels": 1, "least": least}}
    # Names of tables may begin alike: panels are so wide that the names fit, but two stand side by side.
    least = max(least, min(500, 64 + 8 * max(map(len, panels))))
    # Counts are not shared.
    return in_panels(spec, panels, least, ["x", "y"] if chart.apart or chart.kind == BARS else [])


def rows_of(chart: Chart) -> pd.DataFrame:
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


def colored(looks: Mapping[str, Look], field: str = "series") -> Spec:
    """Color and shape by series, with one legend."""
    names = list(looks)
    channel = {"field": field, "type": "nominal", "title": None}
    color = {"domain": names, "range": [look.css for look in looks.values()]}
    shape = {"domain": names, "range": [look.shape for look in looks.values()]}
    legend: Spec | None = {} if len(names) > 1 else None
    return {
        "color": {**channel, "scale": color, "legend": legend},
        "shape": {**channel, "scale": shape, "legend": legend},
    }


def size_scale(values: Iterable[float]) -> Spec:
    """An axis of sizes: logarithmic, with ticks at its values as far as they fit; 0 has a place below the
    others."""
    known = sorted({float(value) for value in values})
    positive = [value for value in known if value > 0]
    scale: Spec = {"nice": False, "padding": 12}
    if len(positive) == len(known):
        scale["type"] = "log"
    else:
        scale |= {"type": "symlog", "constant": positive[0] if positive else 1}
    ticks = {"values": known, "labelExpr": "format(datum.value, ',~r')", "grid": False}
    return {"type": "quantitative", "scale": scale, "axis": ticks}


def _lines(chart: Chart) -> Spec:
    frame = chart.frame
    looks = {name: chart.looks[name] for name in chart.series()}
    x = {"type": "quantitative", "scale": {"zero": False}, "axis": {"tickCount": 6, "grid": False}}
    if chart.log:
        x = size_scale(frame["x"])
    encoding = {
        "x": {"field": "x", "title": chart.x, **x},
        "y": {**_score("y"), "title": chart.y or None},
        **colored(looks),
    }
    line = {name: encoding[name] for name in ("x", "y", "color")}
    styles = set(frame["style"])
    layer: list[Spec] = []

    def add(style: str, mark: Spec, encoding: Spec) -> None:
        if style in styles:
            filters = [{"filter": f"datum.style === '{style}'"}]
            layer.append({"transform": filters, "mark": mark, "encoding": encoding})

    if "low" in frame and frame["low"].notna().any():
        band = {**line, "y": _score("low"), "y2": {"field": "high"}}
        add("solid", {"type": "area", "opacity": 0.15}, band)
    add("dashed", {"type": "line", "strokeDash": DASHES, "strokeWidth": 1.2}, line)
    add("solid", {"type": "line", "strokeWidth": 2}, line)
    for style, filled in (("solid", True), ("points", True), ("rings", False)):
        mark = {"type": "point", "filled": filled, "size": 40 if filled else 60, "opacity": 1}
        add(style, mark, encoding)
    if chart.diagonal:
        values = pd.concat([frame["x"], frame["y"]])
        ends = [{"x": end, "y": end} for end in (values.min(), values.max())]
        rule = {"type": "line", "color": PLAIN.css, "strokeWidth": 1}
        where = {"x": {**_score("x"), "title": chart.x}, "y": _score("y")}
        layer.insert(0, {"data": {"values": ends}, "mark": rule, "encoding": where})
    return {"height": 240, "layer": layer}


def _score(field: str) -> Spec:
    return {"field": field, "type": "quantitative", "scale": {"zero": False}}


def _rows(chart: Chart) -> Spec:
    frame = chart.frame
    looks = {name: chart.looks[name] for name in chart.series()}
    scale: Spec = {"type": "log", "nice": True} if chart.log else {"zero": False}
    x = {"field": "x", "type": "quantitative", "title": chart.x, "scale": scale}
    y = {"field": "row", "type": "nominal", "sort": None, "title": None, "axis": {"grid": False}}
    channels = colored(looks)
    if not chart.legend:
        channels = {name: {**channel, "legend": None} for name, channel in channels.items()}
    color = channels["color"]
    layer: list[Spec] = []
    if "at" in frame:
        where = {"x": {**x, "field": "at"}}
        line = {"type": "rule", "strokeDash": DASHES, "color": PLAIN.css, "strokeWidth": 1.4}
        layer.append({"mark": line, "encoding": where})
        if chart.dashed:
            text = {"type": "text", "align": "right", "baseline": "bottom", "dx": -4, "y": -2}
            where = {**where, "text": {"value": chart.dashed}}
            layer.append({"mark": {**text, "color": PLAIN.css}, "encoding": where})
    if chart.ticks:
        tick = {"type": "tick", "thickness": 2, "size": 14, "color": PLAIN.css}
        layer.append({"mark": tick, "encoding": {"x": {**x, "field": "tick"}, "y": y}})
    if "low" in frame:
        ends = {"x": {**x, "field": "low"}, "x2": {"field": "high"}, "y": y, "color": color}
        layer.append({"mark": {"type": "rule", "strokeWidth": 3, "opacity": 0.5}, "encoding": ends})
    many = len(frame) > 3 * frame["row"].nunique() > 0
    mark = {
        "type": "point",
        "filled": True,
        "size": 30 if many else 60,
        "opacity": 0.5 if many else 1,
    }
    layer.append({"mark": mark, "encoding": {"x": x, "y": y, **channels}})
    # Not a step for each row, which Vega-Lite cannot fit into a width, nor count in panels with other rows.
    return {"height": 24 * int(frame.groupby("panel")["row"].nunique().max()), "layer": layer}


def _bars(chart: Chart) -> Spec:
    return {
        "height": 200,
        "mark": {"type": "bar", "color": FIRST.css, "binSpacing": 1},
        "encoding": {
            "x": {
                "field": "low",
                "bin": {"binned": True},
                "type": "quantitative",
                "title": chart.x,
            },
            "x2": {"field": "high"},
            "y": {"field": "y", "type": "quantitative", "title": chart.y},
        },
    }
