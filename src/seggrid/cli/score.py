"""`seggrid score`: precision, recall, F1 and AER of links against gold links, with 95% intervals."""

from __future__ import annotations

import argparse
import sys
from typing import get_args

import numpy as np

from seggrid.base.resampling import bootstrap_weights
from seggrid.cli.arguments import LARGEST_SEED, add_output, remark, whole_number, write_lines
from seggrid.cli.outputs import check_outputs
from seggrid.corpus.check import remark_on_few
from seggrid.corpus.gold import Gold, GoldFormat, parse_gold
from seggrid.corpus.pharaoh import read_links
from seggrid.corpus.text import EmptyLines
from seggrid.data.links import Links
from seggrid.data.sides import SIDES
from seggrid.errors import InputError
from seggrid.score.metrics import METRICS, compute_metrics, count_hits
from seggrid.score.significance import intervals

FEW = 20
"""The number of gold sentences from which on a first position without any link gets a warning."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options: links, gold, resamples, output."""
    parser.add_argument("links", help="Pharaoh lines, `i-j i-j ...` from 0, one a sentence")
    parser.add_argument("gold", help="the gold links")
    add_gold(parser, "--format")
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
        default=0,
        help="the number of the first word in the gold",
    )
    parser.add_argument(
        "--swapped", action="store_true", help="gold links have the target word first"
    )
    parser.add_argument(
        "--empty-gold-lines",
        choices=get_args(EmptyLines),
        default="refuse",
        help="whether a line of pharaoh gold without a link is refused, or skipped as a sentence without "
        "gold",
    )


def run(arguments: argparse.Namespace) -> None:
    """Score and write."""
    check_outputs(arguments, "links", "gold")
    links = read_links(arguments.links)
    gold = parse_gold(
        arguments.gold,
        arguments.gold_format,
        base=arguments.base,
        swapped=arguments.swapped,
        empty_lines=arguments.empty_gold_lines,
    )
    if gold.sentences[-1] >= len(links):
        raise InputError(
            f"gold of sentence {gold.sentences[-1] + 1}, but only {len(links)} lines of links",
            file=arguments.gold,
            hint="give the links of every sentence, with an empty line where there are none",
        )
    scored = links.take(gold.sentences)
    _warn_of_base(scored, gold)
    remark(remark_on_few(arguments.gold, len(gold)))
    counts = count_hits(scored, gold.sure, gold.possible)
    sure = np.diff(gold.sure.offsets)
    values = compute_metrics(counts.sum(axis=0), sure.sum())
    weights = bootstrap_weights(len(sure), arguments.resamples, arguments.seed)
    bounds = intervals(counts[None, None], sure, weights)[0]
    rows = zip(METRICS, values, *bounds.T, strict=True)
    write_lines(
        arguments.output,
        ["metric\tvalue\tlow\thigh"]
        + [f"{name}\t{value:.4f}\t{low:.4f}\t{high:.4f}" for name, value, low, high in rows],
    )


def _warn_of_base(links: Links, gold: Gold) -> None:
    """Warn if only one of links and gold ever links a first word, which suggests another base."""
    if len(gold) < FEW or not len(links.pairs):
        return
    for side, name in enumerate(SIDES):
        lowest = {
            "the links": links.pairs[:, side].min(),
            "the gold": gold.possible.pairs[:, side].min(),
        }
        unused = [which for which, position in lowest.items() if position > 0]
        if len(unused) == 1:
            print(
                f"warning: {unused[0]} never use the first {name} word, counted from 0: check whether "
                "they count from 0 or 1",
                file=sys.stderr,
            )
