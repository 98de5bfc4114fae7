"""Exact rates and thresholds.

A threshold of 1/3 of nine samples is three samples, but the nearest binary fraction, or six digits of it,
is not. So rates and thresholds are fractions from the config to the comparison. Each has one spelling: the
shortest decimal if there is one, otherwise `p/q` in lowest terms.
"""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from seggrid.base.errors import InputError

# At most twelve digits before and after the point, or the slash, so that a config cannot cause long
# computations.
_DECIMAL = re.compile(r"[+]?(\d{1,12})(\.\d{1,12})?|[+]?\.\d{1,12}", re.ASCII)
_SIGNED = re.compile(r"[+-]?\d{1,3}(\.\d{1,6})?", re.ASCII)
_SCIENTIFIC = re.compile(r"\d{1,17}(\.\d{1,17})?[eE][+-]?\d{1,2}", re.ASCII)
_RATIO = re.compile(r"(\d{1,12})\s*/\s*(\d{1,12})", re.ASCII)


def read_rational(value: object) -> Fraction:
    """Parse a number given by the user, or its text (`0.5`, `5e-1`, `1/3`), exactly. A float is taken as its
    shortest decimal, which is what the user wrote.

    >>> read_rational(0.1), read_rational("2/6"), read_rational("0.50")
    (Fraction(1, 10), Fraction(1, 3), Fraction(1, 2))
    """
    if isinstance(value, Fraction):
        return value
    number = None if isinstance(value, bool) else _from_text(str(value).strip(" "))
    if number is None:
        raise InputError(
            f"{value!r} is not a number of at most 12 digits, 0 or more",
            hint="write it as 0.5 or as 1/3",
        )
    return number


def read_decimal(value: object) -> Fraction:
    """Parse a decimal of either sign with at most three digits before the point and six after it, exactly.

    >>> read_decimal("-0.50"), read_decimal(2)
    (Fraction(-1, 2), Fraction(2, 1))
    """
    if isinstance(value, Fraction):
        return value
    text = "" if isinstance(value, bool) else str(value).strip(" ")
    if not _SIGNED.fullmatch(text):
        raise InputError(
            f"{value!r} is not a decimal of at most six digits", hint="write it as 0.5 or as -0.5"
        )
    return Fraction(text)


# Cached: a grid of 10,000 cells parses a few numbers a hundred thousand times.
@lru_cache(maxsize=1024)
def _from_text(text: str) -> Fraction | None:
    if ratio := _RATIO.fullmatch(text):
        return Fraction(int(ratio[1]), int(ratio[2])) if int(ratio[2]) else None
    if not _DECIMAL.fullmatch(text) and not _SCIENTIFIC.fullmatch(text):
        return None
    number = Fraction(text)
    exact = number < 10**12 and (number * 10**12).denominator == 1
    return number if exact else None


@lru_cache(maxsize=1024)
def spell_rational(number: Fraction) -> str:
    """The canonical spelling of a number.

    >>> spell_rational(Fraction(1, 2)), spell_rational(Fraction(1, 3)), spell_rational(Fraction(-1))
    ('0.5', '1/3', '-1')
    """
    decimal = f"{(Decimal(number.numerator) / number.denominator).normalize():f}"
    is_exact = Fraction(decimal) == number and len(decimal.partition(".")[2]) <= 12
    return decimal if is_exact else str(number)


def read_time(text: str) -> float:
    """Seconds, from text such as `90s`, `30m`, `2h` or `1.5h`.

    >>> read_time("2h"), read_time("1.5m")
    (7200.0, 90.0)
    """
    units = {"s": 1, "m": 60, "h": 3600}
    try:
        seconds = float(text[:-1]) * units[text[-1:]]
    except (KeyError, ValueError):
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise InputError(f"{text!r} is not a time", hint="write 90s, 30m or 2h")
    return seconds
