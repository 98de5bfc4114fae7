"""The compiled part of learning merges and removals: counts of pairs that fall and rise.

The kernels of BPE rely on counts that only fall; here counts rise again when a type is split. So each unit is
a row of tokens that is rewritten by events, and each pair and each type has a list of the units in which it
ever arose. A list may name units in which it no longer occurs.

The queue is that of BPE: a heap of pairs, ordered by keys that are upper bounds of their counts. If a count
rises above its key, the key is raised.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import uint64
from numpy.typing import NDArray

from seggrid.base.compiled import njit
from seggrid.segment.bpe.learn_kernels import add_symbol
from seggrid.segment.bpe.learn_pairs import PAIR, SYMBOL, Array, grown
from seggrid.segment.bpe.learn_queue import remove_first, sift_down, sift_up

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_OUT = -1  # the slot of a pair that is not in the queue
LINK = np.dtype([("unit", np.int32), ("next", np.int32)], align=True)
# A symbol's parts in its first merge, whether it is present, its tokens in distinct units, its list of units.
TYPE = np.dtype(
    [
        ("left", np.int32),
        ("right", np.int32),
        ("present", np.bool_),
        ("places", np.int64),
        ("units", np.int32),
    ],
    align=True,
)


class State(NamedTuple):
    """The counts, in arrays that are replaced by longer ones as they fill."""

    pairs: Any  # of PAIR; `start` is the head of the pair's list of units in `links`, or -1
    table: Any  # hash table of pairs, by open addressing, 0 where free; its length is a power of 2
    queue: Any  # pairs, as a heap
    links: Any  # of LINK: the linked lists of units
    symbols: Any  # of SYMBOL
    texts: Any  # the texts of all symbols, joined
    types: Any  # of TYPE, one for each symbol
    sizes: Any  # numbers of pairs, queued pairs and links in use, shape (3,)


@njit
def learn_events(
    initial: NDArray[np.int32],
    offsets: NDArray[np.int64],
    weights: NDArray[np.int64],
    alphabet: NDArray[np.uint32],
    text_offsets: NDArray[np.int64],
    size: int,
    min_frequency: int,
    numerator: int,
    denominator: int,
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Learn merges and removals.

    Args:
        initial: the symbols of distinct units, shape (C,).
        offsets: first symbol of each unit, shape (U + 1,).
        weights: how often each unit occurs, shape (U,).
        alphabet: the texts of the initial symbols as code points, one after another.
        text_offsets: where the text of each initial symbol begins, shape (A + 1,).
        size: the number of types to be present in the end.
        min_frequency: the smallest count of a pair that may be merged.
        numerator, denominator: the threshold.

    Returns:
        For each event, the left symbol of the merge, or the removed symbol; and the right symbol, or -1 for
        removals. New products are numbered in order, after the alphabet.
    """
    n_alphabet = len(text_offsets) - 1
    n_symbols = n_alphabet
    token = initial.copy()
    lengths = np.diff(offsets)
    longest = 0
    for length in lengths:
        longest = max(longest, length)
    made = np.empty(longest, dtype=np.int32)
    parts, pending = np.empty(longest, dtype=np.int32), np.empty(longest, dtype=np.int32)
    left_of, right_of = np.empty(1024, dtype=np.int32), np.empty(1024, dtype=np.int32)
    by_text = np.zeros(1024, dtype=np.int32)
    state = initial_state(initial, offsets, weights, alphabet, text_offsets)
    n_events, present = 0, 0
    while present < size:
        best = best_pair(state, min_frequency)
        if best == 0:
            break
        left, right = state.pairs[best].left, state.pairs[best].right
        if n_symbols == len(state.symbols):
            state = with_symbols(state, 2 * n_symbols)
        texts = add_symbol(n_symbols, left, right, state.symbols, state.texts)
        state = with_texts(state, texts)
        if 2 * (n_symbols - n_alphabet + 1) > len(by_text):
            by_text = _larger_index(by_text, n_alphabet, n_symbols, state.symbols, texts)
        slot = _text_slot(by_text, n_symbols, state.symbols, texts)
        new = by_text[slot] - 1
        if new < 0:
            new = n_symbols
            by_text[slot] = new + 1
            state.symbols[new].frequency = 0
            state.types[new].left, state.types[new].right = left, right
            state.types[new].present, state.types[new].places = False, 0
            state.types[new].units = -1
            n_symbols += 1
        if not state.types[new].present:
            state.types[new].present = True
            present += 1
        if n_events + 3 > len(left_of):
            left_of = grown(left_of, n_events, 2 * len(left_of))
            right_of = grown(right_of, n_events, 2 * len(right_of))
        left_of[n_events], right_of[n_events] = left, right
        n_events += 1

        state = with_room(state, 3 * min(state.types[left].places, state.types[right].places))
        merged = merge_in_units(best, new, token, offsets, lengths, weights, made, state)
        for side in range(2 if left != right else 1):
            part = right if side else left
            frequency = state.symbols[part].frequency
            above = merged * denominator > numerator * (frequency + merged)
            if part >= n_alphabet and state.types[part].present and above:
                state.types[part].present = False
                present -= 1
                n = _expand(part, n_alphabet, state.types, parts, pending)
                state = with_room(state, (n + 1) * state.types[part].places)
                _split(part, parts[:n], token, offsets, lengths, weights, made, state)
                left_of[n_events], right_of[n_events] = part, -1
                n_events += 1
    return left_of[:n_events].copy(), right_of[:n_events].copy()


@njit
def best_pair(state: State, min_frequency: int) -> int:
    """The most frequent pair, among equally frequent ones the larger by text; 0 if none is frequent
    enough."""
    pairs, queue, sizes = state.pairs, state.queue, state.sizes
    while sizes[1] > 0:
        best = queue[0]
        if pairs[best].count < min_frequency:
            sizes[1] = remove_first(queue, sizes[1], pairs, state.symbols, state.texts)
            pairs[best].slot = _OUT
        elif pairs[best].key == pairs[best].count:
            return int(best)
        else:
            pairs[best].key = pairs[best].count
            sift_down(queue, sizes[1], 0, pairs, state.symbols, state.texts)
    return 0


@njit
def initial_state(
    initial: Array, offsets: Array, weights: Array, alphabet: Array, text_offsets: Array
) -> State:
    """The counts of the initial symbols; arguments as for `learn_events`."""
    n_symbols = len(text_offsets) - 1
    symbols = np.zeros(2 * n_symbols + 16, dtype=SYMBOL)
    types = np.zeros(len(symbols), dtype=TYPE)
    for symbol in range(n_symbols):
        symbols[symbol].text = text_offsets[symbol]
        symbols[symbol].length = text_offsets[symbol + 1] - text_offsets[symbol]
        types[symbol].units = -1
    pairs = np.zeros(1024, dtype=PAIR)
    state = State(
        pairs,
        np.zeros(4096, dtype=np.int32),
        np.empty(1024, dtype=np.int32),
        np.empty(len(initial) + 1024, dtype=LINK),
        symbols,
        alphabet.copy(),
        types,
        np.array([1, 0, 0]),
    )
    for unit in range(len(offsets) - 1):
        state = with_room(state, offsets[unit + 1] - offsets[unit])
        for i in range(offsets[unit], offsets[unit + 1]):
            state.symbols[initial[i]].frequency += weights[unit]
            state.types[initial[i]].places += 1
            if i + 1 < offsets[unit + 1]:
                _count(initial[i], initial[i + 1], weights[unit], unit, state)
    return state


@njit
def merge_in_units(
    merged: int, new: int, token: Array, offsets: Array, lengths: Array, weights: Array, made: Array,
    state: State,
) -> int:  # fmt: skip
    """Replace a pair by its product in all units. Returns the number of replacements."""
    pairs, links, symbols, types = state.pairs, state.links, state.symbols, state.types
    left, right = pairs[merged].left, pairs[merged].right
    link = pairs[merged].start
    pairs[merged].start = -1
    total = 0
    while link >= 0:
        unit = links[link].unit
        link = links[link].next
        first, n, weight = offsets[unit], lengths[unit], weights[unit]
        at, i, found = 0, 0, 0
        while i < n:
            here = token[first + i]
            if i + 1 < n and here == left and token[first + i + 1] == right:
                _count(left, right, -weight, unit, state)
                if at:
                    _count(made[at - 1], left, -weight, unit, state)
                    _count(made[at - 1], new, weight, unit, state)
                if i + 2 < n:
                    _count(right, token[first + i + 2], -weight, unit, state)
                    _count(new, token[first + i + 2], weight, unit, state)
                made[at] = new
                found += 1
                i += 2
            else:
                made[at] = here
                i += 1
            at += 1
        if found:
            token[first : first + at] = made[:at]
            lengths[unit] = at
            types[left].places -= found
            types[right].places -= found
            types[new].places += found
            total += found * weight
            _note(new, unit, state)
    symbols[left].frequency -= total
    symbols[right].frequency -= total
    symbols[new].frequency += total
    return total


@njit
def _split(
    removed: int, parts: Array, token: Array, offsets: Array, lengths: Array, weights: Array,
    made: Array, state: State,
) -> None:  # fmt: skip
    """Replace a type by some parts in all units."""
    symbols, types, links = state.symbols, state.types, state.links
    link = types[removed].units
    types[removed].units = -1
    while link >= 0:
        unit = links[link].unit
        link = links[link].next
        first, n, weight = offsets[unit], lengths[unit], weights[unit]
        at, found = 0, 0
        for i in range(n):
            here = token[first + i]
            if here != removed:
                made[at] = here
                at += 1
                continue
            found += 1
            if at:
                _count(made[at - 1], removed, -weight, unit, state)
                _count(made[at - 1], parts[0], weight, unit, state)
            if i + 1 < n:
                _count(removed, token[first + i + 1], -weight, unit, state)
                _count(parts[-1], token[first + i + 1], weight, unit, state)
            for k in range(len(parts)):
                made[at] = parts[k]
                at += 1
                if k:
                    _count(parts[k - 1], parts[k], weight, unit, state)
        if found:
            token[first : first + at] = made[:at]
            lengths[unit] = at
            for part in parts:
                symbols[part].frequency += found * weight
                types[part].places += found
                _note(part, unit, state)
    symbols[removed].frequency = 0
    types[removed].places = 0


@njit
def _expand(removed: int, n_alphabet: int, types: Array, parts: Array, pending: Array) -> int:
    """Write the present parts of a removed type to `parts`. Returns how many there are."""
    n, left = 0, 1
    pending[0] = removed
    while left:
        left -= 1
        part = pending[left]
        if part < n_alphabet or types[part].present:
            parts[n] = part
            n += 1
        else:
            pending[left], pending[left + 1] = types[part].right, types[part].left
            left += 2
    return n


@njit
def _count(left: int, right: int, weight: int, unit: int, state: State) -> None:
    """Add occurrences of a pair in a unit; if the weight is negative, subtract them."""
    pairs, queue, sizes = state.pairs, state.queue, state.sizes
    slot = pair_slot(left, right, pairs, state.table)
    pair = state.table[slot]
    if pair == 0:
        pair = sizes[0]
        sizes[0] += 1
        state.table[slot] = pair
        pairs[pair].left, pairs[pair].right = left, right
        pairs[pair].count, pairs[pair].start, pairs[pair].slot = 0, -1, _OUT
    pairs[pair].count += weight
    if weight < 0:
        return
    last = pairs[pair].start
    if last < 0 or state.links[last].unit != unit:
        state.links[sizes[2]].unit, state.links[sizes[2]].next = unit, last
        pairs[pair].start = sizes[2]
        sizes[2] += 1
    if pairs[pair].slot == _OUT:
        pairs[pair].key = pairs[pair].count
        queue[sizes[1]] = pair
        sizes[1] += 1
        sift_up(queue, sizes[1] - 1, pairs, state.symbols, state.texts)
    elif pairs[pair].count > pairs[pair].key:
        pairs[pair].key = pairs[pair].count
        sift_up(queue, pairs[pair].slot, pairs, state.symbols, state.texts)


@njit
def _note(symbol: int, unit: int, state: State) -> None:
    """Add a unit to the list of units of a symbol."""
    last = state.types[symbol].units
    if last < 0 or state.links[last].unit != unit:
        link = state.sizes[2]
        state.links[link].unit, state.links[link].next = unit, last
        state.types[symbol].units = link
        state.sizes[2] += 1


@njit
def pair_slot(left: int, right: int, pairs: Array, table: Array) -> int:
    """The slot of a pair in the table, or the free slot where it would be put."""
    mask = len(table) - 1
    key = (uint64(left) << uint64(32)) + uint64(right)
    slot = int((key * _GOLDEN) >> uint64(32)) & mask
    while table[slot] != 0 and (
        pairs[table[slot]].left != left or pairs[table[slot]].right != right
    ):
        slot = (slot + 1) & mask
    return slot


@njit
def _text_slot(by_text: Array, symbol: int, symbols: Array, texts: Array) -> int:
    """The slot, in an index by text, of the first symbol with the same text; or the free slot where it would
    be put."""
    start, length = symbols[symbol].text, symbols[symbol].length
    code = uint64(length)
    for i in range(start, start + length):
        code = (code ^ uint64(texts[i])) * _GOLDEN
    mask = len(by_text) - 1
    slot = int(code >> uint64(32)) & mask
    same = False
    while by_text[slot] != 0 and not same:
        other = by_text[slot] - 1
        same = symbols[other].length == length
        begin = symbols[other].text
        for k in range(length):
            same = same and texts[begin + k] == texts[start + k]
            if not same:
                break
        if not same:
            slot = (slot + 1) & mask
    return slot


@njit
def _larger_index(by_text: Array, first: int, stop: int, symbols: Array, texts: Array) -> Array:
    """The index by text of the symbols from `first` to before `stop`, twice as large as before."""
    larger = np.zeros(2 * len(by_text), dtype=by_text.dtype)
    for symbol in range(first, stop):
        larger[_text_slot(larger, symbol, symbols, texts)] = symbol + 1
    return larger


@njit
def with_room(state: State, room: int) -> State:
    """The state with room for `room` more pairs and links."""
    pairs, table, queue, links, symbols, texts, types, sizes = state
    if sizes[0] + room > len(pairs):
        pairs = grown(pairs, sizes[0], 2 * (sizes[0] + room))
        queue = grown(queue, sizes[1], len(pairs))
    if 2 * (sizes[0] + room) > len(table):
        length = len(table)
        while length < 2 * (sizes[0] + room):
            length *= 2
        table = np.zeros(2 * length, dtype=np.int32)
        for pair in range(1, sizes[0]):
            table[pair_slot(pairs[pair].left, pairs[pair].right, pairs, table)] = pair
    if sizes[2] + 2 * room > len(links):
        links = grown(links, sizes[2], 2 * (sizes[2] + 2 * room))
    return State(pairs, table, queue, links, symbols, texts, types, sizes)


@njit
def with_symbols(state: State, room: int) -> State:
    """The state with room for `room` symbols."""
    n = len(state.symbols)
    return State(
        state.pairs,
        state.table,
        state.queue,
        state.links,
        grown(state.symbols, n, room),
        state.texts,
        grown(state.types, n, room),
        state.sizes,
    )


@njit
def with_texts(state: State, texts: Array) -> State:
    return State(
        state.pairs,
        state.table,
        state.queue,
        state.links,
        state.symbols,
        texts,
        state.types,
        state.sizes,
    )
