"""Gather the scores of fine-tuned language models, with intervals."""

from pathlib import Path

from seggrid.score.table import write_table
from seggrid.studies.language_model.scores import TaskScores, read_model_scores
from seggrid.studies.language_model.tables import task_table


def main(scores: list[Path], names: list[tuple], resamples: int, seed: int, output: Path) -> None:
    """Write a table from the score files of all seeds of all tasks, of which each has a model, a name, where
    its labels are from, a measure, a number of seeds and a group."""
    files = iter(scores)
    read, labels = {}, {}
    groups: dict[str, list[str]] = {}
    for model, task, origin, measure, seeds, group in names:
        read[model, task] = [read_model_scores(next(files), TaskScores) for _ in range(seeds)]
        labels[model, task] = origin, measure
        if group != model and model not in groups.setdefault(group, []):
            groups[group].append(model)
    write_table(output, task_table(read, labels, groups, rounds=resamples, seed=seed))
