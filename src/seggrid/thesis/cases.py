"""A case: one comparison that a claim is checked on."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Case:
    """One comparison for a claim, and whether it supports the claim.

    Attributes:
        pair: pair of the compared cells, or the tokenizer.
        holds: whether the comparison supports the claim.
        text: the compared scores.
        cells: the two cells, if the comparison is a difference of F1 between two cells of the pair.
        interval: both ends of the interval of the comparison, if it does not follow from two cells.
    """

    pair: str
    holds: bool
    text: str
    cells: tuple[str, str] | None = None
    interval: tuple[float, float] | None = None
