"""Bootstrap intervals of every score, and paired tests against the words and the plain cell."""

from seggrid.data.files import atomic_write
from seggrid.score.counts import read_counts
from seggrid.score.significance import summarize
from seggrid.score.table import read_scores
from seggrid.workflow.script import run, timed
from seggrid.workflow.script_arguments import resampling_parser


def main() -> None:
    """Parse the arguments, resample, write."""
    arguments = resampling_parser(__doc__).parse_args()
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
