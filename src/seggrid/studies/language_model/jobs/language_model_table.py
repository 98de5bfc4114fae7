"""Write the tables of language models: scores with intervals, comparisons, losses."""

from pathlib import Path

from seggrid.score.table import write_table
from seggrid.studies.language_model.scores import SentenceScores, read_model_scores, read_progress
from seggrid.studies.language_model.tables import comparison_table, loss_table, model_table
from seggrid.studies.language_model.vocabulary import read_vocabulary


def main(
    models: list[Path],
    scores: list[Path],
    plans: list[tuple],
    resamples: int,
    seed: int,
    output: Path,
    comparisons: Path,
    losses: Path,
) -> None:
    """Write three tables from the folders, score files and settings of all models."""
    names = [plan["name"] for plan in plans]
    folders = dict(zip(names, models, strict=True))
    progress = {name: read_progress(folder) for name, folder in folders.items()}
    sizes = {name: len(read_vocabulary(folder / "types.txt")) for name, folder in folders.items()}
    read = dict(
        zip(names, (read_model_scores(file, SentenceScores) for file in scores), strict=True)
    )
    drawn = {"rounds": resamples, "seed": seed}
    write_table(output, model_table(plans, progress, sizes, read, **drawn))
    write_table(comparisons, comparison_table(plans, read, **drawn))
    write_table(losses, loss_table(progress))
