"""Read a pair's gold links in any of the known formats, and write them in the format of later stages."""

import argparse
import sys
from pathlib import Path

from seggrid.corpus.gold import (
    Gold,
    gold_of_nothing,
    parse_gold,
    parse_gold_within,
    write_gold,
)
from seggrid.corpus.selection import filled_lines
from seggrid.corpus.text import Text
from seggrid.workflow.jobs.script import run, timed


def main() -> None:
    """Parse the arguments, read, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gold", type=Path, help="without it, some sentences are chosen instead")
    parser.add_argument("--format", choices=["pharaoh", "pharaoh-ids", "naacl"], default="pharaoh")
    parser.add_argument("--base", type=int, choices=[0, 1], default=0)
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
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    # The log ends with the time of the work, so that remarks are not taken for the reason of a failure.
    with timed("reading"):
        write_gold(arguments.output, read(arguments))


def read(arguments: argparse.Namespace) -> Gold:
    """Read the gold; links and sentences that are left out are logged."""
    texts = [text.read() for text in arguments.texts]
    ids = next((text.ids for text in texts if text.ids is not None), None)
    if arguments.gold is None:
        return gold_of_nothing(filled_lines(*(text.sentences for text in texts)), ids)
    file = arguments.gold, arguments.format
    options = {name: getattr(arguments, name) for name in ("base", "swapped", "empty_lines")}
    if arguments.bad_links == "drop":
        source, target = texts
        words = source.words(), target.words()
        gold, bad = parse_gold_within(*file, words, ids=ids, **options)
        for link in bad:
            print(f"left out: a link outside its sentence, line {link.line}", file=sys.stderr)
    else:
        gold = parse_gold(*file, ids=ids, **options)
    if not any(text.empty_lines == "skip" for text in arguments.texts):
        return gold
    left = gold.among(filled_lines(*(text.sentences for text in texts)))
    print(f"left out: gold of {len(gold) - len(left)} empty sentence pairs", file=sys.stderr)
    return left


if __name__ == "__main__":
    run(main)
