"""Read a pair's gold links in any of the known formats, and write them in ours."""

import argparse
import sys
from pathlib import Path

from seggrid.corpus.gold import gold_from_links, parse_gold_links, without_bad_links, write_gold
from seggrid.corpus.text import Text
from seggrid.workflow.script import run


def main() -> None:
    """Parse the arguments, read, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gold", type=Path, required=True)
    parser.add_argument("--format", choices=["pharaoh", "pharaoh-ids", "naacl"], default="pharaoh")
    parser.add_argument("--base", type=int, choices=[0, 1], default=0)
    parser.add_argument("--swapped", action="store_true", help="the file names the target first")
    parser.add_argument(
        "--texts", type=Text.from_json, nargs="+", default=[], help="the one with ids, or both"
    )
    parser.add_argument(
        "--bad-links", choices=["refuse", "drop"], default="refuse", help="drop needs both texts"
    )
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    texts = [text.read() for text in arguments.texts]
    ids = next((text.ids for text in texts if text.ids is not None), None)
    links = parse_gold_links(
        arguments.gold,
        arguments.format,
        base=arguments.base,
        ids=ids,
        swapped=arguments.swapped,
    )
    if arguments.bad_links == "drop":
        source, target = texts
        links, bad = without_bad_links(links, (source.words(), target.words()))
        for link in bad:
            print(f"left out: a link outside its sentence, line {link.line}", file=sys.stderr)
    write_gold(arguments.output, gold_from_links(links, ids))


if __name__ == "__main__":
    run(main)
