"""What a chart is: a frame, and how it is drawn. The page and the static figures draw the same charts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import pandas as pd

from seggrid.grid.report.theme import METRIC_LOOKS, Look

LINES, ROWS, BARS = "lines", "rows", "bars"


@dataclass(frozen=True)
class Chart:
    """A chart of one or more panels; panels, series and rows come in the order of the frame.

    Attributes:
        name: name of its static figure, and of its element in the page.
        title: what it shows.
        kind: which columns the frame has, besides `panel`:

            - `LINES`: `series`, `style` (`solid`, `dashed`, `points` or `rings`), `x`, `y`, and `low` and
              `high` where there is an interval;
            - `ROWS`: `row`, `series`, `x`, `low` and `high`; `at`, a dashed line across the rows; `tick`, a
              mark in the row alone;
            - `BARS`: `low`, `high`, `y`.

            All may have `cell`, the row of a cell in the table of scores.
        x, y: labels of the axes.
        looks: by series.
        dashed: what dashed lines stand for.
        ticks: what the marks of single rows stand for.
        log: whether x is logarithmic.
        apart: whether each panel has its own range of values.
        legend: whether series have a legend, which rows that name them do not need.
        diagonal: whether x and y are the same quantity, so that equal values are on a line.
    """

    name: str
    title: str
    kind: str
    frame: pd.DataFrame
    x: str
    y: str = ""
    looks: Mapping[str, Look] = field(default_factory=lambda: METRIC_LOOKS)
    dashed: str = ""
    ticks: str = ""
    log: bool = False
    apart: bool = False
    legend: bool = True
    diagonal: bool = False

    @property
    def panels(self) -> list[str]:
        """The names of the panels."""
        return list(dict.fromkeys(self.frame["panel"]))

    def series(self) -> list[str]:
        """The series, in the order of their looks."""
        present = set(self.frame.get("series", []))
        return [name for name in self.looks if name in present]


def curve(
    panel: str,
    series: str,
    x: Iterable[object],
    y: Iterable[float],
    style: str = "solid",
    **more: Iterable[object],
) -> pd.DataFrame:
    """The points of one line, as rows of a frame of `LINES`."""
    points = {"x": list(x), "y": list(y), **{name: list(column) for name, column in more.items()}}
    return pd.DataFrame({"panel": panel, "series": series, "style": style, **points})


def joined(parts: Iterable[pd.DataFrame]) -> pd.DataFrame:
    """The rows of all parts; a frame without rows or columns if there is none."""
    present = [part for part in parts if len(part)]
    return pd.concat(present, ignore_index=True) if present else pd.DataFrame(columns=["panel"])
