"""Collate the scores of all cells into one table, and their counts into one file.

With --current, after a failed run, a cell has a reason in place of scores if its score file is not in that
list or does not exist.
"""

import argparse
from pathlib import Path

from seggrid.score.counts import write_counts
from seggrid.score.score_file import GroupCounts, read_group_counts
from seggrid.score.table import collate, read_cells, write_table
from seggrid.segment.measures import Measured, read_measures
from seggrid.workflow.jobs.logs import reason
from seggrid.workflow.jobs.script import run
from seggrid.workflow.run.records import check_output


def main() -> None:
    """Parse the arguments, collate, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cells", type=Path, required=True)
    parser.add_argument(
        "--current", type=Path, help="file with the names of the score files to use, one a line"
    )
    parser.add_argument(
        "--since",
        type=Path,
        help="a file whose time is the start of the run; older logs are ignored",
    )
    parser.add_argument("--scores", type=Path, required=True)
    parser.add_argument("--counts", type=Path, required=True)
    arguments = parser.parse_args()
    current = arguments.current and set(arguments.current.read_text("utf-8").split("\n"))
    since = arguments.since.stat().st_mtime if arguments.since else 0

    def usable(path: str) -> bool:
        return current is None or (path in current and Path(path).exists())

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

    cells = read_cells(arguments.cells)
    table, counts = collate(cells, lambda row: reason(row, since=since), read, read_side)
    write_table(arguments.scores, table)
    write_counts(arguments.counts, counts)


if __name__ == "__main__":
    run(main)
