"""Collate the scores of all cells into one table, and the counts behind them into one file.

Scores that are not there, since a job failed, leave their cells empty if --partial is given.
"""

import argparse
from pathlib import Path

from seggrid.data.files import atomic_write
from seggrid.data.npz import write_arrays
from seggrid.score.score_file import ScoreFile, read_score_file
from seggrid.score.table import collate, read_cells
from seggrid.workflow.missing import reason
from seggrid.workflow.script import run


def read_if_there(path: str) -> ScoreFile | None:
    """The scores that a file holds, or None where there is no such file."""
    return read_score_file(path) if Path(path).exists() else None


def main() -> None:
    """Parse the arguments, collate, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cells", type=Path, required=True)
    parser.add_argument("--partial", action="store_true", help="take what scores there are")
    parser.add_argument("--scores", type=Path, required=True)
    parser.add_argument("--counts", type=Path, required=True)
    arguments = parser.parse_args()
    read = read_if_there if arguments.partial else read_score_file
    table, counts = collate(read_cells(arguments.cells), reason, read)
    with atomic_write(arguments.scores) as file:
        table.to_csv(file, index=False, lineterminator="\n")
    write_arrays(arguments.counts, counts)


if __name__ == "__main__":
    run(main)
