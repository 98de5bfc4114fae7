"""Collate the scores of all cells into one table, and their counts into one file.

With --current, after a failed run, a cell has a reason in place of scores if its score file is not in that
list or does not exist.
"""

from pathlib import Path

from seggrid.score.counts import write_counts
from seggrid.score.score_file import GroupCounts, read_group_counts
from seggrid.score.table import collate, read_cells, write_table
from seggrid.segment.measure_file import Measured, read_measures
from seggrid.workflow.jobs.logs import reason
from seggrid.workflow.run.records import check_output


def main(
    cells: Path,
    scores: Path,
    counts: Path,
    current: Path | None = None,
    since: Path | None = None,
) -> None:
    """Collate the cells of a table. After a failed run, `current` has the names of the score files to use,
    one a line, and the time of the file `since` is the start of the run."""
    usable_files = current and set(current.read_text("utf-8").split("\n"))
    start = since.stat().st_mtime if since else 0

    def usable(path: str) -> bool:
        return usable_files is None or (path in usable_files and Path(path).exists())

    def read(path: str) -> GroupCounts | None:
        if not usable(path):
            return None
        check_output(path)
        return read_group_counts(path)

    def read_side(path: str) -> Measured:
        if not usable(path):
            return Measured()
        check_output(path)
        return read_measures(path)

    table, hits = collate(read_cells(cells), lambda row: reason(row, since=start), read, read_side)
    write_table(scores, table)
    write_counts(counts, hits)
