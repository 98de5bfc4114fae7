"""Alignment F1 of lexical cells beside words and other segmentations of the same size."""

import argparse
from pathlib import Path

import pandas as pd

from seggrid.data.files import atomic_write
from seggrid.report.lexical import peers
from seggrid.score.contrast import contrast
from seggrid.score.counts import read_counts
from seggrid.score.table import read_scores
from seggrid.workflow.script import run, timed


def main() -> None:
    """Parse the arguments, compare, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scores", type=Path, required=True)
    parser.add_argument("--counts", type=Path, required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--resamples", type=int, default=2000)
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    with timed():
        table: pd.DataFrame = contrast(
            read_counts(arguments.counts),
            peers(read_scores(arguments.scores)),
            seed=arguments.seed,
            rounds=arguments.resamples,
        )
    with atomic_write(arguments.output) as file:
        file.write(table.to_csv(index=False, lineterminator="\n"))


if __name__ == "__main__":
    run(main)
