"""Collate the scores of all cells into one table, and their counts into one file."""

from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from seggrid.grid.axes import path
from seggrid.grid.jobs.logs import reason
from seggrid.grid.jobs.script import timed
from seggrid.grid.run.output_digests import check_output
from seggrid.score.counts import GroupCounts, read_group_counts, write_counts
from seggrid.score.signature import signature
from seggrid.score.table import (
    collate,
    read_cells,
    read_scores,
    without_empty_columns,
    write_parquet,
    write_table,
)
from seggrid.segment.measures import Measured, read_measures
from seggrid.segment.side import parse_spec
from seggrid.text.gold import read_gold_file
from seggrid.text.sides import SIDES


def main(
    cells: Path,
    scores: Path,
    counts: Path,
    golds: dict = {},
    current: Path | None = None,
    since: Path | None = None,
) -> None:
    """Collate the cells of a table; `golds` has name and base of each gold. After a failed run, `current`
    has the names of the files to use, one a line; others have a reason in place of scores, from logs since
    the time of the file `since`, the start of the run."""
    usable_files = current and set(current.read_text("utf-8").split("\n"))
    start = since.stat().st_mtime if since else 0

    def usable(path: str) -> bool:
        found = usable_files is None or (path in usable_files and Path(path).exists())
        if found:
            check_output(path)
        return found

    def read(path: str) -> GroupCounts | None:
        return read_group_counts(path) if usable(path) else None

    def read_side(path: str) -> Measured:
        return read_measures(path) if usable(path) else Measured()

    with timed():
        rows = read_cells(cells)
        table, hits = collate(rows, lambda row: reason(row, since=start), read, read_side)
        table = with_signatures(table, golds)
    write_table(scores, without_empty_columns(table))
    write_parquet(scores.with_suffix(".parquet"), without_empty_columns(read_scores(scores)))
    write_counts(counts, hits)


def with_signatures(scores: pd.DataFrame, golds: Mapping[str, tuple[str, int]]) -> pd.DataFrame:
    """The table with the signatures of its scores."""
    scored = scores[scores["status"] == "ok"]
    gold = {pair: read_gold_file(path("gold", pair=pair)) for pair in scored["pair"].unique()}
    # The column `case` has that of one side only.
    cases = {spec: parse_spec(spec).case for side in SIDES for spec in scored[side].unique()}
    signed = [
        signature(gold[pair], *golds[pair], "+".join(dict.fromkeys([cases[one], cases[other]])))
        for pair, one, other in zip(*(scored[name] for name in ("pair", *SIDES)), strict=True)
    ]
    return scores.assign(signature=pd.Series(signed, scored.index, dtype=object))
