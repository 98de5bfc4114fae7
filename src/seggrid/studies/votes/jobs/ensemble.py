"""Let the cells of a pair vote on links; score the result, and the best of these cells."""

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import pandas as pd

from seggrid.base.files import atomic_write
from seggrid.grid.jobs.script import timed
from seggrid.grid.samples import ONE, sample_seeds
from seggrid.score.counts import read_score_file
from seggrid.score.table import write_table
from seggrid.studies.votes.vote import (
    Candidates,
    Vote,
    compare_with_best,
    cross_validate,
    table_of_votes,
)
from seggrid.text.gold import read_gold_file


@dataclass(frozen=True)
class VoteFiles:
    """The files that are written."""

    table: Path
    votes: Path
    links: Path


def main(
    name: str,
    pair: str,
    gold: Path,
    members: list[tuple],
    seed: int,
    outputs: VoteFiles,
    threshold: Fraction | None = None,
    folds: int | None = None,
    resamples: int = 2000,
) -> None:
    """Let the members of an ensemble vote on a pair.

    A member has a name, a score file, an aggregate and a number of votes. Links with more than the
    threshold's share of votes are kept; without a threshold, weights and bound are chosen in a
    cross-validation.
    """
    names = [member[0] for member in members]
    true = read_gold_file(gold)
    linked = [read_score_file(file).links_of(aggregate) for _, file, aggregate, _ in members]
    (drawn,) = sample_seeds(seed, [pair, "ensemble", name], ONE)
    with timed():
        candidates = Candidates.from_members(linked)
        if threshold is None:
            found = cross_validate(candidates, true, folds, drawn)
            voted = found.links
        else:
            found = Vote.from_threshold([member[-1] for member in members], threshold)
            voted = candidates.keep(found.decide(candidates.has))
        row = compare_with_best(voted, names, linked, true, resamples, drawn)
        weights = table_of_votes(names, linked, true, found)
    head = {"ensemble": name, "pair": pair}
    used = {"gold_used": "other folds" if threshold is None else "none"}
    write_table(outputs.table, pd.DataFrame([head | used | row]))
    write_table(outputs.votes, weights.assign(**head)[[*head, *weights]])
    with atomic_write(outputs.links) as out:
        out.writelines(f"{line}\n" for line in voted.lines())
