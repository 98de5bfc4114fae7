"""Read a pair's gold links in any of the known formats, and write them in ours."""

import argparse
from pathlib import Path

from seggrid.corpus.gold import parse_gold, write_gold
from seggrid.corpus.text import read_sentences
from seggrid.workflow.script import run


def main() -> None:
    """Parse the arguments, read, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gold", type=Path, required=True)
    parser.add_argument("--format", choices=["pharaoh", "pharaoh-ids", "naacl"], default="pharaoh")
    parser.add_argument("--base", type=int, choices=[0, 1], default=0)
    parser.add_argument("--swapped", action="store_true", help="the file names the target first")
    parser.add_argument("--ids", type=Path, help="the text (tsv) that has the pair's ids")
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    ids = read_sentences(arguments.ids, "tsv")[1] if arguments.ids else None
    gold = parse_gold(
        arguments.gold,
        arguments.format,
        base=arguments.base,
        ids=ids,
        swapped=arguments.swapped,
    )
    write_gold(arguments.output, gold)


if __name__ == "__main__":
    run(main)
