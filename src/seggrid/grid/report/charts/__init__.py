"""The charts of the page and of the static figures: frames with labels, from the tables of results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np
import pandas as pd

from seggrid.grid.report.charts.chart import BARS, ROWS, Chart
from seggrid.grid.report.charts.others import (
    best_cells,
    critical_differences,
    family_looks,
    measures,
)
from seggrid.grid.report.labels import METRICS, SIZES, describe_all, kinds_of_segmentation
from seggrid.grid.study import STUDIES
from seggrid.score.selection import settings_of

Results = Mapping[str, pd.DataFrame]
"""Tables of results by name, see `seggrid.base.result_tables`."""


def described(scores: pd.DataFrame, significance: pd.DataFrame | None) -> pd.DataFrame:
    """The table of scores with intervals, and with the description and kind of each cell; before any cell has
    scores, all are missing.

    Cells keep their rows, by which marks and rows of tables name them.
    """
    if significance is not None and len(significance):
        # The scores already name the compared cells.
        results = significance.drop(columns=["words", "plain"], errors="ignore")
        scores = scores.merge(results, on="cell", how="left", validate="one_to_one")
    return scores.assign(
        **{metric: scores.get(metric, np.nan) for metric in METRICS},
        name=describe_all(scores),
        family=kinds_of_segmentation(scores),
        aggregate=scores["aggregate"].astype(str),
        **{size: pd.to_numeric(scores[size], errors="coerce") for size in SIZES},
    )


def charts_of(results: Results) -> Iterator[Chart]:
    """The charts of the page and of the figures, without panels of one point. The scores are as from
    `described`."""
    for chart in _charts_of({name: table for name, table in results.items() if len(table)}):
        if len(frame := chart.frame):
            place = "row" if chart.kind == ROWS else "low" if chart.kind == BARS else "x"
            several = frame.groupby("panel")[place].transform("nunique") > 1
            if several.any():
                yield replace(chart, frame=frame[several])


def _charts_of(results: Results) -> Iterator[Chart]:
    """The charts of tables that have rows; some may be empty."""
    if "scores" in results:
        scores = results["scores"]
        scored = scores[scores["f1"].notna()]
        look = family_looks(scores)
        yield best_cells(scored, look)
        if "agreement" in scores:
            yield best_cells(scores[scores["agreement"].notna()], look, "agreement")
        if "ranks" in results:
            yield critical_differences(results["ranks"], setting_names(scores))
    if "correlations" in results:
        yield measures(results["correlations"])
    for study in STUDIES.values():
        yield from study.charts(results)


def setting_names(scores: pd.DataFrame) -> dict[str, str]:
    """The description of each setting, which is a cell without its pair, with its aligner."""
    names = scores["aligner"] + ": " + scores["name"]
    return dict(zip(settings_of(scores["cell"]), names, strict=True))
