"""Make word links of a cell's samples, aggregate them in every way asked for, and score the results.

Each sample's two directions of links are symmetrized and mapped to words first.
"""

import argparse
from pathlib import Path

from seggrid.align import SYMMETRIZATIONS
from seggrid.align.project import project
from seggrid.align.symmetrize import symmetrize
from seggrid.corpus.gold import read_gold
from seggrid.data.alignments import read_alignments
from seggrid.score.score_file import score_replicates
from seggrid.workflow.script import run, timed


def main() -> None:
    """Parse the arguments, symmetrize, project, score, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gold", type=Path, required=True)
    parser.add_argument(
        "--alignments", type=Path, nargs="+", action="append", help="a replicate's parts, in order"
    )
    parser.add_argument("--symmetrization", choices=SYMMETRIZATIONS, required=True)
    parser.add_argument("--samples", type=int, required=True, help="how many samples count")
    parser.add_argument("--aggregates", nargs="+", required=True)
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    gold = read_gold(arguments.gold)
    replicates = [
        [sample for part in parts for sample in read_alignments(part)][: arguments.samples]
        for parts in arguments.alignments
    ]
    with timed():
        words = [
            [
                project(symmetrize(forward, reverse, arguments.symmetrization), source, target)
                for source, target, forward, reverse in samples
            ]
            for samples in replicates
        ]
        scored = score_replicates(gold, words, arguments.aggregates)
    scored.save(arguments.output)


if __name__ == "__main__":
    run(main)
