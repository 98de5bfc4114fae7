"""Scores of pairs, and the queue of learning: a heap of pairs by keys that are upper bounds of their scores.

Among pairs with equal keys the one with the larger text comes first. See `learn_kernels`.
"""

from __future__ import annotations

from math import inf, log2

from seggrid.base.compiled import njit
from seggrid.segment.bpe.learn_pairs import Array

LIKELIHOOD, MUTUAL_INFORMATION, DESCRIPTION_LENGTH_GAIN, FREQUENCY_LENGTH = 1, 2, 3, 4
"""Indices in `model.SCORINGS`; 0, frequency, is the count itself."""


@njit
def score_of(pairs: Array, pair: int, symbols: Array, total: int, scoring: int) -> float:
    """The score of a pair at this step."""
    count = pairs[pair].count
    if scoring == 0:
        return float(count)
    left, right = pairs[pair].left, pairs[pair].right
    if scoring == FREQUENCY_LENGTH:
        return float(count) * float(max(symbols[left].letters + symbols[right].letters - 1, 0))
    f_left, f_right = symbols[left].frequency, symbols[right].frequency
    if scoring == LIKELIHOOD:
        return float(count) / (float(f_left) * float(f_right))
    if scoring == MUTUAL_INFORMATION:
        return float(count) * log2(float(total) * float(count) / (float(f_left) * float(f_right)))
    return float(description_length_gain(count, f_left, f_right, left == right, total))


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
    gain: float = _bits(total) - _bits(total - n + 2) + _bits(n)
    if same:
        gain = gain - _bits(f_left) + _bits(f_left - 2 * n + 2)
    else:
        gain = (
            gain - _bits(f_left) + _bits(f_left - n + 1) - _bits(f_right) + _bits(f_right - n + 1)
        )
    return gain


@njit
def _bits(n: int) -> float:
    return n * log2(float(n))


@njit
def enqueue(
    first: int, stop: int, queue: Array, queued: int, pairs: Array, symbols: Array, texts: Array,
    total: int, scoring: int, with_left: Array, with_right: Array,
) -> int:  # fmt: skip
    """Put the pairs from `first` to before `stop` in the queue, which has space; return its new length."""
    for pair in range(first, stop):
        pairs[pair].key = score_of(pairs, pair, symbols, total, scoring)
        queue[queued] = pair
        sift_up(queue, queued, pairs, symbols, texts)
        queued += 1
        if scoring:
            left, right = pairs[pair].left, pairs[pair].right
            pairs[pair].next_left, with_left[left] = with_left[left], pair
            pairs[pair].next_right, with_right[right] = with_right[right], pair
    return queued


@njit
def remove_first(queue: Array, queued: int, pairs: Array, symbols: Array, texts: Array) -> int:
    """Remove the first pair of the queue; return its new length."""
    queued -= 1
    if queued:
        queue[0] = queue[queued]
        sift_down(queue, queued, 0, pairs, symbols, texts)
    return queued


@njit
def sift_up(queue: Array, slot: int, pairs: Array, symbols: Array, texts: Array) -> None:
    pair = queue[slot]
    rises = slot > 0
    while rises:
        parent = (slot - 1) // 2
        rises = _precedes(pair, queue[parent], pairs, symbols, texts)
        if rises:
            queue[slot] = queue[parent]
            pairs[queue[slot]].slot = slot
            slot = parent
            rises = slot > 0
    queue[slot] = pair
    pairs[pair].slot = slot


@njit
def sift_down(
    queue: Array, queued: int, slot: int, pairs: Array, symbols: Array, texts: Array
) -> None:
    pair = queue[slot]
    sinks = True
    while sinks:
        best, to = pair, slot
        for child in range(2 * slot + 1, min(2 * slot + 3, queued)):
            if _precedes(queue[child], best, pairs, symbols, texts):
                best, to = queue[child], child
        queue[slot] = best
        pairs[best].slot = slot
        sinks = to != slot
        slot = to


@njit
def _precedes(pair: int, other: int, pairs: Array, symbols: Array, texts: Array) -> bool:
    """Whether a pair comes before another in the queue: by key, then by text, the larger first."""
    order = pairs[pair].key - pairs[other].key
    side = 0
    while order == 0 and side < 2:
        one = pairs[pair].right if side else pairs[pair].left
        two = pairs[other].right if side else pairs[other].left
        i, j = symbols[one].text, symbols[two].text
        end = i + min(symbols[one].length, symbols[two].length)
        while i < end and texts[i] == texts[j]:
            i += 1
            j += 1
        if i < end:
            order = float(texts[i]) - float(texts[j])
        else:
            order = float(symbols[one].length - symbols[two].length)
        side += 1
    return bool(order > 0)


@njit
def raise_keys(
    symbol: int, heads: Array, on_left: bool, queue: Array, pairs: Array, symbols: Array,
    texts: Array, total: int, min_frequency: int, scoring: int,
) -> None:  # fmt: skip
    """Raise the keys of a symbol's pairs to their scores, and unlink pairs that have become too rare.

    The pairs with the symbol on one side are a linked list: `heads` holds the first, each pair the next one.
    """
    previous = 0
    pair = heads[symbol]
    while pair:
        following = pairs[pair].next_left if on_left else pairs[pair].next_right
        if pairs[pair].count >= min_frequency:
            previous = pair
            score = score_of(pairs, pair, symbols, total, scoring)
            if score > pairs[pair].key:
                pairs[pair].key = score
                sift_up(queue, pairs[pair].slot, pairs, symbols, texts)
        elif previous == 0:
            heads[symbol] = following
        elif on_left:
            pairs[previous].next_left = following
        else:
            pairs[previous].next_right = following
        pair = following
