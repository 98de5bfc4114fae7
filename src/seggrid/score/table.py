"""Collate the scores of all cells into tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from packaging.version import Version

from seggrid.align import AXES as ALIGNER_AXES
from seggrid.align.alignability import COLUMNS
from seggrid.base.axis import ALL
from seggrid.base.files import atomic_write
from seggrid.base.result_tables import BY_NAME, NAME, TEXT
from seggrid.score.counts import GroupCounts, PairCounts, read_group_counts
from seggrid.score.metrics import F1, LINKS, METRICS, compute_metrics
from seggrid.segment.axes import AXES as SIDE_AXES
from seggrid.segment.measures import MEASURES, Measured, read_measures
from seggrid.segment.side import parse_spec
from seggrid.text.sides import SIDES

NO_GOLD = "no gold"
"""The status of cells of a pair without gold, which have links and measures but no scores."""

# Before 3.1, pandas loses the last digit of one number in three unless told otherwise; from then on, the
# argument is deprecated.
_EXACT = {} if Version(pd.__version__) >= Version("3.1") else {"float_precision": "round_trip"}


def _texts() -> Iterator[str]:
    """The columns of text; without this list, pandas would read a column without values as one of numbers. A
    number of types may be missing, which an empty field expresses; a number of sentences may be the word
    `all`."""
    for name, axis in (SIDE_AXES | ALIGNER_AXES).items():
        is_text = axis.kind in ("choice", "flag", "text")
        if is_text or (axis.kind == "count" and axis.uncounted == ALL):
            yield name
    yield from BY_NAME["scores"].column_names((NAME, TEXT))


def _columns() -> Iterator[str]:
    """The columns that the table of a whole run may have."""
    yield from (*SIDE_AXES, *ALIGNER_AXES)
    yield from (name for name in BY_NAME["scores"].column_names() if name != "reason")
    yield from (f"{name}_{side}" for name in MEASURES for side in SIDES)


def read_cells(path: str | Path) -> pd.DataFrame:
    """Read the table of cells that the workflow wrote, all columns as text and no value as NaN."""
    return pd.read_csv(path, sep="\t", dtype=str, keep_default_na=False)


def write_parquet(file: Path, table: pd.DataFrame) -> None:
    """Write a table as Parquet, too, where pyarrow is installed; one of an earlier run does not stay."""
    file.unlink(missing_ok=True)
    if find_spec("pyarrow"):
        with atomic_write(file, "wb") as content:
            table.to_parquet(content, engine="pyarrow", index=False)


def read_numbers(path: str | Path, texts: Iterable[str]) -> pd.DataFrame:
    """Read a CSV table, each number as it was written, `texts` as text, an empty field as missing."""
    dtype = dict.fromkeys(texts, str)
    return pd.read_csv(path, dtype=dtype, keep_default_na=False, na_values=[""], **_EXACT)


def without_empty_columns(scores: pd.DataFrame) -> pd.DataFrame:
    """The scores as they are written: without columns in which every field is empty, which `read_scores` puts
    back.

    >>> [*without_empty_columns(pd.DataFrame({"pair": ["a"], "remark": [""], "f1_sd": [np.nan]}))]
    ['pair']
    """
    return scores.loc[:, (scores.notna() & (scores != "")).any()]


def read_scores(path: str | Path) -> pd.DataFrame:
    """Read `results/scores.csv`; the value of an axis that a cell does not have is an empty text. Columns
    that were left out, being empty, come last."""
    table = read_numbers(path, _texts())
    absent = list(dict.fromkeys(name for name in _columns() if name not in table))
    table = table.reindex(columns=[*table, *absent])
    table[[name for name in absent if name in {*_texts()}]] = ""
    texts = table.select_dtypes(exclude="number").columns
    table[texts] = table[texts].fillna("")
    return table


def write_table(path: str | Path, table: pd.DataFrame) -> None:
    """Write a table as CSV, atomically; one without columns becomes an empty file."""
    with atomic_write(path) as file:
        file.write(table.to_csv(index=False, lineterminator="\n") if len(table.columns) else "")


def collate(
    cells: pd.DataFrame,
    why: Callable[[dict[str, str]], str],
    read: Callable[[str], GroupCounts | None] = read_group_counts,
    read_side: Callable[[str], Measured] = read_measures,
) -> tuple[pd.DataFrame, dict[str, PairCounts]]:
    """The scores of every cell, and the counts of each pair, from which scores are computed.

    Args:
        cells: one row for each cell, with the columns of `seggrid.grid.grid.Grid.table`.
        why: from the row of a cell, the reason why it has no scores.
        read, read_side: read the counts of a score file, and the measures of one side; None, and no measures,
            if there is no file.

    Returns:
        The table of scores, one row for each cell in the order of `cells`, with the columns of
        docs/results.md. A cell takes its scores from its `equal_cell` if it has one. A cell without scores
        has empty metrics, the status `missing`, and the reason in `reason`. A cell of a pair without gold has
        the status `no gold` and no `gold_sentences`, and its `links` are those in the sentences that were
        kept.
    """
    rows, counts = [], {}
    sides = {file: read_side(file) for side in SIDES for file in cells[f"{side}_measures"].unique()}
    cells = cells.assign(equal_cell=equal_cells(cells, sides))
    files = dict(zip(cells["cell"], cells["file"], strict=True))
    cells["file"] = cells["equal_cell"].map(files).fillna(cells["file"])
    for pair, pair_cells in cells.groupby("pair", sort=False):
        found: dict[str, NDArray[np.int32]] = {}
        sure: NDArray[np.integer] = np.empty(0, dtype=np.int32)
        for file, file_cells in groupby(pair_cells.to_dict("records"), lambda row: row["file"]):
            scored = read(file)
            for row in file_cells:
                cell = row["cell"]
                if scored is None:
                    rows.append({"cell": cell, "status": "missing", "reason": why(row)})
                    continue
                own = scored.counts[scored.aggregates.index(row["aggregate"])]
                has_gold = bool(scored.sure.any())
                status = "ok" if has_gold else NO_GOLD
                rows.append({"cell": cell, "status": status, **_row(scored, own, has_gold)})
                if has_gold:
                    found[cell], sure = own, scored.sure
        if found:
            names, replicates = np.array([*found], dtype=np.str_), [*map(len, found.values())]
            counts[str(pair)] = PairCounts(
                names, np.array(replicates), sure, np.concatenate([*found.values()])
            )
    scores = cells.merge(pd.DataFrame(rows), on="cell", validate="1:1")
    # An integer type that allows missing values.
    whole = [name for name in ("links", "gold_sentences") if name in scores]
    scores[whole] = scores[whole].astype("Int64")
    f1 = scores.set_index("cell")["f1"] if "f1" in scores else pd.Series(dtype=float)
    partners = ("words", "plain")
    for partner in partners:
        scores[f"delta_f1_{partner}"] = scores.get("f1", np.nan) - scores[f"{partner}_cell"].map(f1)
    scores = add_measures(scores, sides)
    last = [*(f"{partner}_cell" for partner in partners), "equal_cell"]
    return scores[[name for name in scores if name not in {*last, "file"}] + last], counts


def equal_cells(cells: pd.DataFrame, sides: Mapping[str, Measured]) -> pd.Series:
    """For each cell, the cell from which it takes its scores: one with the same tokens on both sides and the
    same settings from alignment on. Empty if a cell has scores of its own.

    Otherwise such cells would be aligned with different seeds, and ranked by chance. Of equal cells, the one
    with the fewest segmented sides is taken, and of these the first in the table. `sides` has the measures of
    each side, by file.
    """
    keys = pd.DataFrame({name: cells[name] for name in _after_segmentation() if name in cells})
    for side in SIDES:
        keys[side] = [sides[file].digest for file in cells[f"{side}_measures"]]
    measured = (keys[[*SIDES]] != "").all(axis=1)
    segmented = sum(
        (cells[side].map(lambda spec: parse_spec(spec).segmenter != "words") for side in SIDES),
        start=pd.Series(0, cells.index),
    )
    order = segmented[measured].sort_values(kind="stable").index
    by_key = [keys.loc[order, name] for name in keys]
    first = cells.loc[order, "cell"].groupby(by_key, sort=False, dropna=False).transform("first")
    first = first.reindex(cells.index).fillna("")
    return first.where(first != cells["cell"], "")


def _after_segmentation() -> tuple[str, ...]:
    """The settings on which the links and scores of a cell depend, in addition to its tokens."""
    joined = "symmetrization", "replicates", "samples", "aggregate"
    return "pair", "aligner", *ALIGNER_AXES, *joined


def add_measures(cells: pd.DataFrame, sides: Mapping[str, Measured]) -> pd.DataFrame:
    """Replace the names of the files of measures by the measures of both sides.

    The columns are `fertility_source`, `fertility_target` and so on, for each of
    `seggrid.segment.measures.MEASURES`; `parity`, the tokens of the source divided by those of the target;
    and `remark`, which says if a text has fewer merges, or types, than the cell asks for, if a tokenizer
    leaves words without a token, and from which cell the scores are if they are not the cell's own.
    """
    columns: dict[str, ArrayLike] = {}
    remarks = [
        [f"the tokens, and so the scores, of {equal}"] if equal else []
        for equal in cells["equal_cell"]
    ]
    for side in SIDES:
        found = [sides[file].measures for file in cells[f"{side}_measures"]]
        for name in MEASURES:
            columns[f"{name}_{side}"] = [measures.get(name, np.nan) for measures in found]
        for remark, measures, spec in zip(remarks, found, cells[side], strict=True):
            if bare := measures.get("words_without_tokens"):
                remark.append(f"{side}: {bare:.0f} words without a token")
            if fewer := parse_spec(spec).remark_on_size(measures):
                remark.append(f"{side}: {fewer}")
    columns["parity"] = np.divide(columns["tokens_source"], columns["tokens_target"])
    measured = pd.DataFrame(columns, index=cells.index)
    measured["remark"] = ["; ".join(remark) for remark in remarks]
    return pd.concat([cells.drop(columns=[f"{side}_measures" for side in SIDES]), measured], axis=1)


def _row(scored: GroupCounts, counts: NDArray[np.int32], has_gold: bool) -> dict[str, float | int]:
    """The columns of one cell, from its counts in a score file, shape (R, G, 3)."""
    sums = counts.sum(axis=1, dtype=np.int64)
    metrics = compute_metrics(sums, scored.sure.sum(dtype=np.int64))
    if not has_gold:
        metrics[:] = np.nan
    row: dict[str, float | int] = dict(zip(METRICS, metrics.T.mean(axis=1).tolist(), strict=True))
    row["f1_sd"] = float(np.std(metrics[:, F1], ddof=1)) if len(metrics) > 1 else np.nan
    # The standard deviation over single samples, before they are aggregated.
    sampled = scored.sample_f1.shape[1] > 1 and has_gold
    row["f1_samples_sd"] = (
        float(np.std(scored.sample_f1, axis=1, ddof=1).mean()) if sampled else np.nan
    )
    pairs, *tokens = scored.one_to_one.tolist()
    for name, count in zip(COLUMNS, tokens, strict=True):
        row[name] = pairs / count if count else np.nan
    row["links"] = round(sums[:, LINKS].mean())
    row["gold_sentences"] = len(scored.sentences) if has_gold else np.nan
    return row
