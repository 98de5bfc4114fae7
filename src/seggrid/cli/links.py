"""`seggrid symmetrize`, `remap` and `filter`: what is made of links."""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

from seggrid.align.symmetrize import symmetrize
from seggrid.api.filtering import filter_pairs, read_scores
from seggrid.api.texts import words_in
from seggrid.base.lines import LARGEST_TEXT, read_lines
from seggrid.cli.arguments import (
    PairOfTexts,
    add_axis,
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
from seggrid.corpus.links import Known
from seggrid.corpus.pair import pair_format
from seggrid.data.links import Links, key_bits
from seggrid.data.remap import remap
from seggrid.data.sides import SIDES
from seggrid.data.words import Words
from seggrid.errors import InputError, note
from seggrid.grid.axes import CELL_AXES

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
    turned = Links.from_sets([(j, i) for i, j in reverse.sentence(k)] for k in range(len(reverse)))
    common, if_turned = (_common(forward, other) for other in (reverse, turned))
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


def _common(one: Links, other: Links) -> int:
    """The number of links in both of two sets."""
    bits = key_bits([one, other])
    return len(np.intersect1d(one.keys(bits), other.keys(bits), assume_unique=True))


def add_remap(parser: argparse.ArgumentParser) -> None:
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
    add_pair(parser, training=False, empty_lines=False)
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
    add_written(
        parser,
        "--rules",
        help="write for each sentence pair of the text the rule that dropped it, or an empty line",
    )


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
        **_known_of_pairs(arguments, pair),
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
    if arguments.rules:
        write_lines(arguments.rules, found.rules)
    note([repr(found)])


def _known_of_pairs(arguments: argparse.Namespace, pair: PairOfTexts) -> dict[str, Any]:
    """The links and scores that the rules need."""
    options: dict[str, Any] = {}
    if arguments.links:
        options["links"] = read_links_of(arguments.links, arguments, pair.known).links
    if arguments.scores:
        lines = read_lines(arguments.scores, limit=LARGEST_TEXT)
        options["scores"] = read_scores(lines, arguments.scores)
    return options
