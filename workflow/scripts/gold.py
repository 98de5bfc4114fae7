"""Read a pair's gold links in any of the known formats, and write them in the format of later stages."""

import argparse
import sys
from pathlib import Path
from typing import get_args

from seggrid.corpus.gold import write_gold, write_gold_lines
from seggrid.corpus.link_formats import GoldFormat
from seggrid.corpus.pair import read_pair_gold
from seggrid.corpus.text import Text
from seggrid.workflow.jobs.script import run, timed


def main() -> None:
    """Parse the arguments, read, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--gold",
        type=Path,
        nargs="+",
        default=[],
        help="without it, some sentences are chosen instead",
    )
    parser.add_argument("--format", choices=get_args(GoldFormat), default="pharaoh")
    parser.add_argument("--base", type=int, choices=[0, 1])
    parser.add_argument("--swapped", action="store_true", help="links have the target word first")
    parser.add_argument(
        "--texts",
        type=Text.from_json,
        nargs="+",
        default=[],
        help="the text with ids, or both texts",
    )
    parser.add_argument(
        "--bad-links", choices=["refuse", "drop"], default="refuse", help="drop needs both texts"
    )
    parser.add_argument(
        "--empty-lines",
        choices=["refuse", "skip"],
        default="refuse",
        help="empty lines of the gold",
    )
    parser.add_argument("--only-lines", action="store_true", help="write which sentences have gold")
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    # Written before the time of the work: the last line of a log must not look like the reason of a failure.
    with timed("reading"):
        gold, remarks = read_pair_gold(
            arguments.texts,
            arguments.gold,
            arguments.format,
            bad_links=arguments.bad_links,
            base=arguments.base,
            swapped=arguments.swapped,
            empty_lines=arguments.empty_lines,
        )
        for remark in remarks:
            print(remark, file=sys.stderr)
        (write_gold_lines if arguments.only_lines else write_gold)(arguments.output, gold)


if __name__ == "__main__":
    run(main)
