"""`seggrid lexicon`: the pairs of words that are linked in a text, how often, and with which
probabilities."""

from __future__ import annotations

import argparse

from seggrid.align.lexicon import NULL, lexicon
from seggrid.cli.arguments import (
    add_input,
    add_links_notation,
    add_output,
    add_pair,
    add_written,
    read_links_of,
    read_pair,
    share,
    whole_number,
    write_lines,
)
from seggrid.errors import note


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options: texts, links, limits, outputs."""
    add_pair(parser, training=False)
    add_input(
        parser,
        "--links",
        required=True,
        help="their links, such as Pharaoh lines, `i-j i-j ...` from 0",
    )
    add_links_notation(parser)
    parser.add_argument(
        "--least-count",
        type=whole_number(1),
        default=1,
        metavar="N",
        help="smallest count of a pair",
    )
    parser.add_argument(
        "--threshold",
        type=share,
        default=0.0,
        metavar="P",
        help="leave out pairs if both probabilities are below it",
    )
    add_written(
        parser,
        "--moses",
        nargs=2,
        help="write two tables of Moses, which Marian reads as shortlists: `target source "
        "p(target|source)`, Moses' lex.f2e and Marian's lex.s2t, and `source target p(source|target)`",
    )
    add_output(
        parser,
        "the lexicon, columns between tabs: source word, target word, p(target|source), p(source|target), "
        f"count; a word without a link is linked to {NULL}; pairs of a word of the text that is spelled "
        "so are left out, and counted on standard error",
    )


def run(arguments: argparse.Namespace) -> None:
    """Count and write."""
    pair = read_pair(arguments.texts, arguments, tokens=True)
    links = read_links_of(arguments.links, arguments, pair.known).links
    found = [
        entry
        for entry in lexicon(links, pair.source, pair.target)
        if entry.times >= arguments.least_count
        and max(entry.forward, entry.reverse) >= arguments.threshold
    ]
    entries = [
        entry._replace(source=entry.source or NULL, target=entry.target or NULL)
        for entry in found
        if NULL not in (entry.source, entry.target)
    ]
    if left_out := len(found) - len(entries):
        note([f"left out: {left_out:,} pairs of the word {NULL}, which stands for no word here"])
    if arguments.moses:
        ahead, back = arguments.moses
        write_lines(ahead, (f"{e.target} {e.source} {e.forward:.7f}" for e in entries))
        write_lines(back, (f"{e.source} {e.target} {e.reverse:.7f}" for e in entries))
    if arguments.output or not arguments.moses:
        rows = (
            f"{e.source}\t{e.target}\t{e.forward:.6g}\t{e.reverse:.6g}\t{e.times}" for e in entries
        )
        write_lines(arguments.output, rows)
