"""The charts and the table of published figures beside ours."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pandas as pd

from seggrid.grid.report.charts.chart import LINES, ROWS, Chart, curve, joined
from seggrid.grid.report.charts.others import interval_ends
from seggrid.grid.report.labels import METRICS, SIZES

_LEAST = 3
"""The fewest sizes over which the scores of a published table are drawn."""


def with_stand_ins(published: pd.DataFrame) -> pd.DataFrame:
    """Published rows; with stand-ins, if there are any."""
    stand_in = published.get("stand_in", pd.Series("", published.index)).fillna("")
    return published.assign(stand_in=stand_in).drop(
        columns=[] if stand_in.ne("").any() else "stand_in"
    )


def of_published(published: pd.DataFrame, by_cell: pd.DataFrame) -> Iterator[Chart]:
    """Published figures against ours, their differences, and each published table as its author drew it."""
    parts = []
    for metric, label in METRICS.items():
        pairs = published[[f"published_{metric}", metric]].dropna()
        parts.append(curve("", label, pairs[f"published_{metric}"], pairs[metric], "points"))
    title = "Each published figure against ours"
    yield Chart("published", title, LINES, joined(parts), "Published", "Ours", diagonal=True)
    found = published[published["delta_f1"].notna()]
    rows = [
        pd.DataFrame(
            {
                "panel": "",
                "row": found["table"],
                "series": METRICS[metric],
                "x": found[f"delta_{metric}"],
            }
        ).assign(at=0.0)
        for metric in ("f1", "aer")
    ]
    title = "Our value minus the published one, by table"
    yield Chart("differences", title, ROWS, joined(rows), "Ours minus published")
    yield from _published_tables(published, by_cell)


def _published_tables(published: pd.DataFrame, by_cell: pd.DataFrame) -> Iterator[Chart]:
    """Scores over merges, six tables in a chart; published values are rings.

    Dashed lines are the same cells without dropout, or words if there is no dropout.
    """
    parts = []
    for name, rows in published[published["cell"].isin(by_cell.index)].groupby("table", sort=False):
        theirs = [f"published_{metric}" for metric in METRICS]
        ours = by_cell.loc[rows["cell"]].reset_index()
        ours[theirs] = rows[theirs].to_numpy()
        if ours["merges"].nunique() < _LEAST:
            continue
        ours = ours.sort_values("merges")
        partner = "plain_cell" if (ours["dropout"] > 0).any() else "words_cell"
        against = by_cell.reindex(ours[partner])
        lines, rings = [], []
        for metric, label in METRICS.items():
            line = partial(curve, str(name), label, ours["merges"])
            lines += [
                line(against[metric], "dashed"),
                line(ours[metric], **interval_ends(ours, metric)),
            ]
            rings.append(line(ours[f"published_{metric}"], "rings"))
        parts.append(joined([*lines, *rings]))
    for start in range(0, len(parts), 6):
        yield Chart(
            f"published-tables-{start // 6 + 1}",
            "Published tables and ours over merges; rings are published",
            LINES,
            joined(parts[start : start + 6]),
            SIZES["merges"],
            dashed="no dropout, or words",
            rings="published",
            log=True,
        )
