"""Records and counts of pairs, and the lists of cells at which each pair occurred when it first appeared.

Lists are not updated: the cells show which occurrences are gone. See `learn_kernels`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from seggrid.base.compiled import njit

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
        ("key", np.float64),  # an upper bound of its score
        ("start", np.int64),  # where its list of occurrences begins
        ("size", np.int32),  # how long the list is
        ("slot", np.int32),  # where it is in the queue
        ("next_left", np.int32),  # the next pair with the same left symbol, 0 at the end
        ("next_right", np.int32),  # the next pair with the same right symbol, 0 at the end
    ],
    align=True,
)
OCCURRENCE = np.dtype([("cell", np.int32), ("pair", np.int32)], align=True)


@njit
def grown(array: Array, used: int, capacity: int) -> Array:
    """Copy the first `used` elements of an array into one of length `capacity`."""
    grown = np.empty(capacity, dtype=array.dtype)
    for i in range(used):
        grown[i] = array[i]
    return grown


@njit
def count_pairs(
    cells: Array, weights: Array, stride: int, symbols: Array, n_symbols: int, min_frequency: int
) -> tuple[Array, int, Array, int]:
    """Find and count the pairs of initial symbols.

    Returns:
        The pairs, the number that the next pair will get, the joined lists of their occurrences, and the
        total length of these lists.
    """
    # Sort the cells by symbol: the cells of a symbol are then handled like those of a merge's product.
    bounds = np.zeros(n_symbols + 1, dtype=np.int64)
    for i in range(len(cells)):
        if cells[i].symbol >= 0:
            bounds[cells[i].symbol + 1] += 1
    largest = 0
    for symbol in range(n_symbols):
        largest = max(largest, bounds[symbol + 1])
        bounds[symbol + 1] += bounds[symbol]
    # A quarter more than is needed, so that lists need not be compacted at once.
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
        # The lists overwrite the part of the sorted cells that has been read already.
        used, listed = settle(
            used, stop, made[:n_made], pairs, cells, places, listed, min_frequency
        )
    return pairs, used, places, listed


@njit
def merge_everywhere(
    merged: int, new: int, first: int, cells: Array, weights: Array, stride: int, symbols: Array,
    pairs: Array, places: Array, before_new: Array, after_new: Array, made: Array,
) -> tuple[int, int]:  # fmt: skip
    """Replace each occurrence of a pair by a new symbol, and count the pairs that arise.

    New pairs get numbers from `first` on. `before_new` and `after_new` hold the number of the pair that each
    symbol forms with the new symbol when it stands before or after it; they are all zero before and after
    the call. The occurrences of new pairs are written into `made`, in order; a later one may replace an
    earlier one at the same cell.

    Returns:
        The number of occurrences in `made`, and the number that the next pair will get.
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
    """List the occurrences of the pairs of a step, and drop pairs that are too rare.

    Args:
        first, stop: the pairs of the step are those from `first` to before `stop`.
        made: their occurrences, in order; some may have been replaced by later ones.
        listed: used length of `places`.

    Returns:
        The number that the next pair will get (the remaining pairs are renumbered in the same order), and
        the used length of `places`.
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
    """Copy the lists, without occurrences that are gone, to an array with free space. Returns the array and
    the total length of the lists."""
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
    # A quarter stays free, for the occurrences to be listed before the next compaction.
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
        pair_with: number of the pair that each possible neighbor forms, 0 if none yet.
        stop: number that a new pair gets.

    Returns:
        The number that the next pair will get.
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
