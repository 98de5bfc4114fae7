"""Gather how language models answer probes, with intervals."""

from pathlib import Path

from seggrid.score.table import write_table
from seggrid.studies.language_model.scores import ProbeScores, read_model_scores
from seggrid.studies.language_model.tables import probe_table


def main(scores: list[Path], names: list[tuple], resamples: int, seed: int, output: Path) -> None:
    """Write a table of the scores of all probes; `names` has model and probe of each."""
    read = (read_model_scores(file, ProbeScores) for file in scores)
    named = dict(zip(map(tuple, names), read, strict=True))
    write_table(output, probe_table(named, rounds=resamples, seed=seed))
