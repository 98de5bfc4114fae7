"""Aggregate the samples of a cell's word links in every way asked for, and score the results."""

import argparse
from pathlib import Path

from seggrid.align.store import load_links
from seggrid.corpus.gold import load_gold
from seggrid.scored import score_replicates
from seggrid.script import run, timed


def main() -> None:
    """Parse the arguments, score, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gold", type=Path, required=True)
    parser.add_argument(
        "--links", type=Path, nargs="+", action="append", help="one replicate's parts, in order"
    )
    parser.add_argument("--samples", type=int, required=True, help="how many samples count")
    parser.add_argument("--aggregates", nargs="+", required=True)
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    gold = load_gold(arguments.gold)
    replicates = [
        [links for part in parts for links in load_links(part)][: arguments.samples]
        for parts in arguments.links
    ]
    with timed():
        scored = score_replicates(gold, replicates, arguments.aggregates)
    scored.save(arguments.output)


if __name__ == "__main__":
    run(main)
