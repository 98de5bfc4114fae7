"""Compare the alignment F1 of lexical cells with words and other segmentations of the same size."""

from pathlib import Path

import pandas as pd

from seggrid.grid.jobs.script import timed
from seggrid.score.counts import read_counts
from seggrid.score.significance import contrast
from seggrid.score.table import read_scores, write_table
from seggrid.studies.lexical.lexical_words import lexical_peers


def main(scores: Path, counts: Path, seed: int, output: Path, resamples: int = 2000) -> None:
    """Compare, and write a table."""
    with timed():
        table: pd.DataFrame = contrast(
            read_counts(counts), lexical_peers(read_scores(scores)), seed=seed, rounds=resamples
        )
    write_table(output, table)
