"""The tables of results that a script reads."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from seggrid.score.table import read_results


@dataclass(frozen=True)
class GivenTables:
    """Tables of results, `NAME=FILE`, by their names in `seggrid.data.result_tables`."""

    given: list[str]

    @property
    def files(self) -> dict[str, Path]:
        """The file of each table."""
        return {name: Path(file) for name, _, file in (own.partition("=") for own in self.given)}

    def read(self) -> dict[str, pd.DataFrame]:
        """The tables, without those that have no rows."""
        return read_results(self.files)
