"""Read tables of results, of the grid and of studies."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from seggrid.base.result_tables import NAME
from seggrid.grid.study import table_named
from seggrid.score.table import read_numbers, read_scores


def read_results(files: Mapping[str, str | Path]) -> dict[str, pd.DataFrame]:
    """Read tables of results by their names in `seggrid.base.result_tables`; those without rows are left out.

    Names given by users are read as text, even if they are `2024` or `NA`.
    """
    tables = {}
    for name, path in files.items():
        if name == "scores":
            tables[name] = read_scores(path)
        elif Path(path).stat().st_size:
            table = read_numbers(path, table_named(name).column_names((NAME,)))
            if len(table):
                tables[name] = table
    return tables
