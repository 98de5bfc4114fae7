"""What a chart is: a frame, and how it is drawn. The page and the static figures draw the same charts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import pandas as pd

from seggrid.grid.report.theme import METRIC_LOOKS, Look

LINES, ROWS, BARS = "lines", "rows", "bars"

CROWDED = 0.7
"""The opacity of points that lie one over the other."""


class ChartLayer(NamedTuple):
    """One kind of marks of a chart; the columns of its frame from which they are made.

    Attributes:
        mark: `line`, `dashes`, `points`, `rings`, `area`, `bars`, `spans` and `ticks` in rows, `reference`, a
            dashed line across rows, or `diagonal`.
        x, y: columns of the place of a mark.
        to: column of the other end: of y for an area, of x for others.
        style: the rows that have the marks, by the column `style`; empty for all.
        opacity: from 0 to 1.
    """

    mark: str
    x: str
    y: str = ""
    to: str = ""
    style: str = ""
    opacity: float = 1.0

    @property
    def of_series(self) -> bool:
        """Whether marks have the look of their series; others look alike."""
        return self.mark not in ("bars", "ticks", "reference", "diagonal")

    def rows(self, frame: pd.DataFrame) -> pd.DataFrame:
        """The rows of a frame that have the marks."""
        return frame[frame["style"] == self.style] if self.style else frame


@dataclass(frozen=True)
class Chart:
    """A chart of one or more panels; panels, series and rows come in the order of the frame.

    The page and the static figures draw its `layers`, scale and legend; only how a mark looks is their own.

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
        frame: its rows.
        x, y: labels of the axes.
        looks: by series.
        dashed: what dashed lines stand for.
        rings: what rings stand for.
        ticks: what the marks of single rows stand for.
        log: whether x is logarithmic, of `LINES`.
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
    rings: str = ""
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

    def in_legend(self) -> list[str]:
        """The series that the legend names: rows need none if there is one series, or if they name it."""
        names = self.series()
        return [] if self.kind == ROWS and (len(names) < 2 or not self.legend) else names

    @property
    def has_own_axes(self) -> bool:
        """Whether each panel has its own axes: counts are not shared."""
        return self.apart or self.kind == BARS

    def most_rows(self) -> int:
        """The most rows of a panel, of `ROWS`."""
        return int(self.frame.groupby("panel")["row"].nunique().max())

    def ends(self) -> tuple[float, float]:
        """The least and the largest value of x and y together, the ends of the diagonal."""
        values = pd.concat([self.frame["x"], self.frame["y"]])
        return float(values.min()), float(values.max())

    def layers(self) -> list[ChartLayer]:
        """Its marks, those below others first."""
        return {LINES: self._lines, ROWS: self._rows, BARS: self._bars}[self.kind]()

    def _lines(self) -> list[ChartLayer]:
        styles = set(self.frame["style"])
        found = [ChartLayer("diagonal", "x", "y")] if self.diagonal else []
        if "low" in self.frame and self.frame["low"].notna().any():
            found.append(ChartLayer("area", "x", "low", "high", "solid", 0.15))
        found += [
            ChartLayer("dashes", "x", "y", style="dashed"),
            ChartLayer("line", "x", "y", style="solid"),
            ChartLayer("points", "x", "y", style="solid"),
            ChartLayer("points", "x", "y", style="points", opacity=CROWDED),
            ChartLayer("rings", "x", "y", style="rings"),
        ]
        return [layer for layer in found if not layer.style or layer.style in styles]

    def _rows(self) -> list[ChartLayer]:
        frame = self.frame
        crowded = len(frame) > 3 * frame["row"].nunique() > 0
        found = [ChartLayer("reference", "at")] if "at" in frame else []
        found += [ChartLayer("ticks", "tick", "row")] if self.ticks else []
        found += [ChartLayer("spans", "low", "row", "high", opacity=0.5)] if "low" in frame else []
        return [*found, ChartLayer("points", "x", "row", opacity=CROWDED if crowded else 1.0)]

    def _bars(self) -> list[ChartLayer]:
        return [ChartLayer("bars", "low", "y", "high")]


def linear_up_to(sizes: Iterable[float]) -> float | None:
    """Where a logarithmic axis of sizes begins to be one: at the least of them above 0, if 0 is among them;
    None if it is logarithmic as a whole.

    >>> linear_up_to([500, 2000]), linear_up_to([0, 500, 2000]), linear_up_to([0])
    (None, 500.0, 1.0)
    """
    known = [float(size) for size in sizes]
    positive = [size for size in known if size > 0]
    return None if len(positive) == len(known) else min(positive, default=1.0)


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
