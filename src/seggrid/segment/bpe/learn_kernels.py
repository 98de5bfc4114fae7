"""The compiled part of learning merges: exact pair counts, kept up to date where a merge occurs.

The text is one flat array of cells, a cell a character. A symbol of n characters owns n cells: its
first and last say which it is, so that either neighbor is found at once, and those between are not
read. -1 separates units, and stands before the first and after the last as well. The first cell also
says which pair the symbol forms with the next.

Each pair has a list of the cells where it was when it came up, ascending. Lists are not updated: that
an occurrence is gone shows in its cell. A pair comes up only in the step that makes one of its
symbols, and no string is the product of two merges (Bauwens and Delobelle 2024, appendix A.1), so that
later a pair can only get rarer. Hence one that is too rare when it comes up will never be merged: all
such pairs share the number 0 and have no list.

The queue is a heap of pairs by keys that are upper bounds of their scores. While the first pair's key
is not its score, it is set to it; so the first pair is the best, though few keys are ever exact.
"""

from __future__ import annotations

from math import inf, log2

import numpy as np
from numpy.typing import NDArray

from seggrid.data.compiled import njit

Array = NDArray  # of the records below, or of numbers

LIKELIHOOD, MUTUAL_INFORMATION, DESCRIPTION_LENGTH_GAIN = 1, 2, 3

# Arrays of records keep what is used together in one place of memory, and each is one argument.
CELL = np.dtype(
    [
        ("symbol", np.int32),
        ("pair", np.int32),  # where a symbol begins: the pair that it forms with the next; else -1
    ],
    align=True,
)
SYMBOL = np.dtype(
    [
        ("frequency", np.int64),
        ("text", np.int64),  # where its text begins among the texts of all
        ("length", np.int32),  # of its text
        ("cells", np.int32),
    ],
    align=True,
)
PAIR = np.dtype(
    [
        ("left", np.int32),
        ("right", np.int32),
        ("count", np.int64),
        ("key", np.float64),  # an upper bound of its score
        ("start", np.int64),  # where its list of occurrences begins
        ("size", np.int32),  # how long the list is
        ("slot", np.int32),  # where it is in the queue
        ("next_left", np.int32),  # another pair of the same left symbol, 0 at the end
        ("next_right", np.int32),  # another pair of the same right symbol, 0 at the end
    ],
    align=True,
)
OCCURRENCE = np.dtype([("cell", np.int32), ("pair", np.int32)], align=True)


@njit(cache=True, nogil=True)
def spread_weights(symbols: NDArray[np.int32], weights: NDArray[np.int64]) -> NDArray[np.int64]:
    """The weight of each cell's unit, shape (C,), from those of the units, shape (U,)."""
    spread = np.zeros(len(symbols), dtype=np.int64)
    unit = -1
    for i in range(len(symbols) - 1):
        if symbols[i] < 0:
            unit += 1
        spread[i] = weights[unit]
    return spread


@njit(cache=True, nogil=True)
def learn_merges(
    initial: NDArray[np.int32],
    weights: NDArray[np.int64],
    alphabet: NDArray[np.uint32],
    offsets: NDArray[np.int64],
    merges: int,
    min_frequency: int,
    scoring: int,
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Learn merges, the highest score first.

    Args:
        initial: the text in initial symbols, -1 before, between and after units, shape (C,).
        weights: how often the text in each cell counts, shape (C,), or (1,) if all counts alike.
        alphabet: the texts of the initial symbols as code points, one after another.
        offsets: where the text of each begins, shape (A + 1,).
        merges: how many to learn at most.
        min_frequency: the least count of a pair that may be merged, at least 1.
        scoring: 0 for the count itself, or one of the constants of this module.

    Returns:
        The left and right symbols of each merge, both of shape (M,). Symbol A + m is the product of
        merge m.
    """
    stride = 0 if len(weights) == 1 else 1
    n_alphabet = len(offsets) - 1
    n_symbols = n_alphabet + merges
    learned_left = np.empty(merges, dtype=np.int32)
    learned_right = np.empty(merges, dtype=np.int32)
    cells = np.empty(len(initial), dtype=CELL)
    symbols, texts = _initial_symbols(initial, weights, stride, alphabet, offsets, merges, cells)
    total = 0
    for symbol in range(n_alphabet):
        total += symbols[symbol].frequency
    pairs, used, places, listed = _count_pairs(
        cells, weights, stride, symbols, n_alphabet, min_frequency
    )
    with_left = np.zeros(n_symbols, dtype=np.int32)
    with_right = np.zeros(n_symbols, dtype=np.int32)
    queue = np.empty(used, dtype=np.int32)
    queued = _enqueue(
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
            queued = _remove_first(queue, queued, pairs, symbols, texts)
            continue
        score = _score(pairs, best, symbols, total, scoring)
        if score != pairs[best].key:
            pairs[best].key = score
            _sift_down(queue, queued, 0, pairs, symbols, texts)
            continue
        if score == -inf:
            break
        queued = _remove_first(queue, queued, pairs, symbols, texts)
        learned_left[learned], learned_right[learned] = left, right
        new = n_alphabet + learned
        learned += 1
        texts = _add_symbol(new, left, right, symbols, texts)

        room = 2 * pairs[best].size
        if room > len(made):
            made = np.empty(2 * room, dtype=OCCURRENCE)
        if used + room > len(pairs):
            pairs = _grown(pairs, used, max(used + room, len(pairs) * 3 // 2))
        if listed + room > len(places):
            places, listed = _compacted(places, room, used, pairs, cells, min_frequency)
        n_made, stop = _merge_everywhere(
            best, new, used, cells, weights, stride, symbols, pairs, places,
            before_new, after_new, made,
        )  # fmt: skip
        total -= symbols[new].frequency
        stop, listed = _settle(
            used, stop, made[:n_made], pairs, cells, places, listed, min_frequency
        )

        if scoring:
            # A count never rises, but a score does where a symbol of the pair became rarer.
            for symbol in (left, right):
                _raise_keys(
                    symbol, with_left, True, queue, pairs, symbols, texts, total,
                    min_frequency, scoring,
                )  # fmt: skip
                _raise_keys(
                    symbol, with_right, False, queue, pairs, symbols, texts, total,
                    min_frequency, scoring,
                )  # fmt: skip
        if queued + stop - used > len(queue):
            queue = _grown(queue, queued, 2 * (queued + stop - used))
        queued = _enqueue(
            used, stop, queue, queued, pairs, symbols, texts, total, scoring, with_left, with_right
        )
        used = stop
    return learned_left[:learned], learned_right[:learned]


@njit(cache=True, nogil=True)
def _initial_symbols(
    initial: Array,
    weights: Array,
    stride: int,
    alphabet: Array,
    offsets: Array,
    merges: int,
    cells: Array,
) -> tuple[Array, Array]:
    """Fill the cells; the symbols, with room for one a merge, and their texts one after another."""
    n_symbols = len(offsets) - 1
    symbols = np.zeros(n_symbols + merges, dtype=SYMBOL)
    texts = _grown(alphabet, len(alphabet), len(alphabet) + 8 * merges)
    for symbol in range(n_symbols):
        symbols[symbol].text = offsets[symbol]
        symbols[symbol].length = offsets[symbol + 1] - offsets[symbol]
        symbols[symbol].cells = 1
    for i in range(len(cells)):
        cells[i].symbol = initial[i]
        cells[i].pair = -1
        if initial[i] >= 0:
            symbols[initial[i]].frequency += weights[i * stride]
    return symbols, texts


@njit(cache=True, nogil=True)
def _add_symbol(new: int, left: int, right: int, symbols: Array, texts: Array) -> Array:
    """Add the product of two symbols; the texts of all."""
    symbols[new].cells = symbols[left].cells + symbols[right].cells
    symbols[new].length = symbols[left].length + symbols[right].length
    end = symbols[new - 1].text + symbols[new - 1].length
    symbols[new].text = end
    if end + symbols[new].length > len(texts):
        texts = _grown(texts, end, 2 * (end + symbols[new].length))
    for part in (left, right):
        first = symbols[part].text
        for i in range(first, first + symbols[part].length):
            texts[end] = texts[i]
            end += 1
    return texts


@njit(cache=True, nogil=True)
def _count_pairs(
    cells: Array, weights: Array, stride: int, symbols: Array, n_symbols: int, min_frequency: int
) -> tuple[Array, int, Array, int]:
    """Find and count the pairs of initial symbols.

    Returns:
        The pairs, the number after that of the last, the lists of their occurrences one after
        another, and the total length of these.
    """
    # Sorted by symbol, the cells of each can be treated as a merge treats those of its product.
    bounds = np.zeros(n_symbols + 1, dtype=np.int64)
    for i in range(len(cells)):
        if cells[i].symbol >= 0:
            bounds[cells[i].symbol + 1] += 1
    largest = 0
    for symbol in range(n_symbols):
        largest = max(largest, bounds[symbol + 1])
        bounds[symbol + 1] += bounds[symbol]
    # A quarter more than fits in, so that merges find room before lists must be compacted.
    places = np.empty(bounds[-1] + bounds[-1] // 4, dtype=np.int32)
    filled = np.empty(n_symbols, dtype=np.int64)
    for symbol in range(n_symbols):
        filled[symbol] = bounds[symbol]
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
            pairs = _grown(pairs, used, 2 * (used + n_symbols))
        n_made = 0
        stop = used
        for k in range(bounds[symbol], bounds[symbol + 1]):
            i = places[k]
            right = cells[i + 1].symbol
            if right >= 0:
                if after[right] == 0:
                    after[right] = stop
                    _begin_pair(pairs, stop, symbol, right)
                    stop += 1
                pair = after[right]
                pairs[pair].count += weights[i * stride]
                cells[i].pair = pair
                made[n_made].cell, made[n_made].pair = i, pair
                n_made += 1
        for pair in range(used, stop):
            after[pairs[pair].right] = 0
        # The lists fit where the sorted cells were, since these have been read as far.
        used, listed = _settle(
            used, stop, made[:n_made], pairs, cells, places, listed, min_frequency
        )
    return pairs, used, places, listed


@njit(cache=True, nogil=True)
def _merge_everywhere(
    merged: int, new: int, first: int, cells: Array, weights: Array, stride: int, symbols: Array,
    pairs: Array, places: Array, before_new: Array, after_new: Array, made: Array,
) -> tuple[int, int]:  # fmt: skip
    """Replace each occurrence of a pair by a new symbol, and count the pairs that this makes.

    Pairs that come up get numbers from `first` on. `before_new` and `after_new`, all zero before
    and after, hold the pair that each symbol forms with the new one when it stands before or after
    it. `made` gets the occurrences of these pairs, in order; one may undo another at its cell.

    Returns:
        How many occurrences were made, and the number after that of the last pair.
    """
    left, right = pairs[merged].left, pairs[merged].right
    left_cells, new_cells = symbols[left].cells, symbols[new].cells
    gone = 0
    n_made = 0
    stop = first
    start = pairs[merged].start
    for k in range(start, start + pairs[merged].size):
        i = places[k]
        # Of overlapping occurrences, as in `x x x`, the first has taken away the second.
        if cells[i].pair == merged:
            weight = weights[i * stride]
            gone += weight
            middle, end = i + left_cells, i + new_cells
            cells[i].pair = -1

            neighbor = cells[i - 1].symbol
            if neighbor >= 0:
                before = i - symbols[neighbor].cells
                pairs[cells[before].pair].count -= weight
                if before_new[neighbor] == 0:
                    before_new[neighbor] = stop
                    _begin_pair(pairs, stop, neighbor, new)
                    stop += 1
                pair = before_new[neighbor]
                pairs[pair].count += weight
                cells[before].pair = pair
                made[n_made].cell, made[n_made].pair = before, pair
                n_made += 1

            neighbor = cells[end].symbol
            if neighbor >= 0:
                pairs[cells[middle].pair].count -= weight
                if after_new[neighbor] == 0:
                    after_new[neighbor] = stop
                    _begin_pair(pairs, stop, new, neighbor)
                    stop += 1
                pair = after_new[neighbor]
                pairs[pair].count += weight
                cells[i].pair = pair
                made[n_made].cell, made[n_made].pair = i, pair
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


@njit(cache=True, nogil=True)
def _settle(
    first: int, stop: int, made: Array, pairs: Array, cells: Array, places: Array, listed: int,
    min_frequency: int,
) -> tuple[int, int]:  # fmt: skip
    """List the occurrences of the pairs that a step made, and give up those that are too rare.

    Args:
        first, stop: the pairs that the step made are those from `first` to before `stop`.
        made: their occurrences, in order, among them some that later ones have undone.
        listed: how much of `places` is in use.

    Returns:
        The number after that of the last pair that is left (these are numbered anew, in the same
        order), and how much of `places` is in use.
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


@njit(cache=True, nogil=True)
def _compacted(
    places: Array, room: int, used: int, pairs: Array, cells: Array, min_frequency: int
) -> tuple[Array, int]:
    """The lists without what is gone, in an array with room for more, and their total length."""
    listed = 0
    for pair in range(1, used):
        start, stop = pairs[pair].start, pairs[pair].start + pairs[pair].size
        pairs[pair].start = listed
        if pairs[pair].count >= min_frequency:
            for k in range(start, stop):
                if cells[places[k]].pair == pair:
                    places[listed] = places[k]
                    listed += 1
        pairs[pair].size = listed - pairs[pair].start
    # With a quarter free, the next compaction comes only after as many occurrences were listed.
    room = max(room, listed // 4)
    if listed + room > len(places):
        places = _grown(places, listed, listed + room)
    return places, listed


@njit(cache=True, nogil=True)
def _score(pairs: Array, pair: int, symbols: Array, total: int, scoring: int) -> float:
    count = pairs[pair].count
    if scoring == 0:
        return float(count)
    left, right = pairs[pair].left, pairs[pair].right
    f_left, f_right = symbols[left].frequency, symbols[right].frequency
    if scoring == LIKELIHOOD:
        return count / (float(f_left) * float(f_right))
    if scoring == MUTUAL_INFORMATION:
        return count * log2(float(total) * float(count) / (float(f_left) * float(f_right)))
    return description_length_gain(count, f_left, f_right, left == right, total)


@njit(cache=True, nogil=True)
def description_length_gain(count: int, f_left: int, f_right: int, same: bool, total: int) -> float:
    """Bits saved by a merge (Kit and Wilks 1999, equations 1 to 3).

    A corpus X of T symbols, f(x) of them x, takes DL(X) = -sum of f(x) log2(f(x) / T) bits. The merge
    r of a and b gains DL(X) - DL(X'), where X' is X with r in place of its n occurrences of `a b`,
    followed by one copy of `a b`, which says what r is: T - n + 2 symbols, n of them r,
    f(a) - n + 1 of them a and f(b) - n + 1 of them b. All other terms of the sums cancel out.

    Args:
        count: how often b follows a. If they are one symbol, n is this or half of f(a), whichever
            is less, since occurrences overlap; otherwise n is this.
        f_left, f_right: f(a) and f(b).
        same: whether a and b are one symbol.
        total: T.

    Returns:
        The gain in bits; -inf if n is 1, since what occurs once is only made longer.
    """
    n = min(count, f_left // 2) if same else count
    if n < 2:
        return -inf
    gain = _bits(total) - _bits(total - n + 2) + _bits(n)
    if same:
        return gain - _bits(f_left) + _bits(f_left - 2 * n + 2)
    return gain - _bits(f_left) + _bits(f_left - n + 1) - _bits(f_right) + _bits(f_right - n + 1)


@njit(cache=True, nogil=True)
def _bits(n: int) -> float:
    return n * log2(float(n))


@njit(cache=True, nogil=True)
def _raise_keys(
    symbol: int, heads: Array, on_left: bool, queue: Array, pairs: Array, symbols: Array,
    texts: Array, total: int, min_frequency: int, scoring: int,
) -> None:  # fmt: skip
    """Raise the keys of a symbol's pairs to their scores, and forget pairs that are now too rare.

    `heads` leads to the first pair that has the symbol on that side, and each to the next.
    """
    previous = 0
    pair = heads[symbol]
    while pair:
        following = pairs[pair].next_left if on_left else pairs[pair].next_right
        if pairs[pair].count >= min_frequency:
            previous = pair
            score = _score(pairs, pair, symbols, total, scoring)
            if score > pairs[pair].key:
                pairs[pair].key = score
                _sift_up(queue, pairs[pair].slot, pairs, symbols, texts)
        elif previous == 0:
            heads[symbol] = following
        elif on_left:
            pairs[previous].next_left = following
        else:
            pairs[previous].next_right = following
        pair = following


@njit(cache=True, nogil=True)
def _enqueue(
    first: int, stop: int, queue: Array, queued: int, pairs: Array, symbols: Array, texts: Array,
    total: int, scoring: int, with_left: Array, with_right: Array,
) -> int:  # fmt: skip
    """Put the pairs from `first` to before `stop` in the queue, which has room; its new length."""
    for pair in range(first, stop):
        pairs[pair].key = _score(pairs, pair, symbols, total, scoring)
        queue[queued] = pair
        _sift_up(queue, queued, pairs, symbols, texts)
        queued += 1
        if scoring:
            left, right = pairs[pair].left, pairs[pair].right
            pairs[pair].next_left, with_left[left] = with_left[left], pair
            pairs[pair].next_right, with_right[right] = with_right[right], pair
    return queued


@njit(cache=True, nogil=True)
def _remove_first(queue: Array, queued: int, pairs: Array, symbols: Array, texts: Array) -> int:
    """Remove the first pair of the queue; its new length."""
    queued -= 1
    if queued:
        queue[0] = queue[queued]
        _sift_down(queue, queued, 0, pairs, symbols, texts)
    return queued


@njit(cache=True, nogil=True)
def _sift_up(queue: Array, slot: int, pairs: Array, symbols: Array, texts: Array) -> None:
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


@njit(cache=True, nogil=True)
def _sift_down(
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


@njit(cache=True, nogil=True)
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
    return order > 0


@njit(cache=True, nogil=True)
def _begin_pair(pairs: Array, number: int, left: int, right: int) -> None:
    pairs[number].left = left
    pairs[number].right = right
    pairs[number].count = 0
    pairs[number].size = 0


@njit(cache=True, nogil=True)
def _grown(array: Array, used: int, capacity: int) -> Array:
    """A copy of an array's first elements with room for more."""
    grown = np.empty(capacity, dtype=array.dtype)
    for i in range(used):
        grown[i] = array[i]
    return grown
