"""Set published figures beside ours."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from seggrid.errors import InputError
from seggrid.score.table import METRICS

NOT_AXES = ("num_symbols", "table", *METRICS)
"""Columns of a table of published figures that do not say which cell they belong to."""


def read_published(path: str | Path) -> pd.DataFrame:
    """A table of published figures: columns of axes, of metrics, and `table`, where it stood.

    Raises:
        InputError: a column is missing.
    """
    table = pd.read_csv(path, dtype=str, keep_default_na=False)
    missing = [name for name in ("pair", "table", *METRICS) if name not in table]
    if missing:
        raise InputError(f"no column {missing[0]!r}", file=path, line=1, hint="add it")
    return table


def compare(published: pd.DataFrame, scores: pd.DataFrame) -> pd.DataFrame:
    """One row a published figure: what was published, ours, and the difference.

    A published row belongs to the cell that agrees with it in every axis it gives; an empty field
    agrees with anything, and of several cells the first is taken. `cell` is empty where the grid
    has none, and then so are our figures.

    Args:
        published: see `read_published`.
        scores: the table of scores.
    """
    axes = [name for name in published if name not in NOT_AXES and name in scores]
    ours = scores[axes].map(_text)
    rows = []
    for row in published.to_dict("records"):
        agrees = pd.Series(True, index=scores.index)
        for axis in axes:
            if row[axis] != "":
                agrees &= ours[axis] == _text(row[axis])
        found = scores[agrees]
        cell = found.iloc[0] if len(found) else None
        out = {"cell": "" if cell is None else cell["cell"]}
        out |= {name: value for name, value in row.items() if name not in METRICS}
        for metric in METRICS:
            theirs = float(row[metric]) if row[metric] else float("nan")
            mine = float("nan") if cell is None else cell[metric]
            out |= {
                f"published_{metric}": theirs,
                metric: mine,
                f"delta_{metric}": mine - theirs,
            }
        rows.append(out)
    return pd.DataFrame(rows)


def _text(value: object) -> str:
    """One spelling of a value, whatever type it was read as."""
    text = str(value)
    try:
        return f"{float(text):g}"
    except ValueError:
        return "" if text == "nan" else text
