"""The table of cells: what each is, where its scores are to be, and what it is measured against."""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from seggrid.data.files import atomic_write
from seggrid.data.sides import SIDES
from seggrid.grid.axes import path
from seggrid.grid.cell import Cell

Rows = Sequence[Mapping[str, Any]]


def cell_rows(experiments: Mapping[Cell, Sequence[str]]) -> list[dict[str, Any]]:
    """One row a cell: its name, its axes, the experiments that want it, the names of the words' cell and
    of the plain cell (empty if it is that itself), and the files of its scores and measures.

    Args:
        experiments: the names of the experiments that want a cell, for each cell.
    """
    return [
        {
            "cell": str(cell),
            **cell.columns(),
            "experiment": ";".join(names),
            "words_cell": str(cell.baseline()),
            "plain_cell": str(plain) if (plain := cell.plain()) != cell else "",
            "file": cell.path("score"),
            **{
                f"{side}_measures": path(
                    "measure", pair=cell.pair, side=side, spec=str(getattr(cell, side))
                )
                for side in SIDES
            },
        }
        for cell, names in experiments.items()
    ]


def rows_digest(rows: Rows) -> str:
    """Sixteen hexadecimal digits that any change of the table changes."""
    return hashlib.sha256(json.dumps(rows).encode()).hexdigest()[:16]


def write_cells(file: str | Path, rows: Rows) -> None:
    """Write the table as tab-separated values."""
    with atomic_write(file) as out:
        writer = csv.DictWriter(out, rows[0], delimiter="\t", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
