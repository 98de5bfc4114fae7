"""Static figures as SVG and PNG: the charts of `seggrid.report.charts`, drawn with matplotlib.

They are drawn with matplotlib's object interface on the Agg canvas, so that there is no global state.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from matplotlib.figure import Figure

from seggrid.report.charts import Results, charts_of, described
from seggrid.report.figures.drawing import draw, save, styled


def draw_all(results: Results, folder: str | Path) -> list[Path]:
    """Draw the figures for which there are data; return the files, `.svg` and `.png`."""
    files = []
    with styled():
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
