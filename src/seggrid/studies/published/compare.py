"""Read and check tables of published figures, and compare them with ours."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from seggrid.base.csv_file import column_mistakes, read_csv, read_share
from seggrid.base.errors import InputError, raise_mistakes
from seggrid.grid.axes import AXES
from seggrid.score.metrics import METRICS
from seggrid.text.sides import SIDES


def cell_columns() -> tuple[str, ...]:
    """Columns by which a published row is matched with a cell."""
    return ("pair", *AXES)


OTHER_COLUMNS = ("table", "num_symbols")
"""Columns that are not compared: the place of publication, and the thesis's name for a setting."""

_OTHER_VALUES = {("sides", "none"), ("sides", "mixed"), ("aggregate", "none")}
"""Values that cells have besides those of the axis."""


def read_published_figures(path: str | Path) -> list[dict[str, str]]:
    """Read a table of published figures, as CSV; values of axes get their canonical spelling. All its
    mistakes are reported together.

    The columns `pair`, `table` and at least one metric are required; any axis may be a further column. All
    fields except the first two may be empty. A metric is a number from 0 to 1.
    """
    return [row for _, row in _rows_by_line(path)]


def _rows_by_line(path: str | Path) -> list[tuple[int, dict[str, str]]]:
    columns, rows = read_csv(path)
    raise_mistakes(_check_columns(path, columns))
    read: dict[int, dict[str, str]] = {}
    raise_mistakes(_read_rows(path, rows, read))
    return [*read.items()]


def check_published(
    path: str | Path, pairs: Collection[str], defined: Collection[str]
) -> list[str]:
    """Refuse a table of published figures that cannot be compared with a grid: its pairs must be among the
    `defined` ones of the config. One line, with the file, if there are rows of pairs without cells, which are
    not in `pairs`; else none."""
    rows = _rows_by_line(path)
    raise_mistakes(
        InputError(
            f"the config has no pair {row['pair']!r}",
            file=path,
            line=line,
            hint=f"it has {', '.join(defined)}: give the pair the same name here and in the config",
        )
        for line, row in rows
        if row["pair"] not in defined
    )
    skipped = [(line, row["pair"]) for line, row in rows if row["pair"] not in pairs]
    if not skipped:
        return []
    named = ", ".join(dict.fromkeys(pair for _, pair in skipped))
    what = "this row has" if len(skipped) == 1 else f"{len(skipped)} rows from here on have"
    return [f"{path}:{skipped[0][0]}: {what} no figure of ours: no experiment uses {named}"]


def _check_columns(path: str | Path, columns: list[str]) -> Iterator[InputError]:
    columns_read = (*cell_columns(), *OTHER_COLUMNS, *METRICS)
    yield from column_mistakes(path, columns, columns_read, needed=("pair", "table"))
    if not set(METRICS) & set(columns):
        yield InputError(
            "no column of a metric", file=path, line=1, hint=f"add one of {', '.join(METRICS)}"
        )


def _read_rows(
    path: str | Path, rows: Iterable[tuple[int, dict[str, str]]], read: dict[int, dict[str, str]]
) -> Iterator[InputError]:
    """Add each row with its canonical spellings, by its line; the mistakes in the others."""
    first: dict[tuple[str, ...], int] = {}
    for line, row in rows:
        spelled = {}
        for name, text in row.items():
            try:
                spelled[name] = _spell(name, text)
            except InputError as error:
                yield error.at(path, line)
        if len(spelled) < len(row):
            continue
        own = tuple(text for name, text in spelled.items() if name not in METRICS)
        if own in first:
            yield InputError(
                f"the same cell of the same table as on line {first[own]}",
                file=path,
                line=line,
                hint="keep one of the two, or distinguish them by an axis",
            )
        first.setdefault(own, line)
        read[line] = spelled


def _spell(name: str, text: str) -> str:
    """The canonical spelling of a field; refuses what its column cannot have."""
    if not text and name in ("pair", "table"):
        raise InputError(f"no {name}", hint="every row names its pair and its published table")
    if text and name in METRICS:
        read_share(name, text)
    if not text or name not in AXES or (name, text) in _OTHER_VALUES:
        return text
    axis = AXES[name]
    written: object = text
    if axis.kind == "flag":
        written = {"yes": True, "no": False}.get(text, text)
    elif axis.kind in ("integer", "count") and re.fullmatch("[0-9]{1,19}", text):
        written = int(text)
    try:
        return axis.spell(axis.value(written))
    except InputError as error:
        # The hint of a flag is for a config.
        hint = (axis.kind != "flag" and error.hint) or error.message
        raise InputError(f"{name} {text!r} is not a value of that axis", hint=hint) from None


# The comparison with ours

STAND_INS = {"eflomal": "gibbs"}
"""Aligners that take the place of others: gibbs has the same model as eflomal, but has a seed and is several
times as fast."""

# Cells that differ only in these axes estimate the same figures; the first one is taken.
_REPEATS = ("samples", "replicates")


def compare_published(published: Sequence[Mapping[str, str]], scores: pd.DataFrame) -> pd.DataFrame:
    """One row for each published row (`read_published_figures`): the published figures, ours, and the
    differences.

    A published row is matched with the cell that has the same values on all axes that the row names. If there
    are several such cells, each axis that the row does not name is taken to have its neutral value, or else
    its default, if one of the cells has it. If the remaining cells differ only in the number of samples or
    replicates, the first is taken. If there is no cell with the row's aligner, cells with its stand-in in
    `STAND_INS` are used, and `stand_in` names it. `cells` is the number of cells that match; unless it is 1,
    `cell` and our figures are empty.
    """
    cells = _Cells(scores)
    rows = []
    for row in published:
        found = cells.find(row)
        cell = scores.iloc[found[0]] if len(found) == 1 else None
        out: dict[str, object] = {"cell": "" if cell is None else cell["cell"], "cells": len(found)}
        out |= {name: value for name, value in row.items() if name not in METRICS}
        published_aligner = row.get("aligner")
        aligner = cell["aligner"] if published_aligner and cell is not None else published_aligner
        out["stand_in"] = aligner if aligner != published_aligner else ""
        for metric in METRICS:
            theirs = float(row.get(metric) or "nan")
            mine = float("nan") if cell is None else float(cell[metric])
            out |= {f"published_{metric}": theirs, metric: mine, f"delta_{metric}": mine - theirs}
        rows.append(out)
    return pd.DataFrame(rows)


def remark_on_several(path: str | Path, cells: pd.DataFrame) -> list[str]:
    """A remark on published rows that match several `cells`, and so are compared with none: no line or one,
    with the file, the first such row, and the axes in which its cells differ."""
    table = _Cells(cells)
    several = [
        (line, found) for line, row in _rows_by_line(path) if len(found := table.find(row)) > 1
    ]
    if not several:
        return []
    line, found = several[0]
    rows = "the row matches" if len(several) == 1 else f"this row and {len(several) - 1} more match"
    differ = table.differing(found, tuple(AXES))
    advice = f"give it {', '.join(differ)}" if differ else "they differ on the other side alone"
    return [f"{path}:{line}: {rows} several cells, and will have none of our figures: {advice}"]


class _Cells:
    """The cells of a table, which can be found by the values of their axes."""

    def __init__(self, table: pd.DataFrame) -> None:
        self._numbers = {
            name: pd.to_numeric(table[name]).to_numpy(dtype=float)
            for name in cell_columns()
            if name in table and _is_number(name)
        }
        self._texts = {
            name: table[name].astype(object).fillna("").astype(str).to_numpy(dtype=object)
            for name in (*cell_columns(), *SIDES)
            if name in table
        }
        self._size = len(table)

    def find(self, row: Mapping[str, str]) -> NDArray[np.intp]:
        """The indices of the cells that match a published row; only the first if they differ only in the
        number of samples or replicates."""
        found = self._given(row)
        if not found.any() and row.get("aligner") in STAND_INS:
            found = self._given({**row, "aligner": STAND_INS[row["aligner"]]})
        for name, axis in AXES.items():
            if row.get(name) or name not in self._texts:
                continue
            for text in (axis.absent, axis.spell(axis.default)):
                if text and (usual := found & self._has(name, text)).any():
                    found = usual
                    break
        (indices,) = found.nonzero()
        compared = [name for name in self._texts if name not in _REPEATS]
        return indices if self.differing(indices, compared) else indices[:1]

    def differing(self, indices: NDArray[np.intp], names: Sequence[str]) -> list[str]:
        """The columns among `names` in which some cells differ."""
        texts = {name: self._texts[name][indices] for name in names if name in self._texts}
        return [name for name, values in texts.items() if len(set(values)) > 1]

    def _given(self, row: Mapping[str, str]) -> NDArray[np.bool_]:
        """Whether each cell has all values of a published row, shape (cells,)."""
        agrees = np.ones(self._size, dtype=bool)
        for name in cell_columns():
            if name in self._texts and row.get(name):
                agrees &= self._has(name, row[name])
        return agrees

    def _has(self, name: str, value: str) -> NDArray[np.bool_]:
        """Whether each cell has the value of an axis that has this spelling, shape (cells,)."""
        if name in self._numbers:
            wanted = AXES[name].number(AXES[name].read(value))
            # A rate read from a table may differ in the last bit.
            return np.asarray(np.isclose(self._numbers[name], wanted, rtol=1e-12, atol=0))
        texts = self._texts[name]
        if name in AXES and AXES[name].kind == "count":
            # A column of whole numbers with empty fields is read as floats.
            texts = np.array([text.removesuffix(".0") for text in texts], dtype=object)
        return np.asarray(texts == value, dtype=bool)


def _is_number(name: str) -> bool:
    return name in AXES and AXES[name].kind in ("integer", "rate", "number")
