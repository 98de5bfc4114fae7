"""Bootstrap intervals of every score, and paired tests against the words and the plain cell."""

import argparse
from pathlib import Path

from seggrid.data.files import atomic_write
from seggrid.score.counts import read_counts
from seggrid.score.significance import summarize
from seggrid.score.table import read_scores
from seggrid.workflow.script import run, timed


def main() -> None:
    """Parse the arguments, resample, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scores", type=Path, required=True)
    parser.add_argument("--counts", type=Path, required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--resamples", type=int, default=2000)
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    with timed():
        table = summarize(
            read_counts(arguments.counts),
            read_scores(arguments.scores),
            seed=arguments.seed,
            bootstrap_rounds=arguments.resamples,
        )
    with atomic_write(arguments.output) as file:
        table.to_csv(file, index=False, lineterminator="\n")


if __name__ == "__main__":
    run(main)
