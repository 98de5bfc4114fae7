"""Names of evaluations, and of columns that several tables of boundary scores have."""

from __future__ import annotations

import re
from fractions import Fraction

from seggrid.base.errors import InputError
from seggrid.base.rational import spell_rational
from seggrid.segment.variants import NUMBER

SUMS = ("true_positives", "predicted", "positives", "tests")
"""Sums over entries."""

_HOLDOUT = re.compile(rf"holdout-({NUMBER})", re.ASCII)


def parse_evaluation(text: str) -> Fraction | None:
    """Parse the name of an evaluation: None for `full`, all entries of the reference; for `holdout-r`, the
    exact share r of entries by which merges are blamed, above 0 and below 1.

    >>> parse_evaluation("full"), parse_evaluation("holdout-0.50")
    (None, Fraction(1, 2))
    """
    if text == "full":
        return None
    match = _HOLDOUT.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        hint = "full, or such as holdout-0.5"
        raise InputError(f"{text!r} is not an evaluation", hint=hint)
    share = Fraction(match[1])
    if not 0 < share < 1:
        raise InputError(
            f"evaluation {text}: {match[1]} is not above 0 and below 1",
            hint="give the share of entries by which merges are blamed, such as holdout-0.5",
        )
    return share


def canonical_evaluation(text: str) -> str:
    """The canonical name of an evaluation.

    >>> canonical_evaluation("full"), canonical_evaluation("holdout-0.50")
    ('full', 'holdout-0.5')
    """
    share = parse_evaluation(text)
    return "full" if share is None else f"holdout-{spell_rational(share)}"
