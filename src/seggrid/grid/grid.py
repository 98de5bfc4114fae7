"""The grid of a config: its cells, and which of them are scored together."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from seggrid.grid.cell import Cell
from seggrid.grid.cell_table import cell_rows, rows_digest
from seggrid.grid.cells import expand
from seggrid.grid.config import Source, check_config


class Grid:
    """A checked config and its cells.

    Args:
        config: the result of `seggrid.grid.config.read_config`, or plain values.

    Attributes:
        config: the config, with defaults filled in.
        remarks: lines about settings without effect, or with an effect that is probably not intended.
        experiments: the names of the experiments of every cell, in the order of the tables.

    Raises:
        InputErrors: all mistakes in the config.
    """

    def __init__(self, config: Source | Mapping[str, Any]) -> None:
        checked = check_config(config)
        self.config, self.remarks = checked.config, checked.remarks
        self.experiments = expand(self.config)

    @property
    def cells(self) -> list[Cell]:
        """Every cell, in the order of the tables."""
        return list(self.experiments)

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
        """The table of cells, see `seggrid.grid.cell_table.cell_rows`."""
        return cell_rows(self.experiments)

    @cached_property
    def digest(self) -> str:
        """A digest of `table`."""
        return rows_digest(self.table())
