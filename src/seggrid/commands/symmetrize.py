"""`seggrid symmetrize`: join the links of two directions."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np

from seggrid.align.symmetrize import combine_directions as join
from seggrid.base.errors import InputError, note
from seggrid.base.parameters import COMPRESSED, Help, InputFile, Output, checked
from seggrid.commands.options import write_output_lines
from seggrid.commands.scoring import AnyLinks, links_in
from seggrid.grid.axes import CELL_AXES
from seggrid.score.metrics import hits_if_turned
from seggrid.text.link_notation import Known
from seggrid.text.links import Links
from seggrid.text.parameters import LinksWritten
from seggrid.text.sides import SIDES

_AXIS = CELL_AXES["symmetrization"]
Symmetrization = Annotated[str, _AXIS]
_DEFAULT = str(_AXIS.default)

_KNOWN = Known(numbered=True)
"""There is no text whose ids sentences could have."""


@checked
def symmetrize(
    forward: AnyLinks, reverse: AnyLinks, symmetrization: Symmetrization = _DEFAULT
) -> Links:
    """Join the links of two directions, as `seggrid symmetrize` does.

    Args:
        forward: links of S sentence pairs, as for `seggrid.score`, with at most one for each target token.
        reverse: links of the same sentence pairs with at most one for each source token.
        symmetrization: the heuristic, see `seggrid.align.symmetrize.combine_directions`.

    Raises:
        InputError: the two are of different numbers of sentences, or one has the target word first.

    >>> symmetrize(["0-0 1-0"], ["0-0 1-1"], "intersect").lines()
    ['0-0']
    """
    given = [links_in(forward, _KNOWN, "forward"), links_in(reverse, _KNOWN, "reverse")]
    note(remark for found in given for remark in found.remarks)
    most = max(len(found.links) for found in given)
    ahead, back = (
        found.links if found.complete else found.links.spread(np.arange(len(found.links)), most)
        for found in given
    )
    _check_order(ahead, back, *(found.file for found in given))
    return join(ahead, back, symmetrization)


def command(
    forward: Annotated[InputFile, Help("links with at most one for each target token")],
    reverse: Annotated[InputFile, Help("links with at most one for each source token")],
    /,
    *,
    written: LinksWritten,
    swapped: Annotated[
        Literal["forward", "reverse", "both"] | None,
        Help(
            "which file has the target word first, such as the links of an aligner that was run with the two "
            "texts exchanged",
            ("--links-swapped",),
        ),
    ] = None,
    symmetrization: Symmetrization = _DEFAULT,
    output: Annotated[Output | None, Help(f"the links{COMPRESSED}")] = None,
) -> None:
    """Read, join and write."""
    ahead, back = (
        written.read(file, _KNOWN, swapped=swapped in (way, "both"))
        for file, way in ((forward, "forward"), (reverse, "reverse"))
    )
    write_output_lines(output, symmetrize(ahead, back, symmetrization).each_line())


def _check_order(forward: Links, reverse: Links, ahead: str, back: str) -> None:
    """Refuse links of which one file seems to have the target word first, and remark on tokens with several
    links; `ahead` and `back` are the names of both.

    Both directions link many of the same tokens: if they have more links in common once one of them is turned
    around, one is in the wrong order. That a token has several links is no mistake by itself, since a word
    may consist of several tokens.
    """
    if len(forward) != len(reverse):
        raise InputError(
            f"{len(reverse):,} lines of links, but {ahead} has {len(forward):,}",
            file=back,
            hint="give both directions of the same text",
        )
    common, if_turned = hits_if_turned(reverse, forward)
    if if_turned > common:
        raise InputError(
            f"{common:,} links in common with {ahead}, and {if_turned:,} if one of the two has "
            "the target word first",
            file=back,
            hint="--links-swapped reverse if it is this one, else forward",
        )
    for file, links, side in ((ahead, forward, 1), (back, reverse, 0)):
        places = np.column_stack([links.sentence_of, links.pairs[:, side]])
        further = len(places) - len(np.unique(places, axis=0))
        if further:
            what = f"links of a {SIDES[side]} word that has another, as words of several tokens may have"
            note([f"{file}: {further:,} {what}"])
