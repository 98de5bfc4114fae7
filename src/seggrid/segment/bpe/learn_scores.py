"""Scores of pairs in learning; see `learn`."""

from __future__ import annotations

from math import inf, log2

from seggrid.base.compiled import njit
from seggrid.segment.bpe.learn_records import Array

LIKELIHOOD, MUTUAL_INFORMATION, DESCRIPTION_LENGTH_GAIN, FREQUENCY_LENGTH = 1, 2, 3, 4
"""Places in `model.SCORINGS`; 0 is the count itself."""


@njit
def score_of(pairs: Array, pair: int, symbols: Array, total: int, scoring: int) -> float:
    count = pairs[pair].count
    if scoring == 0:
        return float(count)
    left, right = pairs[pair].left, pairs[pair].right
    if scoring == FREQUENCY_LENGTH:
        return float(count) * float(max(symbols[left].letters + symbols[right].letters - 1, 0))
    f_left, f_right = symbols[left].frequency, symbols[right].frequency
    if scoring == LIKELIHOOD:
        return count / (float(f_left) * float(f_right))
    if scoring == MUTUAL_INFORMATION:
        return count * log2(float(total) * float(count) / (float(f_left) * float(f_right)))
    return description_length_gain(count, f_left, f_right, left == right, total)


@njit
def description_length_gain(count: int, f_left: int, f_right: int, same: bool, total: int) -> float:
    """Bits saved by a merge (Kit and Wilks 1999, equations 1 to 3).

    A corpus X of T symbols, in which x occurs f(x) times, takes DL(X) = -sum of f(x) log2(f(x) / T) bits. The
    merge r of a and b gains DL(X) - DL(X'), where X' is X with r in place of its n occurrences of `a b`,
    followed by one copy of `a b`, which defines r. X' has T - n + 2 symbols: r occurs n times, a
    f(a) - n + 1 times and b f(b) - n + 1 times. All other terms of the sums cancel.

    Args:
        count: how often b follows a. n is this number; if a is b, occurrences may overlap, and n is at most
            half of f(a).
        f_left, f_right: f(a) and f(b).
        same: whether a is b.
        total: T.

    Returns:
        The gain in bits; -inf if n is 1, since the merge then only lengthens the corpus.
    """
    n = min(count, f_left // 2) if same else count
    if n < 2:
        return -inf
    gain = _bits(total) - _bits(total - n + 2) + _bits(n)
    if same:
        return gain - _bits(f_left) + _bits(f_left - 2 * n + 2)
    return gain - _bits(f_left) + _bits(f_left - n + 1) - _bits(f_right) + _bits(f_right - n + 1)


@njit
def _bits(n: int) -> float:
    return n * log2(float(n))
