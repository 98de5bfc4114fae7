"""The compiled part of learning merges: exact counts of pairs, updated where a merge occurs.

The text is one flat array of cells, one for each character. A symbol of n characters has n cells. Its first
and last cell hold its number, so that both neighbors of a symbol are found in constant time; the cells
between are not read. -1 stands before, between and after units. The first cell also holds the number of the
pair that the symbol forms with the next one.

Each pair has an ascending list of the cells at which it occurred when it first appeared. Lists are not
updated, since the cells show which occurrences are gone. A pair first appears in the step that makes one of
its symbols, and no string is the product of two merges (Bauwens and Delobelle 2024, appendix A.1). So its
count never rises afterwards, and a pair that is too rare when it first appears is never merged: all such
pairs share the number 0 and have no list.

The queue is a heap of pairs, ordered by keys that are upper bounds of their scores. While the first pair's
key differs from its score, the key is lowered to the score. In the end the first pair is the best one, though
few keys were made exact.
"""

from __future__ import annotations

from math import inf
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seggrid.base.compiled import njit
from seggrid.data.boundary import BOUNDARY
from seggrid.segment.bpe.learn_pairs import (
    CELL,
    OCCURRENCE,
    SYMBOL,
    Array,
    compacted,
    count_pairs,
    grown,
    merge_everywhere,
    settle,
)
from seggrid.segment.bpe.learn_queue import (
    FREQUENCY_LENGTH,
    enqueue,
    raise_keys,
    remove_first,
    score_of,
    sift_down,
)

_BOUNDARY = ord(BOUNDARY)


class Learned(NamedTuple):
    """What learning found; symbol A + m is the product of merge m."""

    left: Any  # the left symbol of each merge, int32, shape (M,)
    right: Any  # the right symbol of each merge, int32, shape (M,)
    frequencies: Any  # occurrences of each symbol after all merges, int64, shape (A + M,)


@njit
def learn_merges(
    initial: NDArray[np.int32],
    weights: NDArray[np.int64],
    alphabet: NDArray[np.uint32],
    offsets: NDArray[np.int64],
    merges: int,
    min_frequency: int,
    scoring: int,
) -> Learned:
    """Learn merges, the highest score first.

    Args:
        initial: the text in initial symbols, with -1 before, between and after units, shape (C,).
        weights: weight of each cell, how often its unit occurs, shape (C,); (1,) if all have the same weight.
        alphabet: the texts of the initial symbols as code points, one after another.
        offsets: where the text of each initial symbol begins, shape (A + 1,).
        scoring: 0 for the count itself, or one of the constants of `learn_queue`.
    """
    stride = 0 if len(weights) == 1 else 1
    n_alphabet = len(offsets) - 1
    n_symbols = n_alphabet + merges
    learned_left = np.empty(merges, dtype=np.int32)
    learned_right = np.empty(merges, dtype=np.int32)
    cells = np.empty(len(initial), dtype=CELL)
    symbols, texts = initial_symbols(initial, weights, stride, alphabet, offsets, merges, cells)
    total = 0
    for symbol in range(n_alphabet):
        total += symbols[symbol].frequency
    pairs, used, places, listed = count_pairs(
        cells, weights, stride, symbols, n_alphabet, min_frequency
    )
    with_left = np.zeros(n_symbols, dtype=np.int32)
    with_right = np.zeros(n_symbols, dtype=np.int32)
    queue = np.empty(used, dtype=np.int32)
    queued = enqueue(
        1, used, queue, 0, pairs, symbols, texts, total, scoring, with_left, with_right
    )
    before_new = np.zeros(n_symbols, dtype=np.int32)
    after_new = np.zeros(n_symbols, dtype=np.int32)
    made = np.empty(0, dtype=OCCURRENCE)
    learned = 0
    while learned < merges and queued > 0:
        best = queue[0]
        left, right = pairs[best].left, pairs[best].right
        if pairs[best].count < min_frequency:
            queued = remove_first(queue, queued, pairs, symbols, texts)
            continue
        score = score_of(pairs, best, symbols, total, scoring)
        if score != pairs[best].key:
            pairs[best].key = score
            sift_down(queue, queued, 0, pairs, symbols, texts)
            continue
        if score == -inf:
            break
        queued = remove_first(queue, queued, pairs, symbols, texts)
        learned_left[learned], learned_right[learned] = left, right
        new = n_alphabet + learned
        learned += 1
        texts = add_symbol(new, left, right, symbols, texts)

        room = 2 * pairs[best].size
        if room > len(made):
            made = np.empty(2 * room, dtype=OCCURRENCE)
        if used + room > len(pairs):
            pairs = grown(pairs, used, max(used + room, len(pairs) * 3 // 2))
        if listed + room > len(places):
            places, listed = compacted(places, room, used, pairs, cells, min_frequency)
        n_made, stop = merge_everywhere(
            best, new, used, cells, weights, stride, symbols, pairs, places,
            before_new, after_new, made,
        )  # fmt: skip
        total -= symbols[new].frequency
        stop, listed = settle(
            used, stop, made[:n_made], pairs, cells, places, listed, min_frequency
        )

        if scoring and scoring != FREQUENCY_LENGTH:
            # The count of a pair never rises, but its score may, when one of its symbols becomes rarer.
            for symbol in (left, right):
                raise_keys(
                    symbol, with_left, True, queue, pairs, symbols, texts, total,
                    min_frequency, scoring,
                )  # fmt: skip
                raise_keys(
                    symbol, with_right, False, queue, pairs, symbols, texts, total,
                    min_frequency, scoring,
                )  # fmt: skip
        if queued + stop - used > len(queue):
            queue = grown(queue, queued, 2 * (queued + stop - used))
        queued = enqueue(
            used, stop, queue, queued, pairs, symbols, texts, total, scoring, with_left, with_right
        )
        used = stop
    frequencies = np.empty(n_alphabet + learned, dtype=np.int64)
    for symbol in range(n_alphabet + learned):
        frequencies[symbol] = symbols[symbol].frequency
    return Learned(
        learned_left[:learned],
        learned_right[:learned],
        frequencies,
    )


@njit
def initial_symbols(
    initial: Array,
    weights: Array,
    stride: int,
    alphabet: Array,
    offsets: Array,
    merges: int,
    cells: Array,
) -> tuple[Array, Array]:
    """Fill the cells. Returns the symbols, with room for the products of all merges, and their joined
    texts."""
    n_symbols = len(offsets) - 1
    symbols = np.zeros(n_symbols + merges, dtype=SYMBOL)
    texts = grown(alphabet, len(alphabet), len(alphabet) + 8 * merges)
    for symbol in range(n_symbols):
        symbols[symbol].text = offsets[symbol]
        symbols[symbol].length = offsets[symbol + 1] - offsets[symbol]
        symbols[symbol].cells = 1
        # An initial symbol has one letter; a mark alone has none.
        alone = symbols[symbol].length == 1 and alphabet[offsets[symbol]] == _BOUNDARY
        symbols[symbol].letters = 0 if alone else 1
    for i in range(len(cells)):
        cells[i].symbol = initial[i]
        cells[i].pair = -1
        if initial[i] >= 0:
            symbols[initial[i]].frequency += weights[i * stride]
    return symbols, texts


@njit
def add_symbol(new: int, left: int, right: int, symbols: Array, texts: Array) -> Array:
    """Add the product of two symbols. Returns the texts of all symbols."""
    symbols[new].cells = symbols[left].cells + symbols[right].cells
    symbols[new].length = symbols[left].length + symbols[right].length
    symbols[new].letters = symbols[left].letters + symbols[right].letters
    end = symbols[new - 1].text + symbols[new - 1].length
    symbols[new].text = end
    if end + symbols[new].length > len(texts):
        texts = grown(texts, end, 2 * (end + symbols[new].length))
    for part in (left, right):
        first = symbols[part].text
        for i in range(first, first + symbols[part].length):
            texts[end] = texts[i]
            end += 1
    return texts
