"""Compare the alignment F1 of lexical cells with words and other segmentations of the same size."""

import pandas as pd

from seggrid.score.contrast import contrast, lexical_peers
from seggrid.score.counts import read_counts
from seggrid.score.table import read_scores, write_table
from seggrid.workflow.jobs.script import run, timed
from seggrid.workflow.jobs.script_arguments import resampling_parser


def main() -> None:
    """Parse the arguments, compare, write."""
    arguments = resampling_parser(__doc__).parse_args()
    with timed():
        table: pd.DataFrame = contrast(
            read_counts(arguments.counts),
            lexical_peers(read_scores(arguments.scores)),
            seed=arguments.seed,
            rounds=arguments.resamples,
        )
    write_table(arguments.output, table)


if __name__ == "__main__":
    run(main)
