"""The values of the axis `removal`: thresholds of PickyBPE."""

from __future__ import annotations

from fractions import Fraction

from seggrid.base.rational import read_rational, spell_rational
from seggrid.errors import InputError


def parse_removal(text: object) -> Fraction | None:
    """The threshold in a value; None for `none`.

    Raises:
        InputError: it is neither `none` nor a number between 0 and 1 of at most six decimals.

    >>> parse_removal("0.90"), parse_removal("none")
    (Fraction(9, 10), None)
    """
    if text == "none":
        return None
    hint = "give a number between 0 and 1 of at most six decimals, such as 0.9"
    if isinstance(text, bool) or not isinstance(text, str | int | float):
        raise InputError(f"{text!r} is not a removal", hint=hint)
    try:
        threshold = read_rational(text)
    except InputError as error:
        raise InputError(f"{text!r} is not a removal", hint=hint) from error
    if not 0 < threshold < 1 or (threshold * 10**6).denominator != 1:
        raise InputError(f"a removal of {text}", hint=hint)
    return threshold


def canonical_removal(text: object) -> str:
    """The canonical spelling of a value, on which paths depend.

    Raises:
        InputError: see `parse_removal`.

    >>> canonical_removal(0.9)
    '0.9'
    """
    threshold = parse_removal(text)
    return "none" if threshold is None else spell_rational(threshold)
