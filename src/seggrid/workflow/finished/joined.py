"""Join the tables of several finished runs, and recompute the values that depend on all cells."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from seggrid.base.files import atomic_write
from seggrid.errors import InputError, refuse
from seggrid.score.correlations import correlate
from seggrid.score.counts import PairCounts, read_counts, write_counts
from seggrid.score.significance_table import summarize
from seggrid.score.table import best_words, read_scores, write_table
from seggrid.workflow.finished.difference import NOT_COMPARED, same
from seggrid.workflow.finished.tables import COUNTS, Key, Row, Table, read_tables

OF_GRID = ("experiment", "words_cell", "delta_f1_words", "equal_cell", "remark")
"""Columns of scores that depend on the other cells of a run, and so may differ between runs."""


def join_runs(
    folders: Sequence[Path], output: Path, *, prefer_first: bool, seed: int, resamples: int
) -> list[str]:
    """Join the tables and counts of several folders, and write them to another folder.

    Rows that several runs have must be equal. The words cell that each cell is compared with,
    significance.csv and correlations.csv are recomputed from all cells.

    Args:
        folders: the folders of tables.
        output: an existing folder.
        prefer_first: whether to take the row of the first folder if rows differ, instead of failing.
        seed, resamples: for intervals and tests, as in a config.

    Returns:
        The names of the tables that were left out, since they cannot be joined.

    Raises:
        InputError: a row or the gold of a pair differs, or a file is damaged.
    """
    runs = [read_tables(folder) for folder in folders]
    joined = join_tables(folders, runs, prefer_first=prefer_first)
    if "scores" in joined:
        joined["scores"] = with_best_words(joined["scores"])
    for table in joined.values():
        _write(output / table.entry.file, table)
    made = set(joined)
    if all((folder / COUNTS).is_file() for folder in folders) and "scores" in joined:
        counts = join_counts(folders, [read_counts(folder / COUNTS) for folder in folders])
        write_counts(output / COUNTS, counts)
        scores = read_scores(output / joined["scores"].entry.file)
        for name, content in {
            "significance": summarize(counts, scores, seed=seed, bootstrap_rounds=resamples),
            "correlations": correlate(counts, scores, seed=seed, rounds=resamples),
        }.items():
            made.add(name)
            write_table(output / f"{name}.csv", content)
    return [
        name for name in dict.fromkeys(name for run in runs for name in run) if name not in made
    ]


def join_tables(
    folders: Sequence[str | Path], runs: Sequence[Mapping[str, Table]], *, prefer_first: bool
) -> dict[str, Table]:
    """The joined tables, without tables whose rows depend on a whole run.

    The rows of the first run come first. For a job that several runs measured, the cost in the first is
    taken.

    Args:
        folders: the names of the runs, for errors.
        runs: the tables of each run, by name.
        prefer_first: see `join_runs`.

    Raises:
        InputError: two runs differ in a row.
    """
    found = {}
    names = dict.fromkeys(name for run in runs for name in run)
    for name in names:
        tables = [
            (folder, run[name]) for folder, run in zip(folders, runs, strict=True) if name in run
        ]
        entry = tables[0][1].entry
        if entry.whole:
            continue
        rows: dict[Key, tuple[str | Path, list[Row]]] = {}
        for folder, table in tables:
            own = table.by_key()
            if not prefer_first and name not in NOT_COMPARED:
                refuse(_conflicts(rows, folder, own, entry.file))
            for key, group in own.items():
                before = rows.setdefault(key, (folder, group))[1]
                rows[key] = (
                    rows[key][0],
                    [_with_experiments(*pair) for pair in _pairs(before, group)],
                )
        columns = dict.fromkeys(column for _, table in tables for column in table.columns)
        found[name] = Table(
            entry, list(columns), [row for _, group in rows.values() for row in group]
        )
    return found


def _pairs(before: Sequence[Row], group: Sequence[Row]) -> Iterator[tuple[Row, Row]]:
    """Each row of `before`, with the row at the same place in `group`; with itself if there is none."""
    for place, row in enumerate(before):
        yield row, group[place] if place < len(group) else row


def _with_experiments(row: Row, other: Row) -> Row:
    """A row, with the experiments of the other run's row added."""
    if "experiment" not in row or row["experiment"] == other.get("experiment"):
        return row
    names = {*row["experiment"].split(";"), *other["experiment"].split(";")} - {""}
    return {**row, "experiment": ";".join(sorted(names))}


def _conflicts(
    rows: Mapping[Key, tuple[str | Path, Sequence[Row]]],
    folder: str | Path,
    own: Mapping[Key, Sequence[Row]],
    file: str,
) -> Iterator[InputError]:
    """An error for each row in which a run differs from the runs before it."""
    for key, group in own.items():
        if key not in rows:
            continue
        other, before = rows[key]
        columns = _differing(before, group)
        if columns:
            shown = ", ".join(columns[:3]) + (" and more" if len(columns) > 3 else "")
            yield InputError(
                f"{' '.join(key)}: other values than in {other}: {shown}",
                file=Path(folder, file),
                hint=f"seggrid diff {other} {folder} shows all; --prefer first takes the first folder's",
            )


def _differing(before: Sequence[Row], group: Sequence[Row]) -> list[str]:
    if len(before) != len(group):
        return ["number of rows"]
    names: dict[str, None] = {}
    for one, other in zip(before, group, strict=True):
        for name in dict.fromkeys([*one, *other]):
            if name not in OF_GRID and not same(one.get(name), other.get(name)):
                names[name] = None
    return list(names)


def with_best_words(scores: Table) -> Table:
    """The scores of all runs, with each cell compared with the best words cell among all runs."""
    frame = pd.DataFrame([dict(row) for row in scores.rows], columns=list(scores.columns)).fillna(
        ""
    )
    if frame.empty or "f1" not in frame:
        return scores
    frame["f1"] = [float(text) if text else np.nan for text in frame["f1"]]
    words = best_words(frame)
    f1 = dict(zip(frame["cell"], frame["f1"], strict=True))
    rows = []
    for row, name in zip(scores.rows, words, strict=True):
        delta = f1[row["cell"]] - f1.get(name, np.nan)
        text = "" if np.isnan(delta) else repr(float(delta))
        rows.append({**row, "words_cell": name, "delta_f1_words": text})
    return Table(scores.entry, scores.columns, rows)


def join_counts(
    folders: Sequence[str | Path], runs: Iterable[Mapping[str, PairCounts]]
) -> dict[str, PairCounts]:
    """The counts of all cells; for a cell in several runs, the counts of the first.

    Args:
        folders: the names of the runs, for errors.
        runs: the counts of each run, by pair.

    Raises:
        InputError: the gold of a pair differs.
    """
    found: dict[str, PairCounts] = {}
    for folder, run in zip(folders, runs, strict=True):
        for pair, own in run.items():
            if pair not in found:
                found[pair] = own
                continue
            if not np.array_equal(found[pair].sure, own.sure):
                raise InputError(
                    f"{pair}: other gold sentences than in {folders[0]}",
                    file=Path(folder, COUNTS),
                    hint="join runs of the same gold",
                )
            new = np.flatnonzero(~np.isin(own.cells, found[pair].cells))
            found[pair] = found[pair].followed_by(own.take(new))
    return found


def _write(path: Path, table: Table) -> None:
    with atomic_write(path) as file:
        writer = csv.DictWriter(file, table.columns, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(dict(row) for row in table.rows)


def joined_record(records: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The content of `run.json` for joined runs: their records and their inputs."""
    inputs = {
        name: digest for record in records for name, digest in record.get("inputs", {}).items()
    }
    return {
        "finished": all(record.get("finished") for record in records),
        "runs": list(records),
    } | {
        "settings": {},
        "inputs": inputs,
    }
