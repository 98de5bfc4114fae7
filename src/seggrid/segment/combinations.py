"""Values of axes that cannot be combined in one segmentation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from seggrid.errors import InputError

if TYPE_CHECKING:
    from seggrid.segment.side import Side

_LEAVE_OUT = "leave one of the two out"


def refused(side: Side, *, removes: bool = False) -> Iterator[tuple[str, str, str]]:
    """The axes whose values do not go with the others: the axis, what is wrong with it, and a hint.

    Args:
        side: the segmentation.
        removes: whether its model has removals, even if the side does not say so.
    """
    if removes or side.removal not in (None, "none"):
        for axis, why in _beside_removal(side):
            yield axis, f"beside removal: {why}", _LEAVE_OUT
    if side.balance == "parity":
        if not side.joint:
            yield "balance", "parity is between the two texts of a joint model", "add joint: yes"
        if side.scoring not in (None, "frequency"):
            yield "scoring", "beside parity, which counts frequencies", _LEAVE_OUT
        if side.removal not in (None, "none"):
            yield "balance", "beside removal, which is defined for one text", _LEAVE_OUT


def _beside_removal(side: Side) -> Iterator[tuple[str, str]]:
    if side.scoring not in (None, "frequency"):
        yield "scoring", "removals are defined for frequency"
    if side.knockout not in (None, "none"):
        yield "knockout", "a list of merges alone can be pruned"
    if side.application in ("replace", "longest"):
        yield "application", f"removals are replayed in order, not by {side.application}"
    if side.dropout:
        yield "dropout", "a removal does not say what to do after a dropped merge"


def refuse(side: Side, *, removes: bool = False) -> None:
    """Refuse the first axis that `refused` names.

    Raises:
        InputError: there is one.
    """
    for axis, message, hint in refused(side, removes=removes):
        raise InputError(f"{axis} {message}", hint=hint)
