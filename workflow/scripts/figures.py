"""Draw the static figures, and write the tables for a paper: SVG and PNG, LaTeX and CSV."""

from pathlib import Path

from seggrid.base.folders import fresh_folder
from seggrid.report import figures as drawn
from seggrid.report import tables as written
from seggrid.workflow.jobs.given_tables import GivenTables
from seggrid.workflow.jobs.script import run, timed


def main(given: GivenTables, figures: Path, tables: Path) -> None:
    """Draw and write into two folders."""
    results = given.read()
    with timed():
        with fresh_folder(figures) as folder:
            drawn.draw_all(results, folder)
        with fresh_folder(tables) as folder:
            written.write_all(results, folder)


if __name__ == "__main__":
    run(main)
