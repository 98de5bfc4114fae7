"""`seggrid symmetrize`: combine the links of two directions, which are two files of links."""

from __future__ import annotations

import argparse

import numpy as np

from seggrid.align.symmetrize import symmetrize
from seggrid.cli.arguments import (
    add_axis,
    add_input,
    add_links_notation,
    add_output,
    read_links_of,
    write_lines,
)
from seggrid.corpus.links import Known
from seggrid.data.links import Links, key_bits
from seggrid.data.sides import SIDES
from seggrid.errors import InputError, note
from seggrid.grid.axes import CELL_AXES

_SWAPPED = ("forward", "reverse", "both")


def add_arguments(parser: argparse.ArgumentParser) -> None:
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


def run(arguments: argparse.Namespace) -> None:
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
