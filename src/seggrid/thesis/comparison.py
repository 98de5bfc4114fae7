"""Compare published figures with ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from seggrid.grid.axes import AXES
from seggrid.score.metrics import METRICS
from seggrid.thesis.published import CELL_COLUMNS

STAND_INS = {"eflomal": "gibbs"}
"""Aligners of the same model, one of which has no seed and takes several times as long."""


def compare(published: Sequence[Mapping[str, str]], scores: pd.DataFrame) -> pd.DataFrame:
    """One row for each published row: the published figures, ours, and the differences.

    A published row is matched with the first cell that has the same values on all axes that the row gives;
    an empty field matches any value. If there is no cell with its aligner, cells of the aligner in
    `STAND_INS` are used. `cell` and our figures are empty if there is no such cell.

    Args:
        published: see `seggrid.thesis.published.read_published`.
        scores: the table of scores.
    """
    numbers = {
        name: pd.to_numeric(scores[name]).to_numpy(dtype=float)
        for name in CELL_COLUMNS
        if name in scores and _is_number(name)
    }
    texts = {name: scores[name].astype(str) for name in CELL_COLUMNS if name in scores}
    rows = []
    for row in published:
        agrees = _agree(row, numbers, texts, len(scores))
        if not agrees.any() and row.get("aligner") in STAND_INS:
            agrees = _agree(
                {**row, "aligner": STAND_INS[row["aligner"]]}, numbers, texts, len(scores)
            )
        cell = scores.iloc[agrees.argmax()] if agrees.any() else None
        out: dict[str, object] = {"cell": "" if cell is None else cell["cell"]}
        out |= {name: value for name, value in row.items() if name not in METRICS}
        for metric in METRICS:
            theirs = float(row.get(metric) or "nan")
            mine = float("nan") if cell is None else cell[metric]
            out |= {f"published_{metric}": theirs, metric: mine, f"delta_{metric}": mine - theirs}
        rows.append(out)
    return pd.DataFrame(rows)


def _agree(
    row: Mapping[str, str],
    numbers: Mapping[str, NDArray[np.float64]],
    texts: Mapping[str, pd.Series],
    cells: int,
) -> NDArray[np.bool_]:
    """Whether each cell matches a published row, shape (cells,)."""
    agrees = np.ones(cells, dtype=bool)
    for name in texts:
        value = row.get(name, "")
        if value and name in numbers:
            wanted = AXES[name].number(AXES[name].read(value))
            # A rate that was read from a table may differ in the last bit.
            agrees &= np.isclose(numbers[name], wanted, rtol=1e-12, atol=0)
        elif value and name in AXES and AXES[name].kind == "count":
            # A column with empty fields is read as one of fractions.
            agrees &= (texts[name].str.removesuffix(".0") == value).to_numpy()
        elif value:
            agrees &= (texts[name] == value).to_numpy()
    return agrees


def _is_number(name: str) -> bool:
    return name in AXES and AXES[name].kind in ("integer", "rate", "number")
