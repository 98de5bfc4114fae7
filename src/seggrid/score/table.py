"""Collate the scores of all cells into tables."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from seggrid.score.metrics import Scores, scores
from seggrid.score.score_file import Scored

METRICS = ("precision", "recall", "f1", "aer")

# Without a value in the whole grid, such a column would be taken for one of numbers.
_TEXTS = dict.fromkeys(
    ("spaces", "scoring", "knockout", "application", "dropout_kind", "aggregate", "experiment"), str
)


def read_cells(path: str | Path) -> pd.DataFrame:
    """The table of cells that the workflow wrote, every column as text, nothing taken for NaN."""
    return pd.read_csv(path, sep="\t", dtype=str, keep_default_na=False)


def read_scores(path: str | Path) -> pd.DataFrame:
    """The table of scores; an axis that a cell does not have is an empty text."""
    table = pd.read_csv(path, dtype=_TEXTS, keep_default_na=False, na_values=[""])
    texts = table.select_dtypes(exclude="number").columns
    table[texts] = table[texts].fillna("")
    return table


def read_table(path: str | Path | None) -> pd.DataFrame | None:
    """A table of results, or None where there is none or it has no rows."""
    if path is None or not Path(path).exists() or not Path(path).stat().st_size:
        return None
    table = pd.read_csv(path)
    return table if len(table) else None


def collate(
    cells: pd.DataFrame,
    why: Callable[[dict], str],
    load: Callable[[str], Scored | None] = Scored.load,
) -> tuple[pd.DataFrame, dict[str, NDArray]]:
    """The scores of every cell, and the counts behind them.

    Args:
        cells: one row a cell, with the columns of `seggrid.workflow.inputs.Grid.table`.
        why: says of a cell's row why it has no scores.
        load: reads the scores that a file holds, or gives None where there are none.

    Returns:
        The table of scores, one row a cell in the order of `cells`. A metric is that of the mean
        over replicates, `f1_sd` their standard deviation (n − 1), empty for one replicate, and
        `f1_samples_sd` that of the samples' own F1, empty without dropout. A cell
        whose scores are missing has empty metrics, the status `missing`, and in `reason` why.

        For each pair P, the arrays `P/cells` (names, shape (C,)), `P/sure` (sure links of each
        gold sentence, shape (G,)) and `P/counts` (links, sure hits, possible hits, shape
        (C, G, 3)), of the first replicate.
    """
    rows, arrays = [], {}
    loaded: dict[str, Scored | None] = {}
    for pair, of_pair in cells.groupby("pair", sort=False):
        names, counts, sure = [], [], None
        for row in of_pair.to_dict("records"):
            file = row["file"]
            if file not in loaded:
                loaded[file] = load(file)
            scored = loaded[file]
            if scored is None:
                missing = {"status": "missing", "reason": why(row)}
                rows.append({"cell": row["cell"], **missing})
                continue
            at = scored.aggregates.index(row["aggregate"])
            rows.append({"cell": row["cell"], "status": "ok", **_row(scored, at)})
            names.append(row["cell"])
            counts.append(scored.counts[at, 0])
            sure = scored.sure
        if sure is not None:
            arrays[f"{pair}/cells"] = np.array(names, dtype=np.str_)
            arrays[f"{pair}/sure"] = sure
            arrays[f"{pair}/counts"] = np.stack(counts)
    table = cells.merge(pd.DataFrame(rows), on="cell", validate="1:1")
    f1 = table.set_index("cell")["f1"] if "f1" in table else pd.Series(dtype=float)
    for column, other in (("delta_f1_words", "words_cell"), ("delta_f1_plain", "plain_cell")):
        table[column] = table.get("f1", np.nan) - table[other].map(f1)
    return table.drop(columns=["words_cell", "plain_cell", "file"]), arrays


def _row(scored: Scored, at: int) -> dict[str, float | int]:
    replicates: list[Scores] = [scores(counts, scored.sure) for counts in scored.counts[at]]
    row: dict[str, float | int] = {
        metric: float(np.mean([getattr(one, metric) for one in replicates])) for metric in METRICS
    }
    if len(replicates) > 1:
        row["f1_sd"] = float(np.std([one.f1 for one in replicates], ddof=1))
    else:
        row["f1_sd"] = np.nan
    # Of the samples one by one, before they are aggregated.
    n = scored.sample_f1.shape[1]
    row["f1_samples_sd"] = float(np.std(scored.sample_f1[0], ddof=1)) if n > 1 else np.nan
    row["links"] = int(scored.counts[at, 0, :, 0].sum())
    row["sentences"] = len(scored.sentences)
    return row
