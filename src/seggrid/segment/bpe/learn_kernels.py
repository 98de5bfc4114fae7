"""The compiled part of learning merges: exact pair counts, kept up to date where a merge occurs.

The text is one flat array, `cells`, a cell a character. A symbol of n characters owns n cells: the
first and the last hold its number, so that either neighbour is found at once, and cells between
are not read. -1 in a cell separates units, before the first and after the last as well. Beside it,
`pair_at` says for each cell in which a symbol begins which pair it forms with the next symbol.

Each pair has the list of the cells where it was when it came up, ascending. Lists are never updated:
an occurrence that a later merge took away shows in `pair_at`. A pair comes up only in the step which
makes one of its symbols, and no string is ever the product of two merges (Bauwens and Delobelle 2024,
appendix A.1), so that a pair once counted can only get rarer. Hence a pair that is too rare when it
comes up stays so: all such pairs share the number 0 and have no list.

The queue orders pairs by keys that are upper bounds of their scores. The first pair's key is set to
its score until the first pair is one whose key is exact.
"""

from __future__ import annotations

from math import inf, log2
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

CODES = 0x110000
"""Code points there are. A code from here on is `▁` glued to the code point it exceeds this by."""
_SEPARATOR = ord("\n")
_BOUNDARY = ord("▁")

LIKELIHOOD, MUTUAL_INFORMATION, DESCRIPTION_LENGTH_GAIN = 1, 2, 3


class Symbols(NamedTuple):
    """What is known of each symbol, by its number."""

    cells: NDArray[np.int32]  # how many cells it has
    frequency: NDArray[np.int64]  # how often it occurs
    text: NDArray[np.uint32]  # code points of all symbols, one after another
    offsets: NDArray[np.int64]  # where each symbol's text begins, and the last one's ends


class Pairs(NamedTuple):
    """What is known of each pair, by its number."""

    left: NDArray[np.int32]
    right: NDArray[np.int32]
    count: NDArray[np.int64]
    start: NDArray[np.int64]  # where its list of occurrences begins
    size: NDArray[np.int64]  # how long the list is
    key: NDArray[np.float64]  # an upper bound of its score
    slot: NDArray[np.int32]  # where it is in the queue
    next_left: NDArray[np.int32]  # another pair of the same left symbol, 0 at the end
    next_right: NDArray[np.int32]  # another pair of the same right symbol, 0 at the end


@njit(cache=True, nogil=True)
def number_symbols(codes, glue):
    """Number the initial symbols in order of appearance.

    Args:
        codes: text as code points with separators, uint32, shape (C,).
        glue: whether the first character of a unit has a `▁` glued to it.

    Returns:
        cells, int32, shape (C,), and the code of each symbol, uint32, shape (A,).
    """
    number = np.zeros(2 * CODES, dtype=np.int32)
    alphabet = np.empty(64, dtype=np.uint32)
    cells = np.empty(len(codes), dtype=np.int32)
    found = 0
    first = False
    for i in range(len(codes)):
        code = codes[i]
        if code == _SEPARATOR:
            cells[i] = -1
            first = glue
            continue
        if first:
            code += np.uint32(CODES)
            first = False
        if number[code] == 0:
            if found == len(alphabet):
                alphabet = _grown(alphabet, found, 2 * found)
            alphabet[found] = code
            found += 1
            number[code] = found
        cells[i] = number[code] - 1
    return cells, alphabet[:found].copy()


@njit(cache=True, nogil=True)
def spread_weights(cells, weights):
    """The weight of each cell's unit, int64, shape (C,), from those of the units, shape (U,)."""
    spread = np.zeros(len(cells), dtype=np.int64)
    unit = -1
    for i in range(len(cells) - 1):
        if cells[i] < 0:
            unit += 1
        spread[i] = weights[unit]
    return spread


@njit(cache=True, nogil=True)
def learn_merges(cells, weights, alphabet, merges, min_frequency, scoring):
    """Learn merges, the highest score first.

    Args:
        cells: the text in initial symbols, int32, shape (C,); overwritten.
        weights: how often the text at each cell counts, int64, shape (C,), or (1,) if all alike.
        alphabet: the code of each initial symbol, uint32, shape (A,).
        merges: how many to learn at most.
        min_frequency: the least count of a pair that may be merged, at least 1.
        scoring: 0 for the count itself, or one of the constants of this module.

    Returns:
        The left and right symbols of each merge, int32, both of shape (M,). Symbol A + m is the
        product of merge m.
    """
    stride = 0 if len(weights) == 1 else 1
    made_left = np.empty(merges, dtype=np.int32)
    made_right = np.empty(merges, dtype=np.int32)
    symbols = _initial_symbols(cells, weights, stride, alphabet, merges)
    total = symbols.frequency.sum()
    pairs, used, pair_at, places, listed = _count_pairs(
        cells, weights, stride, len(alphabet), min_frequency
    )
    n_symbols = len(alphabet) + merges
    by_left = np.zeros(n_symbols, dtype=np.int32)
    by_right = np.zeros(n_symbols, dtype=np.int32)
    queue = np.empty(used, dtype=np.int32)
    queued = _enqueue(1, used, queue, 0, pairs, symbols, total, scoring, by_left, by_right)
    before_new = np.zeros(n_symbols, dtype=np.int32)
    after_new = np.zeros(n_symbols, dtype=np.int32)
    touched = np.empty((2, 0), dtype=np.int32)
    made = 0
    while made < merges and queued > 0:
        best = queue[0]
        left, right = pairs.left[best], pairs.right[best]
        if pairs.count[best] < min_frequency:
            queued = _remove_first(queue, queued, pairs, symbols)
            continue
        score = _score(best, pairs, symbols, total, scoring)
        if score != pairs.key[best]:
            pairs.key[best] = score
            _sift_down(queue, queued, 0, pairs, symbols)
            continue
        if score == -inf:
            break
        queued = _remove_first(queue, queued, pairs, symbols)
        made_left[made], made_right[made] = left, right
        new = len(alphabet) + made
        made += 1
        symbols = _add_symbol(new, left, right, symbols)

        room = 2 * pairs.size[best]
        if room > touched.shape[1]:
            touched = np.empty((2, 2 * room), dtype=np.int32)
        if used + room > len(pairs.left):
            pairs = _grown_pairs(pairs, used, max(used + room, len(pairs.left) * 3 // 2))
        if listed + room > len(places):
            places, listed = _compacted(places, room, used, pairs, pair_at, min_frequency)
        n_touched, stop = _merge_everywhere(
            best, new, used, cells, weights, stride, symbols, pairs, pair_at, places,
            before_new, after_new, touched,
        )  # fmt: skip
        total -= symbols.frequency[new]
        stop, listed = _settle(
            used, stop, touched[0, :n_touched], touched[1, :n_touched],
            pairs, pair_at, places, listed, min_frequency,
        )  # fmt: skip

        if scoring:
            # A count never rises, but a score does where a symbol of the pair became rarer.
            for symbol in (left, right):
                _raise_keys(by_left, pairs.next_left, symbol, queue, pairs, symbols, total,
                            min_frequency, scoring)  # fmt: skip
                _raise_keys(by_right, pairs.next_right, symbol, queue, pairs, symbols, total,
                            min_frequency, scoring)  # fmt: skip
        if queued + stop - used > len(queue):
            queue = _grown(queue, queued, 2 * (queued + stop - used))
        queued = _enqueue(
            used, stop, queue, queued, pairs, symbols, total, scoring, by_left, by_right
        )
        used = stop
    return made_left[:made], made_right[:made]


@njit(cache=True, nogil=True)
def _initial_symbols(cells, weights, stride, alphabet, merges):
    n_symbols = len(alphabet) + merges
    length = np.ones(n_symbols, dtype=np.int32)
    frequency = np.zeros(n_symbols, dtype=np.int64)
    text = np.empty(2 * len(alphabet) + 8 * merges, dtype=np.uint32)
    offsets = np.zeros(n_symbols + 1, dtype=np.int64)
    for symbol, code in enumerate(alphabet):
        end = offsets[symbol]
        if code >= CODES:
            text[end] = _BOUNDARY
            end += 1
            code -= np.uint32(CODES)
        text[end] = code
        offsets[symbol + 1] = end + 1
    for i in range(len(cells)):
        if cells[i] >= 0:
            frequency[cells[i]] += weights[i * stride]
    return Symbols(length, frequency, text, offsets)


@njit(cache=True, nogil=True)
def _add_symbol(new, left, right, symbols):
    """The symbols with that of number `new` for the product of two others."""
    length, frequency, text, offsets = symbols
    length[new] = length[left] + length[right]
    end = offsets[new]
    needed = end + offsets[left + 1] - offsets[left] + offsets[right + 1] - offsets[right]
    if needed > len(text):
        text = _grown(text, end, 2 * needed)
    for part in (left, right):
        for i in range(offsets[part], offsets[part + 1]):
            text[end] = text[i]
            end += 1
    offsets[new + 1] = end
    return Symbols(length, frequency, text, offsets)


@njit(cache=True, nogil=True)
def _count_pairs(cells, weights, stride, n_alphabet, min_frequency):
    """Find and count the pairs of initial symbols.

    Returns:
        The pairs, how many numbers are used up, `pair_at`, the lists of occurrences, one after
        another, and their total length.
    """
    # Sorted by symbol, the cells of one left symbol after another can be treated as the step
    # that makes a symbol treats its neighbours.
    bounds = np.zeros(n_alphabet + 1, dtype=np.int64)
    for symbol in cells:
        if symbol >= 0:
            bounds[symbol + 1] += 1
    largest = bounds.max() if n_alphabet else 0
    bounds = np.cumsum(bounds)
    # A quarter more than fits in, so that merges find room before lists must be compacted.
    places = np.empty(bounds[-1] + bounds[-1] // 4 + 16, dtype=np.int32)
    filled = bounds.copy()
    for i in range(len(cells)):
        if cells[i] >= 0:
            places[filled[cells[i]]] = i
            filled[cells[i]] += 1

    pair_at = np.full(len(cells), -1, dtype=np.int32)
    pairs = _new_pairs(1024 + n_alphabet)
    used = 1
    listed = 0
    after = np.zeros(n_alphabet, dtype=np.int32)
    touched = np.empty((2, largest), dtype=np.int32)
    for symbol in range(n_alphabet):
        n_touched = 0
        stop = used
        if used + n_alphabet > len(pairs.left):
            pairs = _grown_pairs(pairs, used, 2 * (used + n_alphabet))
        for i in places[bounds[symbol] : bounds[symbol + 1]]:
            right = cells[i + 1]
            if right < 0:
                continue
            if after[right] == 0:
                after[right] = _new_pair(stop, symbol, right, pairs)
                stop += 1
            pair = after[right]
            pairs.count[pair] += weights[i * stride]
            pair_at[i] = pair
            touched[0, n_touched], touched[1, n_touched] = i, pair
            n_touched += 1
        for pair in range(used, stop):
            after[pairs.right[pair]] = 0
        # The lists fit where the sorted cells were: those read so far are at least as many.
        used, listed = _settle(
            used, stop, touched[0, :n_touched], touched[1, :n_touched],
            pairs, pair_at, places, listed, min_frequency,
        )  # fmt: skip
    return pairs, used, pair_at, places, listed


@njit(cache=True, nogil=True)
def _merge_everywhere(
    merged, new, first, cells, weights, stride, symbols, pairs, pair_at, places,
    before_new, after_new, touched,
):  # fmt: skip
    """Replace each occurrence of a pair by a new symbol, and count the pairs that this makes.

    Pairs that come up get numbers from `first` on. `before_new` and `after_new`, all zero before
    and after, hold the pair that each symbol forms with the new one on its right and on its left.
    `touched` gets the cells where such pairs came up, and the pairs, in the order in which they did.

    Returns:
        How many cells `touched` holds, and the number after that of the last pair.
    """
    left, right = pairs.left[merged], pairs.right[merged]
    n_touched = 0
    stop = first
    for i in places[pairs.start[merged] : pairs.start[merged] + pairs.size[merged]]:
        # Of overlapping occurrences, as in `x x x`, the first has taken away the second.
        if pair_at[i] != merged:
            continue
        weight = weights[i * stride]
        middle = i + symbols.cells[left]
        end = middle + symbols.cells[right]
        pairs.count[merged] -= weight
        symbols.frequency[left] -= weight
        symbols.frequency[right] -= weight
        symbols.frequency[new] += weight

        neighbour = cells[i - 1]
        if neighbour >= 0:
            before = i - symbols.cells[neighbour]
            pairs.count[pair_at[before]] -= weight
            if before_new[neighbour] == 0:
                before_new[neighbour] = _new_pair(stop, neighbour, new, pairs)
                stop += 1
            pair = before_new[neighbour]
            pairs.count[pair] += weight
            pair_at[before] = pair
            touched[0, n_touched], touched[1, n_touched] = before, pair
            n_touched += 1

        neighbour = cells[end]
        pair_at[i] = -1
        if neighbour >= 0:
            pairs.count[pair_at[middle]] -= weight
            if after_new[neighbour] == 0:
                after_new[neighbour] = _new_pair(stop, new, neighbour, pairs)
                stop += 1
            pair = after_new[neighbour]
            pairs.count[pair] += weight
            pair_at[i] = pair
            touched[0, n_touched], touched[1, n_touched] = i, pair
            n_touched += 1
        pair_at[middle] = -1
        cells[i] = new
        cells[end - 1] = new
    for pair in range(first, stop):
        before_new[pairs.left[pair]] = 0
        after_new[pairs.right[pair]] = 0
    return n_touched, stop


@njit(cache=True, nogil=True)
def _settle(first, stop, cell, pair_of, pairs, pair_at, places, listed, min_frequency):
    """List the occurrences of the pairs that a step made, and give up those that are too rare.

    Args:
        first, stop: the pairs that the step made are those from `first` to before `stop`.
        cell, pair_of: where pairs came up, and which, in order, int32, both of shape (n,). One
            that a later occurrence took away again is still there.
        listed: how much of `places` is in use.

    Returns:
        The number after that of the last pair that is left (they are numbered anew, in the same
        order), and how much of `places` is in use.
    """
    for k in range(len(cell)):
        if pair_at[cell[k]] == pair_of[k]:
            pairs.size[pair_of[k]] += 1
    number = np.zeros(stop - first, dtype=np.int32)
    left = first
    for pair in range(first, stop):
        if pairs.count[pair] >= min_frequency:
            number[pair - first] = left
            pairs.left[left] = pairs.left[pair]
            pairs.right[left] = pairs.right[pair]
            pairs.count[left] = pairs.count[pair]
            pairs.start[left] = listed
            listed += pairs.size[pair]
            pairs.size[left] = 0
            left += 1
    for k in range(len(cell)):
        if pair_at[cell[k]] == pair_of[k]:
            pair = number[pair_of[k] - first]
            pair_at[cell[k]] = pair
            if pair:
                places[pairs.start[pair] + pairs.size[pair]] = cell[k]
                pairs.size[pair] += 1
    return left, listed


@njit(cache=True, nogil=True)
def _compacted(places, room, used, pairs, pair_at, min_frequency):
    """The lists without what is outdated, in an array with room for more, and their total length."""
    listed = 0
    for pair in range(1, used):
        start, stop = pairs.start[pair], pairs.start[pair] + pairs.size[pair]
        pairs.start[pair] = listed
        if pairs.count[pair] >= min_frequency:
            for k in range(start, stop):
                if pair_at[places[k]] == pair:
                    places[listed] = places[k]
                    listed += 1
        pairs.size[pair] = listed - pairs.start[pair]
    # With a quarter free, each compaction is paid for by as many occurrences listed.
    if listed + max(room, listed // 4) > len(places):
        places = _grown(places, listed, listed + 2 * max(room, listed // 4))
    return places, listed


@njit(cache=True, nogil=True)
def _score(pair, pairs, symbols, total, scoring):
    count = pairs.count[pair]
    if scoring == 0:
        return float(count)
    left, right = pairs.left[pair], pairs.right[pair]
    f_left, f_right = symbols.frequency[left], symbols.frequency[right]
    if scoring == LIKELIHOOD:
        return count / (float(f_left) * float(f_right))
    if scoring == MUTUAL_INFORMATION:
        return count * log2(float(count) * float(total) / (float(f_left) * float(f_right)))
    return description_length_gain(count, f_left, f_right, left == right, total)


@njit(cache=True, nogil=True)
def description_length_gain(count, f_left, f_right, same, total):
    """Bits saved by a merge (Kit and Wilks 1999, equations 1 to 3).

    A corpus X of T symbols, f(x) of them x, takes DL(X) = -sum of f(x) log2(f(x) / T) bits. The merge
    r of a and b gains DL(X) - DL(X'), where X' is X with r in place of its n occurrences of `a b`,
    followed by one copy of `a b`, which says what r is: T - n + 2 symbols, n of them r,
    f(a) - n + 1 of them a and f(b) - n + 1 of them b. All other terms of the sum cancel out.

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
def _bits(n):
    return n * log2(float(n))


@njit(cache=True, nogil=True)
def _raise_keys(heads, following, symbol, queue, pairs, symbols, total, min_frequency, scoring):
    """Raise the keys of a symbol's pairs to their scores, and forget pairs that are now too rare.

    `heads` and `following` chain the pairs that have the symbol on one side.
    """
    previous = 0
    pair = heads[symbol]
    while pair:
        after = following[pair]
        if pairs.count[pair] < min_frequency:
            if previous:
                following[previous] = after
            else:
                heads[symbol] = after
        else:
            previous = pair
            score = _score(pair, pairs, symbols, total, scoring)
            if score > pairs.key[pair]:
                pairs.key[pair] = score
                _sift_up(queue, pairs.slot[pair], pairs, symbols)
        pair = after


@njit(cache=True, nogil=True)
def _enqueue(first, stop, queue, queued, pairs, symbols, total, scoring, by_left, by_right):
    """Put the pairs from `first` to before `stop` in the queue, which has room; its new length."""
    for pair in range(first, stop):
        pairs.key[pair] = _score(pair, pairs, symbols, total, scoring)
        queue[queued] = pair
        _sift_up(queue, queued, pairs, symbols)
        queued += 1
        if scoring:
            left, right = pairs.left[pair], pairs.right[pair]
            pairs.next_left[pair], by_left[left] = by_left[left], pair
            pairs.next_right[pair], by_right[right] = by_right[right], pair
    return queued


@njit(cache=True, nogil=True)
def _remove_first(queue, queued, pairs, symbols):
    queued -= 1
    if queued:
        queue[0] = queue[queued]
        _sift_down(queue, queued, 0, pairs, symbols)
    return queued


@njit(cache=True, nogil=True)
def _sift_up(queue, slot, pairs, symbols):
    pair = queue[slot]
    while slot:
        parent = (slot - 1) // 2
        if not _precedes(pair, queue[parent], pairs, symbols):
            break
        queue[slot] = queue[parent]
        pairs.slot[queue[slot]] = slot
        slot = parent
    queue[slot] = pair
    pairs.slot[pair] = slot


@njit(cache=True, nogil=True)
def _sift_down(queue, queued, slot, pairs, symbols):
    pair = queue[slot]
    while True:
        child = 2 * slot + 1
        if child >= queued:
            break
        if child + 1 < queued and _precedes(queue[child + 1], queue[child], pairs, symbols):
            child += 1
        if not _precedes(queue[child], pair, pairs, symbols):
            break
        queue[slot] = queue[child]
        pairs.slot[queue[slot]] = slot
        slot = child
    queue[slot] = pair
    pairs.slot[pair] = slot


@njit(cache=True, nogil=True)
def _precedes(pair, other, pairs, symbols):
    """Whether a pair comes before another in the queue: by key, then by text, the larger first."""
    if pairs.key[pair] != pairs.key[other]:
        return pairs.key[pair] > pairs.key[other]
    order = _compare(pairs.left[pair], pairs.left[other], symbols)
    if order == 0:
        order = _compare(pairs.right[pair], pairs.right[other], symbols)
    return order > 0


@njit(cache=True, nogil=True)
def _compare(symbol, other, symbols):
    """-1, 0 or 1 as a symbol's text is less than, equal to or greater than another's."""
    if symbol == other:
        return 0
    i, i_end = symbols.offsets[symbol], symbols.offsets[symbol + 1]
    j, j_end = symbols.offsets[other], symbols.offsets[other + 1]
    while i < i_end and j < j_end:
        if symbols.text[i] != symbols.text[j]:
            return 1 if symbols.text[i] > symbols.text[j] else -1
        i += 1
        j += 1
    return 1 if i < i_end else -1


@njit(cache=True, nogil=True)
def _new_pair(number, left, right, pairs):
    """Begin a pair that has not occurred yet; its number."""
    pairs.left[number] = left
    pairs.right[number] = right
    pairs.count[number] = 0
    pairs.size[number] = 0
    return number


@njit(cache=True, nogil=True)
def _new_pairs(capacity):
    return Pairs(
        np.zeros(capacity, dtype=np.int32),
        np.zeros(capacity, dtype=np.int32),
        np.zeros(capacity, dtype=np.int64),
        np.zeros(capacity, dtype=np.int64),
        np.zeros(capacity, dtype=np.int64),
        np.zeros(capacity, dtype=np.float64),
        np.zeros(capacity, dtype=np.int32),
        np.zeros(capacity, dtype=np.int32),
        np.zeros(capacity, dtype=np.int32),
    )


@njit(cache=True, nogil=True)
def _grown_pairs(pairs, used, capacity):
    return Pairs(
        _grown(pairs.left, used, capacity),
        _grown(pairs.right, used, capacity),
        _grown(pairs.count, used, capacity),
        _grown(pairs.start, used, capacity),
        _grown(pairs.size, used, capacity),
        _grown(pairs.key, used, capacity),
        _grown(pairs.slot, used, capacity),
        _grown(pairs.next_left, used, capacity),
        _grown(pairs.next_right, used, capacity),
    )


@njit(cache=True, nogil=True)
def _grown(array, used, capacity):
    """A copy of an array's first elements with room for more."""
    grown = np.empty(capacity, dtype=array.dtype)
    grown[:used] = array[:used]
    return grown


def symbol_texts(alphabet: NDArray[np.uint32]) -> list[str]:
    """The text of each initial symbol."""
    return [chr(c) if c < CODES else "▁" + chr(c - CODES) for c in alphabet.tolist()]
