"""`seggrid remap`: turn links between words of one tokenization into links between words of another."""

from __future__ import annotations

import argparse

from seggrid.api.texts import words_in
from seggrid.cli.arguments import (
    add_input,
    add_links_notation,
    add_output,
    check_same_length,
    read_links_of,
    write_lines,
)
from seggrid.corpus.links import Known
from seggrid.data.remap import remap
from seggrid.data.sides import SIDES
from seggrid.errors import note


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options: links, texts in both tokenizations, output."""
    add_input(
        parser,
        "links",
        help="the links, such as Pharaoh lines, `i-j i-j ...` from 0",
    )
    add_links_notation(parser)
    for side in SIDES:
        add_input(
            parser,
            f"--{side}",
            nargs=2,
            required=True,
            metavar=("OLD", "NEW"),
            help=f"the {side} text in the words that are linked now, and in the new words",
        )
    add_output(
        parser,
        "the links of the new words; links that cannot be mapped are counted on standard error",
    )


def run(arguments: argparse.Namespace) -> None:
    """Map and write."""
    sides = []
    for old, new in (arguments.source, arguments.target):
        sides.append((words_in(old, tokens=True), words_in(new, tokens=True)))
        check_same_length(new, sides[-1][1], old, sides[-1][0])
    source, target = sides[0][0], sides[1][0]
    check_same_length(arguments.target[0], target, arguments.source[0], source)
    known = Known.of(source, target)
    links = read_links_of(arguments.links, arguments, known).links
    found = remap(links, *sides)
    if found.unlike:
        what = (
            "sentences that differ in more than spaces, case and escapes, compared by their longest "
            "common parts"
        )
        note([f"{what}: {found.unlike:,}"])
    if found.lost:
        what = "links lost, whose words are in no new one"
        note([f"{what}: {found.lost:,} of {len(links.pairs):,}"])
    write_lines(arguments.output, found.links.lines())
