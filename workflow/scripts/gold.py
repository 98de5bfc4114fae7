"""Read a pair's gold links in any of the known formats, and write them in ours."""

import argparse
import sys
from pathlib import Path

from seggrid.corpus.gold import gold_from_links, parse_gold_links, without_bad_links, write_gold
from seggrid.corpus.text import read_sentences, read_text
from seggrid.workflow.script import run


def main() -> None:
    """Parse the arguments, read, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gold", type=Path, required=True)
    parser.add_argument("--format", choices=["pharaoh", "pharaoh-ids", "naacl"], default="pharaoh")
    parser.add_argument("--base", type=int, choices=[0, 1], default=0)
    parser.add_argument("--swapped", action="store_true", help="the file names the target first")
    parser.add_argument("--ids", type=Path, help="the text (tsv) that has the pair's ids")
    parser.add_argument(
        "--within", type=Path, nargs=2, help="source and target; links outside them are left out"
    )
    parser.add_argument("--within-formats", choices=["lines", "tsv"], nargs=2)
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    ids = read_sentences(arguments.ids, "tsv")[1] if arguments.ids else None
    links = parse_gold_links(
        arguments.gold,
        arguments.format,
        base=arguments.base,
        ids=ids,
        swapped=arguments.swapped,
    )
    if arguments.within:
        sides = zip(arguments.within, arguments.within_formats, strict=True)
        source, target = (read_text(file, format)[0] for file, format in sides)
        links, bad = without_bad_links(links, (source, target))
        for link in bad:
            print(f"left out: a link outside its sentence, line {link.line}", file=sys.stderr)
    write_gold(arguments.output, gold_from_links(links, ids))


if __name__ == "__main__":
    run(main)
