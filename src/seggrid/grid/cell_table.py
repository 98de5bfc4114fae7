"""The table of cells, with their axes, the files of their scores, and the cells they are compared with."""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from seggrid.base.files import atomic_write
from seggrid.data.sides import SIDES
from seggrid.grid.axes import path
from seggrid.grid.cell import Cell

Rows = Sequence[Mapping[str, Any]]


def cell_rows(experiments: Mapping[Cell, Sequence[str]]) -> list[dict[str, Any]]:
    """One row for each cell: its name, its axes, its experiments, the name of the plain cell (empty if it
    is the cell itself), and the files of its scores and measures.

    Args:
        experiments: the names of the experiments of each cell.
    """
    return [
        {
            "cell": str(cell),
            **cell.columns(),
            "experiment": ";".join(names),
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
    """A digest of the table, sixteen hexadecimal digits."""
    return hashlib.sha256(json.dumps(rows).encode()).hexdigest()[:16]


def write_cells(file: str | Path, rows: Rows) -> None:
    """Write the table as tab-separated values."""
    with atomic_write(file) as out:
        writer = csv.DictWriter(out, rows[0], delimiter="\t", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
