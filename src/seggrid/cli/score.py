"""`seggrid score` and `show`: links compared with gold links, in numbers and in a browser."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import get_args

from seggrid.api.scoring import gold_in, known_by_ids, score_links
from seggrid.base.compressed import write_text
from seggrid.base.lines import LARGEST_TEXT, read_lines
from seggrid.cli.arguments import (
    add_input,
    add_links_notation,
    add_output,
    add_pair,
    add_pair_format,
    add_seed,
    read_links_of,
    read_pair,
    whole_number,
    write_lines,
)
from seggrid.corpus.gold import Gold
from seggrid.corpus.link_formats import GoldFormat
from seggrid.corpus.links import ENOUGH, Known, Notation
from seggrid.corpus.text import EmptyLines
from seggrid.data.links import Links
from seggrid.data.sides import SIDES
from seggrid.errors import InputError, note
from seggrid.report import links as page
from seggrid.score.metrics import METRICS
from seggrid.score.signature import signature


def add_score(parser: argparse.ArgumentParser) -> None:
    """Add the options: links, gold, the text to which both belong, resamples, output."""
    add_input(
        parser,
        "links",
        help="the links of each sentence, such as Pharaoh lines, `i-j i-j ...` from 0; - is standard input",
    )
    add_input(parser, "gold", help="the gold links")
    add_gold_notation(parser)
    add_links_notation(parser)
    group = parser.add_argument_group(
        "text", "Gold that names sentences (pharaoh-ids, naacl, rwth) needs one of these."
    )
    which = group.add_mutually_exclusive_group()
    add_input(
        which,
        "--text",
        nargs="+",
        metavar="TEXT",
        help="the aligned texts, or one file that holds both; links and gold are checked against them",
    )
    add_input(which, "--ids", help="the ids of the sentences, one a line")
    which.add_argument(
        "--numbered",
        action="store_true",
        help="the gold names sentences by their line numbers, from --base on",
    )
    add_pair_format(group)
    parser.add_argument(
        "--resamples",
        type=whole_number(1, 100_000),
        default=2000,
        help="number of bootstrap resamples for the intervals",
    )
    add_seed(parser, "the resamples")
    add_output(parser, "the scores")


def add_gold(parser: argparse.ArgumentParser, use: str) -> None:
    """Add a group of options: the gold, which may be left out, and how it is written."""
    group = parser.add_argument_group("gold", use)
    add_input(group, "--gold", help="the gold links")
    add_gold_notation(group)


def add_gold_notation(parser: argparse._ActionsContainer) -> None:
    """Add the options that say how gold is written, which `read_gold_of` reads."""
    parser.add_argument(
        "--gold-format",
        choices=get_args(GoldFormat),
        default="pharaoh",
        help="format of the gold",
    )
    parser.add_argument(
        "--base",
        type=int,
        choices=(0, 1),
        help="the number of the first word in the gold and, if it names sentences by line numbers, of the "
        "first line; by default 0, or as the format says",
    )
    parser.add_argument(
        "--swapped", action="store_true", help="gold links have the target word first"
    )
    parser.add_argument(
        "--bad-links",
        choices=("refuse", "drop"),
        default="refuse",
        help="whether gold links outside their sentences are refused or left out",
    )
    parser.add_argument(
        "--empty-gold-lines",
        choices=get_args(EmptyLines),
        default="refuse",
        help="whether a line of pharaoh gold without a link is refused, or skipped as a sentence without "
        "gold",
    )


def read_gold_of(arguments: argparse.Namespace, known: Known) -> Gold:
    """Read the gold that the arguments name."""
    gold, remarks = gold_in(arguments.gold, None, _notation(arguments), known, arguments.bad_links)
    note(remarks)
    return gold


def _notation(arguments: argparse.Namespace) -> Notation:
    return Notation(
        arguments.gold_format, arguments.base, arguments.swapped, arguments.empty_gold_lines
    )


def run_score(arguments: argparse.Namespace) -> None:
    """Score and write."""
    known = _known(arguments)
    found = read_links_of(arguments.links, arguments, known)
    if known.sentences is None and found.complete:
        known = replace(known, sentences=len(found.links))
    gold = read_gold_of(arguments, known)
    _note_base(found.links.take(gold.sentences[gold.sentences < len(found.links)]), gold)
    scores = score_links(found, gold, arguments.resamples, arguments.seed)
    rows = [
        f"{name}\t{getattr(scores, name):.4f}\t{low:.4f}\t{high:.4f}\t{_signed(arguments, gold, name)}"
        for name, (low, high) in zip(METRICS, scores.intervals.tolist(), strict=True)
    ]
    write_lines(arguments.output, ["metric\tvalue\tlow\thigh\tsignature", *rows])


def _signed(arguments: argparse.Namespace, gold: Gold, *metrics: str) -> str:
    """The signature of some scores by the gold that the arguments name."""
    file = Path(arguments.gold).name
    return signature(gold, file, _notation(arguments).first, metrics=metrics or METRICS)


def _known(arguments: argparse.Namespace) -> Known:
    """What the arguments tell of the text."""
    if arguments.text:
        arguments.control_characters, arguments.empty_lines = "drop", "skip"
        return read_pair(arguments.text, arguments).known
    if arguments.format:
        raise InputError("--format without --text", hint="give the texts, or leave it out")
    if not arguments.ids:
        return Known(numbered=arguments.numbered)
    hint = "give the id of each sentence, one a line"
    return known_by_ids(read_lines(arguments.ids, hint, LARGEST_TEXT), arguments.ids)


def _note_base(links: Links, gold: Gold) -> None:
    """Note links that never link the first word of one side, although the gold does."""
    if len(gold) < ENOUGH or not len(links.pairs):
        return
    for side, name in enumerate(SIDES):
        if links.pairs[:, side].min() > 0 and gold.possible.pairs[:, side].min() == 0:
            message = f"the links never use the first {name} word, counted from 0"
            note([f"{message}: check whether they count from 0 or 1"])


def add_show(parser: argparse.ArgumentParser) -> None:
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


def run_show(arguments: argparse.Namespace) -> None:
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
        signature=_signed(arguments, gold) if gold else "",
    )
    total = len(pair.source)
    if total > arguments.most:
        which = "with most errors" if gold else "from the first on"
        note([f"{arguments.most:,} of {total:,} sentence pairs are shown, those {which} (--most)"])
    with write_text(arguments.output) as file:
        file.write(html)
