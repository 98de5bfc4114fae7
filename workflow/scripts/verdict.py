"""Choose settings on other sentences than those on which they are scored, and write what a grid shows."""

from dataclasses import dataclass
from pathlib import Path

from seggrid.grid.jobs.script import timed
from seggrid.grid.report.results import read_results
from seggrid.grid.report.verdict import with_sentences
from seggrid.grid.study import STUDIES
from seggrid.score.counts import read_counts
from seggrid.score.table import read_scores, write_table
from seggrid.score.verdict import find, with_more


@dataclass(frozen=True)
class VerdictTables:
    """The tables that are written, of which `output` is the verdict."""

    output: Path
    selection: Path
    effects: Path
    ranks: Path


def main(
    scores: Path,
    counts: Path,
    seed: int,
    outputs: VerdictTables,
    resamples: int = 2000,
    selected: dict = {},
    defaults: dict = {},
    development: dict = {},
) -> None:
    """Find, and write four tables. By pair, `defaults` is the cell with the default settings of the commands,
    and `development` how many of the first sentences with gold choose and are not scored; `selected` are
    tables of studies whose rows stand among the selections."""
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
        if selected:
            read = read_results(selected)
            more = (study.selections(read) for study in STUDIES.values())
            chosen = with_more(chosen, [row for rows in more for row in rows])
        verdict = with_sentences(found.verdict, table, chosen)
    write_table(outputs.output, verdict)
    write_table(outputs.selection, chosen)
    write_table(outputs.effects, found.effects)
    write_table(outputs.ranks, found.ranks)
