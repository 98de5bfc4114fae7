"""Draw the static figures, and write the tables for a paper: SVG and PNG, LaTeX and CSV."""

from pathlib import Path

from seggrid.base.folders import fresh_folder
from seggrid.grid.jobs.script import timed
from seggrid.grid.report import figures as drawn
from seggrid.grid.report import tables as written
from seggrid.grid.report.results import read_results


def main(given: dict, figures: Path, tables: Path) -> None:
    """Draw and write into two folders, from tables given by name."""
    results = read_results(given)
    with timed():
        with fresh_folder(figures) as folder:
            drawn.draw_all(results, folder)
        with fresh_folder(tables) as folder:
            written.write_all(results, folder)
