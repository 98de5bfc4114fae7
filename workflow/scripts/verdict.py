"""Choose settings on other sentences than those on which they are scored, and write what a grid shows."""

import json
from pathlib import Path

import pandas as pd

from seggrid.report.verdict import with_sentences
from seggrid.score.counts import read_counts
from seggrid.score.table import read_results, read_scores, write_table
from seggrid.score.verdict.tables import find, with_votes
from seggrid.workflow.jobs.script import run, timed
from seggrid.workflow.jobs.script_arguments import resampling_parser


def main() -> None:
    """Parse the arguments, choose, compare, write."""
    parser = resampling_parser(__doc__)
    parser.add_argument("--ensembles", type=Path, help="results/ensembles.csv, if there is one")
    parser.add_argument(
        "--defaults",
        type=json.loads,
        default={},
        help="by pair, the cell with the default settings of the commands, as JSON",
    )
    parser.add_argument(
        "--development",
        type=json.loads,
        default={},
        help="by pair, how many of the first sentences with gold choose and are not scored, as JSON",
    )
    for output in ("selection", "effects", "ranks"):
        parser.add_argument(f"--{output}", type=Path, required=True)
    arguments = parser.parse_args()
    with timed():
        counts, scores = read_counts(arguments.counts), read_scores(arguments.scores)
        found = find(
            counts,
            scores,
            defaults=arguments.defaults,
            development=arguments.development,
            seed=arguments.seed,
            rounds=arguments.resamples,
        )
        selection = found.selection
        if arguments.ensembles:
            ensembles = read_results({"ensembles": arguments.ensembles})
            selection = with_votes(selection, ensembles.get("ensembles", pd.DataFrame()))
        verdict = with_sentences(found.verdict, scores, selection)
    for path, table in (
        (arguments.output, verdict),
        (arguments.selection, selection),
        (arguments.effects, found.effects),
        (arguments.ranks, found.ranks),
    ):
        write_table(path, table)


if __name__ == "__main__":
    run(main)
