"""Set published figures beside ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from seggrid.grid.axes import AXES
from seggrid.score.metrics import METRICS
from seggrid.thesis.published import CELL_COLUMNS


def compare(published: Sequence[Mapping[str, str]], scores: pd.DataFrame) -> pd.DataFrame:
    """One row a published figure: what was published, ours, and the difference.

    A published row belongs to the cell that agrees with it in every axis it gives; an empty field
    agrees with anything, and of several cells the first is taken. `cell` is empty where the grid
    has none, and then so are our figures.

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
        agrees = np.ones(len(scores), dtype=bool)
        for name in texts:
            value = row.get(name, "")
            if value and name in numbers:
                wanted = AXES[name].number(AXES[name].read(value))
                # A rate that was read back from a table may have lost its last bit.
                agrees &= np.isclose(numbers[name], wanted, rtol=1e-12, atol=0)
            elif value:
                agrees &= (texts[name] == value).to_numpy()
        cell = scores.iloc[agrees.argmax()] if agrees.any() else None
        out: dict[str, object] = {"cell": "" if cell is None else cell["cell"]}
        out |= {name: value for name, value in row.items() if name not in METRICS}
        for metric in METRICS:
            theirs = float(row.get(metric) or "nan")
            mine = float("nan") if cell is None else cell[metric]
            out |= {f"published_{metric}": theirs, metric: mine, f"delta_{metric}": mine - theirs}
        rows.append(out)
    return pd.DataFrame(rows)


def _is_number(name: str) -> bool:
    return name in AXES and AXES[name].kind in ("integer", "rate", "number")
