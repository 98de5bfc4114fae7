"""Compare published figures with ours."""

from pathlib import Path

import pandas as pd

from seggrid.score.table import read_scores, write_table
from seggrid.studies.published.compare import compare_published, read_published_figures


def main(scores: Path, published: list[Path], comparison: Path) -> None:
    """Compare tables of published figures."""
    found = read_scores(scores)
    tables = [compare_published(read_published_figures(path), found) for path in published]
    write_table(comparison, pd.concat(tables))
