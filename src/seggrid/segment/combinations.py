"""Values of axes that cannot be combined in one segmentation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from seggrid.errors import InputError

if TYPE_CHECKING:
    from seggrid.segment.side import Side

_LEAVE_OUT = "leave one of the two out"


def refused(side: Side, model: str | None = None) -> Iterator[tuple[str, str, str]]:
    """The axes whose values cannot be combined with others: for each, its name, what is wrong, and a hint.

    Args:
        side: the segmentation.
        model: `"removal"` or `"supermerges"` if the model was learned with this axis, even if the side does
            not say so.
    """
    if model == "removal" or side.removal not in (None, "none"):
        for axis, why in _beside_removal(side):
            yield axis, f"together with removal: {why}", _LEAVE_OUT
    if model == "supermerges" or side.supermerges not in (None, "none"):
        for axis, why in _beside_supermerges(side):
            yield axis, f"together with supermerges: {why}", _LEAVE_OUT
    if side.balance == "parity":
        if not side.joint:
            yield "balance", "parity is between the two texts of a joint model", "add joint: yes"
        if side.scoring not in (None, "frequency"):
            yield "scoring", "together with parity, which counts frequencies", _LEAVE_OUT
        if side.removal not in (None, "none"):
            yield "balance", "together with removal, which is defined for one text", _LEAVE_OUT


def _beside_removal(side: Side) -> Iterator[tuple[str, str]]:
    if side.scoring not in (None, "frequency"):
        yield "scoring", "removals are defined for frequency"
    if side.knockout not in (None, "none"):
        yield "knockout", "a list of merges alone can be pruned"
    if side.application in ("replace", "longest"):
        yield "application", f"removals are replayed in order, not by {side.application}"
    if side.dropout:
        yield "dropout", "a removal does not say what to do after a dropped merge"


def _beside_supermerges(side: Side) -> Iterator[tuple[str, str]]:
    if side.spaces not in (None, True):
        yield "spaces", "their first merges stay within words, which must be seen"
    if side.scoring not in (None, "frequency"):
        yield "scoring", "merges across words are defined for frequency"
    if side.removal not in (None, "none"):
        yield "removal", "merges across words are never removed"
    if side.balance not in (None, "frequency"):
        yield "balance", "merges across words are defined for one text"
    if side.knockout not in (None, "none"):
        yield "knockout", "only merges within words can be pruned"
    if side.application not in (None, "rank"):
        yield "application", f"words come before sentences, which {side.application} does not tell"
    if side.dropout:
        yield "dropout", "it is defined for merges of one unit, words or sentences"


def refuse(side: Side, model: str | None = None) -> None:
    """Refuse the first axis that `refused` names.

    Raises:
        InputError: there is one.
    """
    for axis, message, hint in refused(side, model):
        raise InputError(f"{axis} {message}", hint=hint)
