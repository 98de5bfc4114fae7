"""The compiled part of learning merges: exact counts of pairs, updated where a merge occurs.

The text is one flat array of cells, one for each initial symbol. A symbol of n of them has n cells. Its first
and last cell hold its number, so that both neighbors of a symbol are found in constant time; the cells
between are not read. -1 stands before, between and after units. The first cell also holds the number of the
pair that the symbol forms with the next one.

Each pair has an ascending list of the cells at which it occurred when it first appeared. Lists are not
updated, since the cells show which occurrences are gone. A pair first appears in the step that makes one of
its symbols, and no string is the product of two merges (Bauwens and Delobelle 2024, appendix A.1). So its
count never rises afterwards, and pairs that are too rare when they appear share the number 0, without a list.

The queue is a heap of pairs, ordered by keys that are upper bounds of their counts. While the first pair's
key differs from its count, the key is lowered to the count. In the end the first pair is the most frequent
one, though few keys were made exact. Other scores may rise, and of them the best is looked for in each step.
"""

from __future__ import annotations

from math import inf, log2
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seggrid.base.compiled import grown, njit

LIKELIHOOD, MUTUAL_INFORMATION, DESCRIPTION_LENGTH_GAIN, FREQUENCY_LENGTH = 1, 2, 3, 4
"""Indices in `seggrid.segment.bpe.SCORINGS`; 0, frequency, is the count itself."""

Array = NDArray[Any]
"""An array of the records below, or of numbers."""

# Arrays of records keep fields that are used together adjacent in memory, and pass them as one argument.
CELL = np.dtype(
    [
        ("symbol", np.int32),
        ("pair", np.int32),  # if a symbol begins here, its pair with the next symbol; else -1
    ],
    align=True,
)
SYMBOL = np.dtype(
    [
        ("frequency", np.int64),
        ("text", np.int64),  # where its text begins in the joined texts
        ("length", np.int32),  # length of its text
        ("letters", np.int32),  # characters of its text without marks of words
        ("cells", np.int32),
    ],
    align=True,
)
PAIR = np.dtype(
    [
        ("left", np.int32),
        ("right", np.int32),
        ("count", np.int64),
        ("key", np.float64),  # its score, or an upper bound of its count
        ("start", np.int64),  # where its list of occurrences begins
        ("size", np.int32),  # how long the list is
    ],
    align=True,
)
OCCURRENCE = np.dtype([("cell", np.int32), ("pair", np.int32)], align=True)


@njit
def learn_merges(
    initial: NDArray[np.int32],
    weights: NDArray[np.int64],
    alphabet: NDArray[np.uint32],
    offsets: NDArray[np.int64],
    letters: NDArray[np.int32],
    merges: int,
    min_frequency: int,
    scoring: int,
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Learn merges, the highest score first: the left and the right symbol of each, shape (M,) each, of which
    symbol A + m is the product of merge m.

    The text is given in `initial` symbols, with -1 before, between and after units, shape (C,), and `weights`
    says how often the unit of each cell occurs, shape (C,). `alphabet` has the texts of the A initial symbols
    as code points, one after another, beginning at `offsets`, and the number of `letters` of each, its
    characters without marks of words, shape (A,).
    """
    n_alphabet = len(offsets) - 1
    n_symbols = n_alphabet + merges
    learned_left = np.empty(merges, dtype=np.int32)
    learned_right = np.empty(merges, dtype=np.int32)
    cells = np.empty(len(initial), dtype=CELL)
    symbols, texts = initial_symbols(initial, weights, alphabet, offsets, letters, merges, cells)
    total = 0
    for symbol in range(n_alphabet):
        total += symbols[symbol].frequency
    pairs, used, places, listed = count_pairs(cells, weights, n_alphabet, min_frequency)
    queue = np.empty(used, dtype=np.int32)
    queued = 0
    if not scoring:
        queued = enqueue(1, used, queue, queued, pairs, symbols, texts)
    before_new = np.zeros(n_symbols, dtype=np.int32)
    after_new = np.zeros(n_symbols, dtype=np.int32)
    made = np.empty(0, dtype=OCCURRENCE)
    learned = 0
    while learned < merges:
        if scoring:
            best = highest(pairs, used, symbols, texts, total, min_frequency, scoring)
        else:
            best, queued = most_frequent(queue, queued, pairs, symbols, texts, min_frequency)
        if best == 0:
            break
        left, right = pairs[best].left, pairs[best].right
        learned_left[learned], learned_right[learned] = left, right
        new = n_alphabet + learned
        learned += 1
        texts = add_symbol(new, left, right, symbols, texts)

        room = 2 * pairs[best].size
        if room > len(made):
            made = np.empty(2 * room, dtype=OCCURRENCE)
        if used + room > len(pairs):
            pairs = grown(pairs, used, max(used + room, len(pairs) * 3 // 2))
        n_made, stop = merge_everywhere(
            best, new, used, cells, weights, symbols, pairs, places,
            before_new, after_new, made,
        )  # fmt: skip
        total -= symbols[new].frequency
        stop, listed = settle(
            used, stop, made[:n_made], pairs, cells, places, listed, min_frequency
        )
        if not scoring:
            if queued + stop - used > len(queue):
                queue = grown(queue, queued, 2 * (queued + stop - used))
            queued = enqueue(used, stop, queue, queued, pairs, symbols, texts)
        used = stop
    return learned_left[:learned], learned_right[:learned]


@njit
def initial_symbols(
    initial: Array, weights: Array, alphabet: Array, offsets: Array, letters: Array, merges: int,
    cells: Array,
) -> tuple[Array, Array]:  # fmt: skip
    """Fill the cells. Returns the symbols, with room for the products of all merges, and their joined
    texts."""
    n_symbols = len(offsets) - 1
    symbols = np.zeros(n_symbols + merges, dtype=SYMBOL)
    texts = grown(alphabet, len(alphabet), len(alphabet) + 8 * merges)
    for symbol in range(n_symbols):
        symbols[symbol].text = offsets[symbol]
        symbols[symbol].length = offsets[symbol + 1] - offsets[symbol]
        symbols[symbol].cells = 1
        symbols[symbol].letters = letters[symbol]
    for i in range(len(cells)):
        cells[i].symbol = initial[i]
        cells[i].pair = -1
        if initial[i] >= 0:
            symbols[initial[i]].frequency += weights[i]
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


@njit
def count_pairs(
    cells: Array, weights: Array, n_symbols: int, min_frequency: int
) -> tuple[Array, int, Array, int]:
    """Find and count the pairs of initial symbols. Returns the pairs, the number that the next one will get,
    the joined lists of their occurrences, and the total length of these lists."""
    # Sort the cells by symbol: the cells of a symbol are then handled like those of a merge's product.
    bounds = np.zeros(n_symbols + 1, dtype=np.int64)
    for i in range(len(cells)):
        if cells[i].symbol >= 0:
            bounds[cells[i].symbol + 1] += 1
    largest = 0
    for symbol in range(n_symbols):
        largest = max(largest, bounds[symbol + 1])
        bounds[symbol + 1] += bounds[symbol]
    # Each occurrence that is merged takes a symbol away and adds at most two occurrences to the lists.
    places = np.empty(3 * bounds[-1], dtype=np.int32)
    filled = bounds[:-1].copy()
    for i in range(len(cells)):
        symbol = cells[i].symbol
        if symbol >= 0:
            places[filled[symbol]] = i
            filled[symbol] += 1

    pairs = np.empty(1024, dtype=PAIR)
    pairs[0].count = 0
    used = 1
    listed = 0
    after = np.zeros(n_symbols, dtype=np.int32)
    made = np.empty(largest, dtype=OCCURRENCE)
    for symbol in range(n_symbols):
        if used + n_symbols > len(pairs):
            pairs = grown(pairs, used, 2 * (used + n_symbols))
        n_made = 0
        stop = used
        for k in range(bounds[symbol], bounds[symbol + 1]):
            i = places[k]
            right = cells[i + 1].symbol
            if right >= 0:
                weight = weights[i]
                stop = _count_pair(
                    symbol, right, weight, i, after, right, pairs, stop, cells, made, n_made
                )
                n_made += 1
        for pair in range(used, stop):
            after[pairs[pair].right] = 0
        # The lists overwrite the part of the sorted cells that has been read already.
        used, listed = settle(
            used, stop, made[:n_made], pairs, cells, places, listed, min_frequency
        )
    return pairs, used, places, listed


@njit
def merge_everywhere(
    merged: int, new: int, first: int, cells: Array, weights: Array, symbols: Array,
    pairs: Array, places: Array, before_new: Array, after_new: Array, made: Array,
) -> tuple[int, int]:  # fmt: skip
    """Replace each occurrence of a pair by a new symbol, and count the pairs that arise; return the number of
    occurrences in `made`, and the number that the next pair will get.

    New pairs get numbers from `first` on. `before_new` and `after_new` hold the number of the pair that each
    symbol forms with the new symbol when it stands before or after it; they are all zero before and after
    the call. The occurrences of new pairs are written into `made`, in order; a later one may replace an
    earlier one at the same cell.
    """
    left, right = pairs[merged].left, pairs[merged].right
    left_cells, new_cells = symbols[left].cells, symbols[new].cells
    gone = 0
    n_made = 0
    stop = first
    start = pairs[merged].start
    for k in range(start, start + pairs[merged].size):
        i = places[k]
        # In `x x x`, merging the first occurrence of `x x` has removed the second, which overlaps it.
        if cells[i].pair == merged:
            weight = weights[i]
            gone += weight
            middle, end = i + left_cells, i + new_cells
            cells[i].pair = -1

            neighbor = cells[i - 1].symbol
            if neighbor >= 0:
                before = i - symbols[neighbor].cells
                pairs[cells[before].pair].count -= weight
                stop = _count_pair(
                    neighbor, new, weight, before, before_new, neighbor, pairs, stop, cells, made,
                    n_made,
                )  # fmt: skip
                n_made += 1

            neighbor = cells[end].symbol
            if neighbor >= 0:
                pairs[cells[middle].pair].count -= weight
                stop = _count_pair(
                    new, neighbor, weight, i, after_new, neighbor, pairs, stop, cells, made, n_made
                )
                n_made += 1

            cells[middle].pair = -1
            cells[i].symbol = new
            cells[end - 1].symbol = new
    for pair in range(first, stop):
        before_new[pairs[pair].left] = 0
        after_new[pairs[pair].right] = 0
    pairs[merged].count = 0
    symbols[left].frequency -= gone
    symbols[right].frequency -= gone
    symbols[new].frequency = gone
    return n_made, stop


@njit
def settle(
    first: int, stop: int, made: Array, pairs: Array, cells: Array, places: Array, listed: int,
    min_frequency: int,
) -> tuple[int, int]:  # fmt: skip
    """List the occurrences of the pairs of a step, those from `first` to before `stop`, and drop pairs that
    are too rare. Returns the number that the next pair will get (the others are renumbered in the same
    order), and the used length of `places`.

    `made` has the occurrences in order; some may have been replaced by later ones.
    """
    for k in range(len(made)):
        if cells[made[k].cell].pair == made[k].pair:
            pairs[made[k].pair].size += 1
    number = np.zeros(stop - first, dtype=np.int32)
    left = first
    for pair in range(first, stop):
        if pairs[pair].count >= min_frequency:
            number[pair - first] = left
            size = pairs[pair].size
            pairs[left].left = pairs[pair].left
            pairs[left].right = pairs[pair].right
            pairs[left].count = pairs[pair].count
            pairs[left].start = listed
            pairs[left].size = 0
            listed += size
            left += 1
    for k in range(len(made)):
        if cells[made[k].cell].pair == made[k].pair:
            pair = number[made[k].pair - first]
            cells[made[k].cell].pair = pair
            if pair:
                places[pairs[pair].start + pairs[pair].size] = made[k].cell
                pairs[pair].size += 1
    return left, listed


@njit(forceinline=True)
def _count_pair(
    left: int, right: int, weight: int, cell: int, pair_with: Array, neighbor: int, pairs: Array,
    stop: int, cells: Array, made: Array, n_made: int,
) -> int:  # fmt: skip
    """Count an occurrence of the pair (left, right) at a cell, and note it in `made[n_made]`. A new pair gets
    the number `stop` and its place in `pair_with`, which has 0 for neighbors without one. Returns the number
    that the next pair will get."""
    if pair_with[neighbor] == 0:
        pair_with[neighbor] = stop
        pairs[stop].left = left
        pairs[stop].right = right
        pairs[stop].count = 0
        pairs[stop].size = 0
        stop += 1
    pair = pair_with[neighbor]
    pairs[pair].count += weight
    cells[cell].pair = pair
    made[n_made].cell, made[n_made].pair = cell, pair
    return stop


@njit
def score_of(pairs: Array, pair: int, symbols: Array, total: int, scoring: int) -> float:
    """The score of a pair at this step, in another way than by its frequency."""
    count = pairs[pair].count
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

    `count` is how often b follows a, and n this number; if a is the `same` as b, occurrences may overlap, and
    n is at most half of f(a). If n is 1, the gain is -inf, since the merge then only lengthens the corpus.
    """
    n = min(count, f_left // 2) if same else count
    if n < 2:
        return -inf
    gain = _bits(total) - _bits(total - n + 2) + _bits(n)
    if same:
        return float(gain - _bits(f_left) + _bits(f_left - 2 * n + 2))
    gain = gain - _bits(f_left) + _bits(f_left - n + 1)
    return float(gain - _bits(f_right) + _bits(f_right - n + 1))


@njit
def _bits(n: int) -> float:
    return n * log2(float(n))


@njit
def highest(
    pairs: Array, used: int, symbols: Array, texts: Array, total: int, min_frequency: int,
    scoring: int,
) -> int:  # fmt: skip
    """The pair with the highest score, of those that occur often enough; 0 if none has any."""
    best = 0
    for pair in range(1, used):
        if pairs[pair].count >= min_frequency:
            pairs[pair].key = score_of(pairs, pair, symbols, total, scoring)
            if best == 0 or _precedes(pair, best, pairs, symbols, texts):
                best = pair
    return best if best and pairs[best].key > -inf else 0


@njit
def most_frequent(
    queue: Array, queued: int, pairs: Array, symbols: Array, texts: Array, min_frequency: int
) -> tuple[int, int]:
    """Take the most frequent pair from the queue; return it, 0 if none occurs often enough, and the new
    length of the queue."""
    while queued:
        best = queue[0]
        is_exact = pairs[best].key == pairs[best].count
        if not is_exact and pairs[best].count >= min_frequency:
            pairs[best].key = pairs[best].count
        else:
            queued -= 1
            queue[0] = queue[queued]
        sift_down(queue, queued, pairs, symbols, texts)
        if is_exact:
            return best, queued
    return 0, queued


@njit
def enqueue(
    first: int, stop: int, queue: Array, queued: int, pairs: Array, symbols: Array, texts: Array
) -> int:
    """Put the pairs from `first` to before `stop` in the queue, which has space; return its new length."""
    for pair in range(first, stop):
        pairs[pair].key = pairs[pair].count
        queue[queued] = pair
        sift_up(queue, queued, pairs, symbols, texts)
        queued += 1
    return queued


@njit
def sift_up(queue: Array, slot: int, pairs: Array, symbols: Array, texts: Array) -> None:
    pair = queue[slot]
    while slot > 0 and _precedes(pair, queue[(slot - 1) // 2], pairs, symbols, texts):
        queue[slot] = queue[(slot - 1) // 2]
        slot = (slot - 1) // 2
    queue[slot] = pair


@njit
def sift_down(queue: Array, queued: int, pairs: Array, symbols: Array, texts: Array) -> None:
    pair, slot = queue[0], 0
    sinks = True
    while sinks:
        best, to = pair, slot
        for child in range(2 * slot + 1, min(2 * slot + 3, queued)):
            if _precedes(queue[child], best, pairs, symbols, texts):
                best, to = queue[child], child
        queue[slot] = best
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
