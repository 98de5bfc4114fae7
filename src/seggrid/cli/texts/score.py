"""`seggrid score`: precision, recall, F1 and AER of links against gold links, with 95% intervals."""

from __future__ import annotations

import argparse
import sys
from typing import get_args

from seggrid.api.scoring import score_links
from seggrid.base.lines import LARGEST_TEXT, read_lines
from seggrid.cli.arguments import (
    LARGEST_SEED,
    PairOfTexts,
    add_output,
    add_pair_format,
    check_links_of,
    read_pair,
    remark,
    whole_number,
    write_lines,
)
from seggrid.cli.files import input_file
from seggrid.corpus.check import ENOUGH, check_links, read_links_of_text
from seggrid.corpus.gold import (
    NAMED,
    Gold,
    GoldFormat,
    gold_from_links,
    parse_gold_links,
    without_bad_links,
)
from seggrid.corpus.pharaoh import read_links
from seggrid.corpus.text import EmptyLines
from seggrid.data.links import Links
from seggrid.data.sides import SIDES
from seggrid.data.words import filled_pairs
from seggrid.errors import InputError, InputErrors, refuse
from seggrid.score.metrics import METRICS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options: links, gold, the text to which both belong, resamples, output."""
    parser.add_argument(
        "links",
        type=input_file,
        help="Pharaoh lines, `i-j i-j ...` from 0, one for each sentence; - is standard input",
    )
    parser.add_argument("gold", type=input_file, help="the gold links")
    add_gold(parser, "--format")
    group = parser.add_argument_group(
        "text", "Gold that names sentences (pharaoh-ids, naacl) needs one of these."
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
        "--numbered", action="store_true", help="the gold names sentences by their line numbers"
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
        default=0,
        help="the number of the first word in the gold",
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


def read_gold_of(arguments: argparse.Namespace, pair: PairOfTexts) -> Gold:
    """Read the gold of a pair, and print remarks on what is left out.

    Raises:
        InputError: as for `seggrid.corpus.check.read_links_of_text`.
    """
    texts = pair.source, pair.target
    links, remarks = read_links_of_text(
        arguments.gold,
        arguments.gold_format,
        lambda k: (pair.source[k], pair.target[k]),
        len(pair.source),
        filled_pairs(*texts).tolist(),
        ids=pair.ids,
        base=arguments.base,
        swapped=arguments.swapped,
        bad_links=arguments.bad_links,
        empty_gold=arguments.empty_gold_lines,
    )
    remark(remarks)
    return gold_from_links(without_bad_links(links, texts)[0], pair.ids)


def run(arguments: argparse.Namespace) -> None:
    """Score and write."""
    links = read_links(arguments.links)
    if arguments.text:
        arguments.control_characters, arguments.empty_lines = "drop", "skip"
        pair = _read_texts(arguments)
        check_links_of(arguments.links, links, pair)
        gold = read_gold_of(arguments, pair)
    else:
        gold = _gold_of_lines(arguments, len(links))
    scored = links.take(gold.sentences)
    _check_base(arguments.links, scored, gold)
    scores = score_links(scored, gold, arguments.resamples, arguments.seed)
    rows = zip(METRICS, scores.intervals.tolist(), strict=True)
    write_lines(
        arguments.output,
        ["metric\tvalue\tlow\thigh"]
        + [
            f"{name}\t{getattr(scores, name):.4f}\t{low:.4f}\t{high:.4f}"
            for name, (low, high) in rows
        ],
    )


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


def _gold_of_lines(arguments: argparse.Namespace, lines: int) -> Gold:
    """Read the gold without the texts; only the number of lines of links is known."""
    ids = None
    if arguments.format:
        raise InputError("--text-format without --text", hint="give the texts, or leave it out")
    if arguments.bad_links == "drop":
        raise InputError("--bad-links drop needs the texts", hint="give them with --text")
    if arguments.ids:
        ids = read_lines(arguments.ids, "give the id of each sentence, one a line", LARGEST_TEXT)
        if len(ids) != lines or len(set(ids)) < lines:
            raise InputError(
                f"{len(set(ids)):,} distinct ids on {len(ids):,} lines, for {lines:,} lines of links",
                file=arguments.ids,
                hint="give the id of each line of links",
            )
    elif arguments.gold_format in NAMED and not arguments.numbered:
        raise InputError(
            f"{arguments.gold_format} names sentences, but the text is not given",
            file=arguments.gold,
            hint="give the texts with --text, the ids with --ids, or --numbered if they are line numbers",
        )
    links = parse_gold_links(
        arguments.gold,
        arguments.gold_format,
        base=arguments.base,
        ids=ids,
        swapped=arguments.swapped,
        empty_lines=arguments.empty_gold_lines,
    )
    if max(links) >= lines:
        raise InputError(
            f"gold of sentence {max(links) + 1}, but only {lines} lines of links",
            file=arguments.gold,
            hint="give the links of every sentence, with an empty line where there are none",
        )
    remark(check_links(arguments.gold, links, lines, None, base=arguments.base))
    return gold_from_links(links, ids)


def _check_base(file: str, links: Links, gold: Gold) -> None:
    """Refuse links that never link a first word; warn if this is so on only one side, and not in the gold."""
    if len(gold) < ENOUGH or not len(links.pairs):
        return
    unused = links.pairs.min(axis=0) > 0
    if unused.all():
        raise InputError(
            f"no link of {len(links)} sentences uses position 0, on either side",
            file=file,
            hint="links count words from 0: subtract 1 from each position",
        )
    for side, name in enumerate(SIDES):
        if unused[side] and gold.possible.pairs[:, side].min() == 0:
            print(
                f"warning: the links never use the first {name} word, counted from 0: check whether they "
                "count from 0 or 1",
                file=sys.stderr,
            )
