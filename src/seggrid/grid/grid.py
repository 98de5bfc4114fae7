"""The grid of a config: its cells, which of them are scored together, and their table."""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from seggrid.base.files import atomic_write
from seggrid.data.sides import SIDES
from seggrid.grid.axes import path
from seggrid.grid.cell import Cell, expand
from seggrid.grid.config import Source, check_config


class Grid:
    """A checked config and its cells.

    Args:
        config: the result of `seggrid.grid.config.read_config`, or plain values.

    Attributes:
        config: the config, with defaults filled in.
        remarks: lines about settings that have no effect, or probably not the intended one.
        experiments: the cells, in the order of the tables, each with the names of its experiments.

    Raises:
        InputErrors: all mistakes in the config.
    """

    def __init__(self, config: Source | Mapping[str, Any]) -> None:
        checked = check_config(config)
        self.config, self.remarks = checked.config, checked.remarks
        self.experiments = expand(self.config)

    @property
    def pairs(self) -> list[str]:
        """The pairs that have cells."""
        return sorted({cell.pair for cell in self.experiments})

    @cached_property
    def groups(self) -> dict[Cell, list[str]]:
        """For each group of cells that one job scores (see `Cell.group`), the aggregates of its cells."""
        groups: dict[Cell, list[str]] = {}
        for cell in self.experiments:
            groups.setdefault(cell.group, []).append(cell.aggregate)
        return groups

    def table(self) -> list[dict[str, Any]]:
        """The table of cells, with one row for each cell: name, axes, experiments, name of the plain cell
        with which it is compared (empty if that is the cell itself), and files of its scores and measures."""
        return [
            {
                "cell": str(cell),
                **cell.columns(),
                "experiment": ";".join(names),
                "plain_cell": str(plain) if (plain := cell.plain()) != cell else "",
                "file": cell.path("score"),
                **{
                    f"{side}_measures": path(
                        "measure", pair=cell.pair, side=side, spec=cell.side(side)
                    )
                    for side in SIDES
                },
            }
            for cell, names in self.experiments.items()
        ]

    def write_table(self, file: str | Path) -> None:
        """Write the table as tab-separated values."""
        rows = self.table()
        with atomic_write(file) as out:
            writer = csv.DictWriter(out, rows[0], delimiter="\t", lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)

    @cached_property
    def digest(self) -> str:
        """A digest of the table, sixteen hexadecimal digits."""
        return hashlib.sha256(json.dumps(self.table()).encode()).hexdigest()[:16]
