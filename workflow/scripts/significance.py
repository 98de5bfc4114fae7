"""Bootstrap intervals of every score, paired tests against the words and the plain cell, and correlations of
measures of segmentations with scores."""

from pathlib import Path

from seggrid.grid.jobs.script import timed
from seggrid.score.correlations import correlate
from seggrid.score.counts import read_counts
from seggrid.score.significance import summarize
from seggrid.score.table import read_scores, write_table


def main(
    scores: Path, counts: Path, seed: int, output: Path, correlations: Path, resamples: int = 2000
) -> None:
    """Write two tables: intervals and tests, and correlations with measures."""
    with timed():
        hits, table = read_counts(counts), read_scores(scores)
        tests = summarize(hits, table, seed=seed, bootstrap_rounds=resamples)
        related = correlate(table)
    write_table(output, tests)
    write_table(correlations, related)
