"""Write the tables of language models: scores with intervals, comparisons, losses."""

import argparse
import json
from pathlib import Path

from seggrid.language_model.progress import read_progress
from seggrid.language_model.scores import SentenceScores, read_scores
from seggrid.language_model.tables import comparison_table, loss_table, model_table
from seggrid.language_model.vocabulary import read_vocabulary
from seggrid.score.table import write_table
from seggrid.workflow.jobs.script import run


def main() -> None:
    """Parse the arguments, gather, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=Path, nargs="+", required=True, help="their folders")
    parser.add_argument("--scores", type=Path, nargs="+", required=True, help="in the same order")
    parser.add_argument(
        "--plans", type=json.loads, required=True, help="settings of the models, as JSON"
    )
    parser.add_argument("--resamples", type=int, required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--comparisons", type=Path, required=True)
    parser.add_argument("--losses", type=Path, required=True)
    arguments = parser.parse_args()
    names = [plan["name"] for plan in arguments.plans]
    folders = dict(zip(names, arguments.models, strict=True))
    progress = {name: read_progress(folder) for name, folder in folders.items()}
    sizes = {name: len(read_vocabulary(folder / "types.txt")) for name, folder in folders.items()}
    scores = dict(
        zip(names, (read_scores(file, SentenceScores) for file in arguments.scores), strict=True)
    )
    drawn = {"rounds": arguments.resamples, "seed": arguments.seed}
    for path, table in (
        (arguments.output, model_table(arguments.plans, progress, sizes, scores, **drawn)),
        (arguments.comparisons, comparison_table(arguments.plans, scores, **drawn)),
        (arguments.losses, loss_table(progress)),
    ):
        write_table(path, table)


if __name__ == "__main__":
    run(main)
