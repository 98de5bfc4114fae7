"""The values of the axis `supermerges`: after how many merges words are joined."""

from __future__ import annotations

from seggrid.errors import InputError

BOUNDLESS = "boundless"
MOST = 10_000_000
"""The greatest number of merges."""


def parse_supermerges(value: object) -> int | str | None:
    """The number of merges within words before those across words, `BOUNDLESS`, or None for `none`.

    Raises:
        InputError: the value is none of these.

    >>> parse_supermerges("400"), parse_supermerges("boundless"), parse_supermerges("none")
    (400, 'boundless', None)
    """
    if value in ("none", BOUNDLESS):
        return None if value == "none" else BOUNDLESS
    text = "" if isinstance(value, bool) else str(value)
    if not (text.isascii() and text.isdigit() and int(text[:9]) <= MOST and len(text) < 9):
        raise InputError(
            f"{value!r} is no value of supermerges",
            hint=f"give none, {BOUNDLESS}, or the number of merges within words, up to {MOST:,}",
        )
    return int(text)


def canonical_supermerges(value: object) -> str:
    """The canonical spelling of a value, on which paths depend.

    Raises:
        InputError: see `parse_supermerges`.

    >>> canonical_supermerges("0400")
    '400'
    """
    parsed = parse_supermerges(value)
    return "none" if parsed is None else str(parsed)
