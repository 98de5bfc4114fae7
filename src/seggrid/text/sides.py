"""The two sides of a language pair."""

from __future__ import annotations

from typing import Literal, get_args

SideName = Literal["source", "target"]

SIDES: tuple[SideName, SideName] = get_args(SideName)


BOTH = "both"
"""Stands for a side in names of things that belong to both sides."""


def other_side(side: str) -> SideName:
    """The other side of the pair.

    >>> other_side("source")
    'target'
    """
    return SIDES[0] if side == SIDES[1] else SIDES[1]
