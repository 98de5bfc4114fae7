"""`seggrid symmetrize`, `remap` and `filter`, `score` and `show`: what is made of links; how good they are,
in numbers and in a browser."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import get_args

import numpy as np

from seggrid.align.symmetrize import symmetrize
from seggrid.base.compressed import write_text
from seggrid.base.errors import InputError, note
from seggrid.base.lines import LARGEST_TEXT, read_lines
from seggrid.commands.options import (
    add_axis,
    add_input,
    add_links_notation,
    add_output,
    add_pair,
    add_pair_format,
    add_seed,
    add_written,
    read_links_of,
    read_pair,
    share,
    whole_number,
    write_lines,
)
from seggrid.commands.scoring import filter_pairs, gold_in, known_by_ids, read_scores, score_links
from seggrid.commands.texts import words_in
from seggrid.grid.axes import CELL_AXES
from seggrid.grid.report import links as page
from seggrid.score.metrics import METRICS, hits_if_turned
from seggrid.score.signature import signature
from seggrid.text.gold import Gold
from seggrid.text.link_files import Known, Notation
from seggrid.text.link_formats import GoldFormat
from seggrid.text.links import Links
from seggrid.text.pair import pair_format
from seggrid.text.remap import remap
from seggrid.text.sides import SIDES
from seggrid.text.text_files import EmptyLines
from seggrid.text.words import Words


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


def add_show(parser: argparse.ArgumentParser) -> None:
    """Add the options: links, texts, gold, output."""
    add_input(parser, "links", help="the links, such as Pharaoh lines")
    add_links_notation(parser)
    add_pair(parser, aligned=False)
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
    # Links are of a text that was aligned, perhaps without its control characters.
    parser.set_defaults(control_characters="drop")


def run_show(arguments: argparse.Namespace) -> None:
    """Read and write."""
    arguments.empty_lines = "skip"
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


_SWAPPED = ("forward", "reverse", "both")


def add_symmetrize(parser: argparse.ArgumentParser) -> None:
    """Add the options: two files of links, their notation, heuristic, output."""
    for way, given in (("forward", "target"), ("reverse", "source")):
        text = f"links with at most one for each {given} token"
        add_input(parser, way, help=text)
    add_links_notation(parser, swapped=False)
    parser.add_argument(
        "--links-swapped",
        choices=_SWAPPED,
        help="which file has the target word first, such as the links of an aligner that was run with "
        "the two texts exchanged",
    )
    axis = CELL_AXES["symmetrization"]
    add_axis(parser, axis)
    parser.set_defaults(symmetrization=axis.default)
    add_output(parser, "the links")


def run_symmetrize(arguments: argparse.Namespace) -> None:
    """Join and write."""
    # There is no text whose ids sentences could have.
    known = Known(numbered=True)
    found = [
        read_links_of(
            getattr(arguments, way),
            arguments,
            known,
            swapped=arguments.links_swapped in (way, "both"),
        )
        for way in _SWAPPED[:2]
    ]
    most = max(len(one.links) for one in found)
    forward, reverse = (
        one.links if one.complete else one.links.spread(np.arange(len(one.links)), most)
        for one in found
    )
    _check_order(arguments, forward, reverse)
    write_lines(arguments.output, symmetrize(forward, reverse, arguments.symmetrization).lines())


def _check_order(arguments: argparse.Namespace, forward: Links, reverse: Links) -> None:
    """Refuse links of which one file seems to have the target word first, and remark on tokens with several
    links.

    Both directions link many of the same tokens: if they have more links in common once one of them is turned
    around, one is in the wrong order. That a token has several links is no mistake by itself, since a word
    may consist of several tokens.
    """
    if len(forward) != len(reverse):
        raise InputError(
            f"{len(reverse):,} lines of links, but {arguments.forward} has {len(forward):,}",
            file=arguments.reverse,
            hint="give both directions of the same text",
        )
    common, if_turned = hits_if_turned(reverse, forward)
    if if_turned > common:
        raise InputError(
            f"{common:,} links in common with {arguments.forward}, and {if_turned:,} if one of the two has "
            "the target word first",
            file=arguments.reverse,
            hint=f"--links-swapped {_SWAPPED[1]} if it is this one, else {_SWAPPED[0]}",
        )
    for file, links, side in ((arguments.forward, forward, 1), (arguments.reverse, reverse, 0)):
        places = np.column_stack([links.sentence_of, links.pairs[:, side]])
        further = len(places) - len(np.unique(places, axis=0))
        if further:
            what = f"links of a {SIDES[side]} word that has another, as words of several tokens may have"
            note([f"{file}: {further:,} {what}"])


def add_remap(parser: argparse.ArgumentParser) -> None:
    """Add the options: links, texts in both tokenizations, output."""
    add_input(parser, "links", help="the links, such as Pharaoh lines, `i-j i-j ...` from 0")
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


def run_remap(arguments: argparse.Namespace) -> None:
    """Map and write."""
    sides = []
    for old, new in (arguments.source, arguments.target):
        sides.append((words_in(old, tokens=True), words_in(new, tokens=True)))
        _check_same_length(new, sides[-1][1], old, sides[-1][0])
    source, target = sides[0][0], sides[1][0]
    _check_same_length(arguments.target[0], target, arguments.source[0], source)
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


def _check_same_length(file: str, text: Words, other: str, lines: Words) -> None:
    """Refuse two files with the same text that differ in their number of lines."""
    if len(text) != len(lines):
        raise InputError(
            f"{len(text):,} lines, but {other} has {len(lines):,}",
            file=file,
            hint="line k of both must be the same sentence",
        )


def add_filter(parser: argparse.ArgumentParser) -> None:
    """Add the options: texts, their links and scores, rules, outputs."""
    add_pair(parser, aligned=False)
    group = parser.add_argument_group("what is known of the sentence pairs")
    add_input(group, "--links", help="their links, for --unaligned")
    add_links_notation(group)
    add_input(group, "--scores", help="what align --scores wrote, for --least-score")
    group = parser.add_argument_group(
        "rules",
        "A sentence pair with an empty side, or with what no text may hold, is always dropped.",
    )
    group.add_argument(
        "--shortest",
        type=whole_number(1),
        default=1,
        metavar="N",
        help="smallest number of words of a side",
    )
    group.add_argument(
        "--longest", type=whole_number(1), metavar="N", help="largest number of words of a side"
    )
    group.add_argument(
        "--ratio",
        type=float,
        metavar="R",
        help="largest ratio of the longer to the shorter side in words, such as 3; at least 1",
    )
    group.add_argument(
        "--unaligned",
        type=share,
        metavar="P",
        help="largest share of the words of both sides that have no link, such as 0.5",
    )
    group.add_argument(
        "--least-score",
        type=float,
        metavar="S",
        help="smallest log-probability per word, in the worse direction, such as -16",
    )
    add_output(
        parser,
        "the pairs that are kept, `source ||| target`, or with a tab if the name ends in .tsv",
    )
    add_written(parser, "--outputs", nargs=2, help="in place of --output, a file for each side")


def run_filter(arguments: argparse.Namespace) -> None:
    """Filter, write, and say how many pairs each rule dropped."""
    if arguments.output and arguments.outputs:
        raise InputError("--output together with --outputs", hint="leave one of the two out")
    pair = read_pair(arguments.texts, arguments, tokens=True, bad_lines="drop")
    rules = ("shortest", "longest", "ratio", "unaligned", "least_score")
    found = filter_pairs(
        pair.source,
        pair.target,
        malformed=pair.bad,
        links=arguments.links and read_links_of(arguments.links, arguments, pair.known).links,
        scores=arguments.scores and read_scores(arguments.scores),
        **{rule: getattr(arguments, rule) for rule in rules},
    )
    source, target = (
        [" ".join(words) for words, kept in zip(side, found.kept, strict=True) if kept]
        for side in (pair.source, pair.target)
    )
    if arguments.outputs:
        for file, lines in zip(arguments.outputs, (source, target), strict=True):
            write_lines(file, lines)
    else:
        between = "\t" if pair_format(arguments.output or "") == "columns" else " ||| "
        both = zip(source, target, strict=True)
        write_lines(arguments.output, (between.join(lines) for lines in both))
    note([repr(found)])
