"""Learning's pairs: their counts, and the lists of the cells where each was when it came up.

Lists are not updated: the cells show which occurrences are gone. See `learn_kernels`.
"""

from __future__ import annotations

import numpy as np

from seggrid.data.compiled import njit
from seggrid.segment.bpe.learn_records import OCCURRENCE, PAIR, Array, grown


@njit
def count_pairs(
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
            pairs = grown(pairs, used, 2 * (used + n_symbols))
        n_made = 0
        stop = used
        for k in range(bounds[symbol], bounds[symbol + 1]):
            i = places[k]
            right = cells[i + 1].symbol
            if right >= 0:
                weight = weights[i * stride]
                stop = _count_pair(
                    symbol, right, weight, i, after, right, pairs, stop, cells, made, n_made
                )
                n_made += 1
        for pair in range(used, stop):
            after[pairs[pair].right] = 0
        # The lists fit where the sorted cells were, since these have been read as far.
        used, listed = settle(
            used, stop, made[:n_made], pairs, cells, places, listed, min_frequency
        )
    return pairs, used, places, listed


@njit
def merge_everywhere(
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


@njit
def compacted(
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
        places = grown(places, listed, listed + room)
    return places, listed


@njit(forceinline=True)
def _count_pair(
    left: int, right: int, weight: int, cell: int, pair_with: Array, neighbor: int, pairs: Array,
    stop: int, cells: Array, made: Array, n_made: int,
) -> int:  # fmt: skip
    """Count an occurrence of the pair (left, right) at a cell, and note it in `made[n_made]`.

    Args:
        pair_with: the number of the pair with each neighbor, 0 where it has none yet.
        stop: the number that a new pair gets.

    Returns:
        The number after that of the last pair.
    """
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
