"""Gather the scores of fine-tuned language models, with intervals."""

import argparse
import json
from pathlib import Path

from seggrid.language_model.scores import TaskScores, read_scores
from seggrid.language_model.tables import task_table
from seggrid.score.table import write_table
from seggrid.workflow.jobs.script import run


def main() -> None:
    """Parse the arguments, gather, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scores", type=Path, nargs="+", required=True, help="of all seeds")
    parser.add_argument(
        "--tasks",
        type=json.loads,
        required=True,
        help="model, task, where labels are from, measure, number of seeds and group of each, as JSON",
    )
    parser.add_argument("--resamples", type=int, required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    files = iter(arguments.scores)
    scores, labels = {}, {}
    groups: dict[str, list[str]] = {}
    for model, task, origin, measure, seeds, group in arguments.tasks:
        scores[model, task] = [read_scores(next(files), TaskScores) for _ in range(seeds)]
        labels[model, task] = origin, measure
        if group != model and model not in groups.setdefault(group, []):
            groups[group].append(model)
    table = task_table(scores, labels, groups, rounds=arguments.resamples, seed=arguments.seed)
    write_table(arguments.output, table)


if __name__ == "__main__":
    run(main)
