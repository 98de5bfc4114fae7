"""Bootstrap intervals of every score, paired tests against the words and the plain cell, and correlations of
measures of segmentations with scores."""

from pathlib import Path

from seggrid.score.correlations import correlate
from seggrid.score.counts import read_counts
from seggrid.score.significance_table import summarize
from seggrid.score.table import read_scores, write_table
from seggrid.workflow.jobs.script import run, timed
from seggrid.workflow.jobs.script_arguments import resampling_parser


def main() -> None:
    """Parse the arguments, resample, write."""
    parser = resampling_parser(__doc__)
    parser.add_argument(
        "--correlations", type=Path, required=True, help="file for correlations with measures"
    )
    arguments = parser.parse_args()
    with timed():
        counts, scores = read_counts(arguments.counts), read_scores(arguments.scores)
        rounds = arguments.resamples
        table = summarize(counts, scores, seed=arguments.seed, bootstrap_rounds=rounds)
        correlations = correlate(counts, scores, seed=arguments.seed, rounds=rounds)
    for path, content in ((arguments.output, table), (arguments.correlations, correlations)):
        write_table(path, content)


if __name__ == "__main__":
    run(main)
