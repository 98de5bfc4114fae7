"""Select a part of the lines of a text.

Sentence pairs with an empty side may be skipped, with their gold. Of the rest, a certain number of lines may
be kept, in the order of the text: all lines with gold, so that texts of all sizes are scored on the same
sentences, and the first of the others. So a smaller selection is contained in every larger one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from seggrid.base.errors import InputError

Lines = NDArray[np.int64]


def select_lines(gold: Lines, lines: int, sentences: int) -> Lines:
    """The zero-based numbers of the lines that are kept, ascending, int64, shape (sentences,), of a text
    with so many `lines`, of which those in `gold` have gold.

    >>> select_lines(np.array([1, 4]), lines=6, sentences=4).tolist()
    [0, 1, 2, 4]
    """
    check_sentences(len(gold), lines, sentences)
    kept = np.zeros(lines, dtype=np.bool_)
    kept[gold] = True
    others = np.flatnonzero(~kept)
    kept[others[: sentences - len(gold)]] = True
    return np.flatnonzero(kept)


def gold_places(gold: Lines, sentences: int | None) -> Lines:
    """The indices of the lines with gold among the so many `sentences` that `select_lines` keeps (None: all),
    int64, shape (G,).

    >>> gold_places(np.array([1, 4]), sentences=4).tolist()
    [1, 3]
    """
    if sentences is None:
        return gold
    with_gold_before = np.arange(len(gold))
    places: Lines = with_gold_before + np.minimum(gold - with_gold_before, sentences - len(gold))
    return places


def check_sentences(gold: int, lines: int, sentences: int) -> None:
    """Refuse to cut a text with so many `lines`, of which `gold` have gold, to fewer or more `sentences`."""
    if sentences < gold:
        raise InputError(
            f"{sentences:,} sentences are to be kept, but {gold:,} have gold",
            hint=f"set sentences to {gold} or more: those with gold are always kept",
        )
    if sentences > lines:
        raise InputError(
            f"{sentences:,} sentences are to be kept, but the text has {lines:,}",
            hint=f"set sentences to {lines} or less, or to all",
        )


def slices(lines: int, size: int) -> list[tuple[int, int]]:
    """The slices of `size` lines into which a text is cut, each from its first line to its last, counted
    from 0; the last may have fewer lines.

    >>> slices(5, 2)
    [(0, 1), (2, 3), (4, 4)]
    """
    return [(first, min(first + size, lines) - 1) for first in range(0, lines, size)]


def draw_lines(lines: int, size: int, seed: int) -> Lines:
    """The zero-based numbers of `size` lines drawn at random, ascending, int64; of all lines, if there are no
    more.

    >>> draw_lines(3, 5, seed=1).tolist()
    [0, 1, 2]
    """
    return np.sort(np.random.default_rng(seed).permutation(lines)[:size])


def laid_out(lines: Iterable[str], kept: Sequence[bool] | NDArray[np.bool_]) -> Iterator[str]:
    """The lines of the sentence pairs that were kept, one each, with an empty line for each pair that was
    not; further lines are ignored.

    >>> list(laid_out(["a", "b", "training"], [True, False, True]))
    ['a', '', 'b']
    """
    rest = iter(lines)
    for present in kept:
        yield next(rest) if present else ""
