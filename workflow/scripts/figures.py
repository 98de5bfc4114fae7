"""Draw the static figures, and write the tables for a paper: SVG and PNG, LaTeX and CSV."""

from pathlib import Path

from seggrid.base.folders import fresh_folder
from seggrid.report import figures, tables
from seggrid.workflow.jobs.script import run, timed
from seggrid.workflow.jobs.script_arguments import given_tables, tables_parser


def main() -> None:
    """Parse the arguments, draw, write."""
    parser = tables_parser(__doc__)
    parser.add_argument("--figures", type=Path, required=True, help="folder of the figures")
    parser.add_argument("--tables", type=Path, required=True, help="folder of the tables")
    arguments = parser.parse_args()
    results = given_tables(arguments)
    with timed():
        with fresh_folder(arguments.figures) as folder:
            figures.draw_all(results, folder)
        with fresh_folder(arguments.tables) as folder:
            tables.write_all(results, folder)


if __name__ == "__main__":
    run(main)
