"""`seggrid show`: a page that shows links, sentence by sentence, in a browser."""

from __future__ import annotations

import argparse
from pathlib import Path

from seggrid.base.compressed import write_text
from seggrid.cli.arguments import (
    add_input,
    add_links_notation,
    add_output,
    add_pair,
    read_links_of,
    read_pair,
    whole_number,
)
from seggrid.cli.texts.score import add_gold, read_gold_of
from seggrid.errors import InputError, note
from seggrid.report import links as page


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options: links, texts, gold, output."""
    add_input(parser, "links", help="the links, such as Pharaoh lines")
    add_links_notation(parser)
    add_pair(parser, training=False, empty_lines=False)
    add_input(parser, "--other", help="further links, to compare with the first")
    add_gold(parser, "With gold, the sentences with most errors come first.")
    parser.add_argument(
        "--most",
        type=whole_number(1, 100_000),
        default=5000,
        metavar="N",
        help="show at most N sentence pairs: those with most errors or, without gold, the first",
    )
    add_output(parser, "the page, such as links.html", required=True)


def run(arguments: argparse.Namespace) -> None:
    """Read and write."""
    arguments.control_characters, arguments.empty_lines = "drop", "skip"
    pair = read_pair(arguments.texts, arguments, tokens=True)
    links = {}
    for file in filter(None, (arguments.links, arguments.other)):
        if file in links:
            raise InputError("the same links twice", file=file, hint="leave out --other")
        links[file] = read_links_of(file, arguments, pair.known).links
    gold = read_gold_of(arguments, pair.known) if arguments.gold else None
    both = tuple(Path(text).name for text in arguments.texts)
    html = page.build(
        links,
        (pair.source, pair.target),
        gold,
        names=pair.ids,
        sides=both if len(both) == 2 else ("source", "target"),
        most=arguments.most,
    )
    total = len(pair.source)
    if total > arguments.most:
        which = "with most errors" if gold else "from the first on"
        note([f"{arguments.most:,} of {total:,} sentence pairs are shown, those {which} (--most)"])
    with write_text(arguments.output) as file:
        file.write(html)
