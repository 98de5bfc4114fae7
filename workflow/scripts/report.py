"""Write the report: one self-contained HTML file."""

from pathlib import Path

from seggrid.base.files import atomic_write
from seggrid.grid.finished.record import facts
from seggrid.grid.jobs.script import timed
from seggrid.grid.jobs.viewer_inputs import read_agreement, read_cost, read_viewer
from seggrid.grid.report.page import build_page
from seggrid.grid.report.results import read_results
from seggrid.grid.report.viewer import cells_to_view, viewer_data
from seggrid.score.table import NO_GOLD, read_cells, write_table


def main(
    given: dict,
    cells: Path,
    output: Path,
    cost: Path | None = None,
    about: dict = {},
    viewer_cells: int = 100,
    logs: list[str] = [],
) -> None:
    """Write the page and, at the end of a run, the table of costs, from tables given by name."""
    with timed():
        results, all_cells = read_results(given), read_cells(cells)
        if cost:
            results["cost"] = read_cost(all_cells, logs)
        scores = results["scores"]
        chosen = cells_to_view(scores, viewer_cells)
        for pair in scores["pair"][scores["status"] == NO_GOLD].unique():
            agreeing = scores["cell"].map(read_agreement(all_cells, chosen[pair]))
            scores.loc[scores["pair"] == pair, "agreement"] = agreeing
        # Without gold, the viewer compares cells that agree with the others.
        viewer = read_viewer(all_cells, cells_to_view(scores, viewer_cells), sentences=60)
        page = build_page(
            results, viewer=viewer_data(viewer), about={**about, **facts(Path(given["scores"]))}
        )
    if cost:
        write_table(cost, results["cost"])
    with atomic_write(output) as file:
        file.write(page)
