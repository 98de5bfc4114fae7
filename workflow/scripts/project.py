"""Join the two directions of subword links, and map them to words."""

import argparse
from pathlib import Path

from seggrid.align.project import project
from seggrid.align.store import load_alignments, save_links
from seggrid.align.symmetrize import HEURISTICS, symmetrize
from seggrid.script import run, timed


def main() -> None:
    """Parse the arguments, symmetrise, project, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--alignments", type=Path, required=True)
    parser.add_argument("--symmetrization", choices=HEURISTICS, required=True)
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    alignments = load_alignments(arguments.alignments)
    with timed():
        words = [
            project(symmetrize(forward, reverse, arguments.symmetrization), source, target)
            for source, target, forward, reverse in alignments
        ]
    save_links(arguments.output, words)


if __name__ == "__main__":
    run(main)
