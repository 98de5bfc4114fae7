"""Let the cells of a pair vote on links; score the result, and the best of these cells."""

import argparse
import json
from pathlib import Path

import pandas as pd

from seggrid.base.files import atomic_write
from seggrid.base.rational import read_rational
from seggrid.corpus.gold import read_gold
from seggrid.data.links import Links
from seggrid.grid.samples import sample_seeds
from seggrid.score.ensemble import Candidates, Vote, cross_validate
from seggrid.score.ensemble_table import compare_with_best, table_of_votes
from seggrid.score.score_file import read_score_file
from seggrid.score.table import write_table
from seggrid.workflow.jobs.script import run, timed


def main() -> None:
    """Parse the arguments, vote, score, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--name", required=True, help="name of the ensemble")
    parser.add_argument("--pair", required=True)
    parser.add_argument("--gold", type=Path, required=True)
    parser.add_argument(
        "--members",
        type=json.loads,
        required=True,
        help="name, score file, aggregate and votes of each cell, as JSON",
    )
    how = parser.add_mutually_exclusive_group(required=True)
    how.add_argument("--threshold", help="the share of votes above which a link is kept")
    how.add_argument(
        "--choose", action="store_true", help="choose weights and bound by cross-validation"
    )
    parser.add_argument("--folds", type=int, default=10)
    parser.add_argument("--penalty", type=float, default=1.0)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--resamples", type=int, default=2000)
    for output in ("table", "votes", "links"):
        parser.add_argument(f"--{output}", type=Path, required=True)
    arguments = parser.parse_args()
    names = [name for name, *_ in arguments.members]
    gold = read_gold(arguments.gold)
    members = [read_links(file, aggregate) for _, file, aggregate, _ in arguments.members]
    (seed,) = sample_seeds(arguments.seed, [arguments.pair, "ensemble", arguments.name], (0, 0))
    with timed():
        candidates = Candidates.from_members(members)
        if arguments.choose:
            found = cross_validate(candidates, gold, arguments.folds, arguments.penalty, seed)
            links = found.links
        else:
            weights = [votes for *_, votes in arguments.members]
            found = Vote.from_threshold(weights, read_rational(arguments.threshold))
            links = candidates.keep(found.decide(candidates.has))
        row = compare_with_best(links, names, members, gold, arguments.resamples, seed)
        votes = table_of_votes(names, members, gold, found)
    head = {"ensemble": arguments.name, "pair": arguments.pair}
    row = {"gold_used": "other folds" if arguments.choose else "none", **row}
    for column, value in reversed(head.items()):
        votes.insert(0, column, value)
    write_table(arguments.table, pd.DataFrame([head | row]))
    write_table(arguments.votes, votes)
    with atomic_write(arguments.links) as out:
        out.writelines(f"{line}\n" for line in links.lines())


def read_links(file: str, aggregate: str) -> Links:
    """The word links of a cell's first replicate."""
    scored = read_score_file(file)
    return scored.links[scored.aggregates.index(aggregate)]


if __name__ == "__main__":
    run(main)
