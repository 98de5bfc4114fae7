"""Compare published figures with ours, and check a publication's claims against our scores."""

import argparse
from pathlib import Path

import pandas as pd

from seggrid.score.counts import read_counts
from seggrid.score.table import read_scores, write_table
from seggrid.thesis.claims import CLAIMS, check_claims
from seggrid.thesis.comparison import compare
from seggrid.thesis.published import read_published
from seggrid.workflow.jobs.script import run


def main() -> None:
    """Parse the arguments, compare, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scores", type=Path, required=True)
    parser.add_argument("--counts", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1, help="seed of the intervals")
    parser.add_argument(
        "--resamples", type=int, default=2000, help="number of resamples of the intervals"
    )
    parser.add_argument("--published", type=Path, action="append", default=[])
    parser.add_argument("--comparison", type=Path, required=True)
    parser.add_argument(
        "--study", choices=["none", *CLAIMS], default="none", help="study of the claims"
    )
    parser.add_argument(
        "--evaluations",
        type=Path,
        nargs="*",
        help="instead of the scores: the tables that the claims are about",
    )
    parser.add_argument("--claims", type=Path, required=True, help="file for the verdicts")
    arguments = parser.parse_args()
    scores = read_scores(arguments.scores)
    tables = [compare(read_published(path), scores) for path in arguments.published]
    comparison = pd.concat(tables) if tables else pd.DataFrame(columns=["cell", "table"])
    write_table(arguments.comparison, comparison)
    evaluations = [pd.read_csv(path) for path in arguments.evaluations or ()]
    claims = check_claims(
        pd.concat(evaluations) if evaluations else scores,
        CLAIMS.get(arguments.study, ()),
        read_counts(arguments.counts),
        seed=arguments.seed,
        rounds=arguments.resamples,
    )
    write_table(arguments.claims, claims)


if __name__ == "__main__":
    run(main)
