"""`seggrid score`: precision, recall, F1 and AER of links against gold links, with 95% intervals."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from typing import get_args

from seggrid.api.scoring import gold_in, score_links
from seggrid.base.lines import LARGEST_TEXT, read_lines
from seggrid.cli.arguments import (
    LARGEST_SEED,
    PairOfTexts,
    add_links_notation,
    add_output,
    add_pair_format,
    read_links_of,
    read_pair,
    remark,
    whole_number,
    write_lines,
)
from seggrid.cli.files import input_file
from seggrid.corpus.gold import Gold
from seggrid.corpus.link_formats import GoldFormat
from seggrid.corpus.links import ENOUGH, Known, Notation
from seggrid.corpus.text import EmptyLines
from seggrid.data.links import Links
from seggrid.data.sides import SIDES
from seggrid.errors import InputError, InputErrors, refuse
from seggrid.score.metrics import METRICS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options: links, gold, the text to which both belong, resamples, output."""
    parser.add_argument(
        "links",
        type=input_file,
        help="the links of each sentence, such as Pharaoh lines, `i-j i-j ...` from 0; - is standard input",
    )
    parser.add_argument("gold", type=input_file, help="the gold links")
    add_gold(parser, "--format")
    add_links_notation(parser)
    group = parser.add_argument_group(
        "text", "Gold that names sentences (pharaoh-ids, naacl, rwth) needs one of these."
    )
    which = group.add_mutually_exclusive_group()
    which.add_argument(
        "--text",
        nargs="+",
        type=input_file,
        metavar="TEXT",
        help="the aligned texts, or one file that holds both; links and gold are checked against them",
    )
    which.add_argument(
        "--ids", type=input_file, metavar="FILE", help="the ids of the sentences, one a line"
    )
    which.add_argument(
        "--numbered",
        action="store_true",
        help="the gold names sentences by their line numbers, from --base on",
    )
    add_pair_format(group, "--text-format")
    parser.add_argument(
        "--resamples",
        type=whole_number(1, 100_000),
        default=2000,
        help="number of bootstrap resamples for the intervals",
    )
    parser.add_argument(
        "--seed", type=whole_number(0, LARGEST_SEED), default=1, help="seed of the resamples"
    )
    add_output(parser, "the scores")


def add_gold(parser: argparse._ActionsContainer, format_option: str) -> None:
    """Add the options for the format of gold links."""
    parser.add_argument(
        format_option,
        dest="gold_format",
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
    """Read the gold that the arguments name, and print remarks on what is left out.

    Args:
        arguments: arguments of `add_gold`.
        known: what is known of the text.
    """
    notation = Notation(
        arguments.gold_format, arguments.base, arguments.swapped, arguments.empty_gold_lines
    )
    gold, remarks = gold_in(arguments.gold, None, notation, known, arguments.bad_links)
    remark(remarks)
    return gold


def run(arguments: argparse.Namespace) -> None:
    """Score and write."""
    known = _known(arguments)
    found = read_links_of(arguments.links, arguments, known)
    if known.sentences is None and found.complete:
        known = replace(known, sentences=len(found.links))
    gold = read_gold_of(arguments, known)
    _remark_on_base(found.links.take(gold.sentences[gold.sentences < len(found.links)]), gold)
    scores = score_links(found, gold, arguments.resamples, arguments.seed)
    rows = zip(METRICS, scores.intervals.tolist(), strict=True)
    write_lines(
        arguments.output,
        ["metric\tvalue\tlow\thigh"]
        + [
            f"{name}\t{getattr(scores, name):.4f}\t{low:.4f}\t{high:.4f}"
            for name, (low, high) in rows
        ],
    )


def _known(arguments: argparse.Namespace) -> Known:
    """What the arguments tell of the text."""
    if arguments.text:
        arguments.control_characters, arguments.empty_lines = "drop", "skip"
        return _read_texts(arguments).known
    if arguments.format:
        raise InputError("--text-format without --text", hint="give the texts, or leave it out")
    if not arguments.ids:
        return Known(numbered=arguments.numbered)
    ids = read_lines(arguments.ids, "give the id of each sentence, one a line", LARGEST_TEXT)
    if again := len(ids) - len(set(ids)):
        hint = "give each line of links an id of its own"
        raise InputError(f"{again:,} ids again", file=arguments.ids, hint=hint)
    return Known(len(ids), ids)


def _read_texts(arguments: argparse.Namespace) -> PairOfTexts:
    """Read the texts; in hints, the format is set by the option that this command has for it."""
    try:
        return read_pair(arguments.text, arguments)
    except InputError as error:
        several = error.errors if isinstance(error, InputErrors) else [error]
        refuse(
            InputError(
                e.message,
                file=e.file,
                line=e.line,
                hint=e.hint and e.hint.replace("(--format ", "(--text-format "),
            )
            for e in several
        )
        raise


def _remark_on_base(links: Links, gold: Gold) -> None:
    """Warn of links that never link the first word of one side, although the gold does."""
    if len(gold) < ENOUGH or not len(links.pairs):
        return
    for side, name in enumerate(SIDES):
        if links.pairs[:, side].min() > 0 and gold.possible.pairs[:, side].min() == 0:
            print(
                f"warning: the links never use the first {name} word, counted from 0: check whether they "
                "count from 0 or 1",
                file=sys.stderr,
            )
