"""Gather how language models answer probes, with intervals."""

import argparse
import json
from pathlib import Path

from seggrid.language_model.scores import ProbeScores, read_scores
from seggrid.language_model.tables import probe_table
from seggrid.score.table import write_table
from seggrid.workflow.jobs.script import run


def main() -> None:
    """Parse the arguments, gather, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scores", type=Path, nargs="+", required=True, help="of all probes")
    parser.add_argument(
        "--names", type=json.loads, required=True, help="model and probe of each, as JSON"
    )
    parser.add_argument("--resamples", type=int, required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    names = [(model, probe) for model, probe in arguments.names]
    scores = dict(
        zip(names, (read_scores(file, ProbeScores) for file in arguments.scores), strict=True)
    )
    table = probe_table(scores, rounds=arguments.resamples, seed=arguments.seed)
    write_table(arguments.output, table)


if __name__ == "__main__":
    run(main)
