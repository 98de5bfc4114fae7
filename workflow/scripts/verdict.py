"""Choose settings on other sentences than those on which they are scored, and write what a grid shows."""

from pathlib import Path

import pandas as pd

from seggrid.report.results import read_results
from seggrid.report.verdict import with_sentences
from seggrid.score.counts import read_counts
from seggrid.score.table import read_scores, write_table
from seggrid.score.verdict import find, with_votes
from seggrid.workflow.jobs.script import timed


def main(
    scores: Path,
    counts: Path,
    seed: int,
    output: Path,
    selection: Path,
    effects: Path,
    ranks: Path,
    resamples: int = 2000,
    ensembles: Path | None = None,
    defaults: dict = {},
    development: dict = {},
) -> None:
    """Find, and write four tables. By pair, `defaults` is the cell with the default settings of the commands,
    and `development` how many of the first sentences with gold choose and are not scored."""
    with timed():
        table = read_scores(scores)
        found = find(
            read_counts(counts),
            table,
            defaults=defaults,
            development=development,
            seed=seed,
            rounds=resamples,
        )
        chosen = found.selection
        if ensembles:
            read = read_results({"ensembles": ensembles})
            chosen = with_votes(chosen, read.get("ensembles", pd.DataFrame()))
        verdict = with_sentences(found.verdict, table, chosen)
    written = {output: verdict, selection: chosen, effects: found.effects, ranks: found.ranks}
    for path, content in written.items():
        write_table(path, content)
