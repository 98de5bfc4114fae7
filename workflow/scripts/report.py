"""Write the report: one self-contained HTML file."""

import json
from pathlib import Path

from seggrid.base.files import atomic_write
from seggrid.report.page import build
from seggrid.report.viewer import choose_cells, viewer_data
from seggrid.score.table import read_cells, write_table
from seggrid.workflow.finished.record import facts
from seggrid.workflow.jobs.script import run, timed
from seggrid.workflow.jobs.script_arguments import given_tables, named_file, tables_parser
from seggrid.workflow.jobs.viewer_inputs import read_cost, read_viewer


def main() -> None:
    """Parse the arguments, gather, write."""
    parser = tables_parser(__doc__)
    parser.add_argument("--cells", type=Path, required=True)
    parser.add_argument("--about", type=json.loads, default={}, help="facts about the run, as JSON")
    parser.add_argument(
        "--viewer-cells", type=int, default=100, help="cells of each pair in the viewer"
    )
    parser.add_argument(
        "--viewer-sentences", type=int, default=60, help="sentences of each pair in the viewer"
    )
    parser.add_argument(
        "--evaluations", nargs="*", default=[], help="names of evaluations of morphology"
    )
    parser.add_argument("--cost", type=Path, required=True, help="file for the table of costs")
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    with timed():
        results = given_tables(arguments)
        cells = read_cells(arguments.cells)
        cost = read_cost(cells, arguments.evaluations)
        chosen = choose_cells(results["scores"], arguments.viewer_cells)
        viewer = read_viewer(cells, chosen, arguments.viewer_sentences)
        page = build(
            {**results, "cost": cost},
            viewer=viewer_data(viewer),
            about={**arguments.about, **facts(named_file(arguments, "scores"))},
        )
    write_table(arguments.cost, cost)
    with atomic_write(arguments.output) as file:
        file.write(page)


if __name__ == "__main__":
    run(main)
