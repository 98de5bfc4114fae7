"""Add up the counts of links in all slices of a text."""

import argparse
from pathlib import Path

from seggrid.align import read_alignment
from seggrid.align.sample import sum_counts
from seggrid.base.folders import fresh_folder
from seggrid.corpus.selection import slices
from seggrid.grid.samples import part_name
from seggrid.workflow.jobs.script import run, timed


def main() -> None:
    """Parse the arguments, add, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--aligner", required=True, help="with its axes, as in the path")
    parser.add_argument("--samples", type=int, required=True)
    parser.add_argument("--slices", required=True, help="folders of counts; * stands for the lines")
    parser.add_argument(
        "--cut",
        type=int,
        nargs=2,
        required=True,
        help="number of sentence pairs of the text, and of a slice",
    )
    parser.add_argument("--output", type=Path, required=True, help="a folder")
    arguments = parser.parse_args()
    aligner, _ = read_alignment(arguments.aligner)
    folders = [
        Path(arguments.slices.replace("*", part_name(lines))) for lines in slices(*arguments.cut)
    ]
    with timed(), fresh_folder(arguments.output) as folder:
        sum_counts(folders, aligner, arguments.samples, folder)


if __name__ == "__main__":
    run(main)
