"""Cut units into types of a vocabulary by a rule.

A unit is a word, or a sentence if tokens may cross spaces. Single symbols are always types.

- `left`: from left to right, each time the longest type with which the rest begins (MaxMatch; BERT's
  WordPiece).
- `right`: the mirror image, from right to left.
- `flota`: the longest type anywhere in the unit, the leftmost of equally long ones; then the same in the
  parts left and right of it (Hofmann et al. 2022, without its limit on the number of tokens).
- `least`: the fewest tokens; among segmentations with as few, the one with the longest last token, then with
  the longest last but one, and so on (Schmidt et al. 2024, PathPiece, algorithm 1).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from seggrid.base.compiled import njit
from seggrid.data.segmentation import Segmentation
from seggrid.errors import InputError
from seggrid.segment.trie import NONE, Trie, longest_unit, slot_of, tokens_of, trie_of, worth_of
from seggrid.segment.units import WordTypes, unit_symbols

RULES = ("left", "right", "flota", "least")
"""The rules, values of the axis `application`."""
NEVER = -100.0
"""The logarithm of the probability of a symbol that is never a token (as in script_tok's `mingram`)."""

Ints = NDArray[np.integer]


def segment(
    corpus: WordTypes,
    types: Collection[str],
    rule: str,
    log_p: Mapping[str, float] | None = None,
) -> Segmentation:
    """Segment a corpus by a vocabulary whose types have `▁` before the first character of a word."""
    texts, tokens, offsets = cut(
        corpus.words, types, rule, "start" if corpus.spaces else None, log_p
    )
    return corpus.segmentation_of_types(texts, tokens, np.diff(offsets))


def cut(
    units: Sequence[str],
    types: Collection[str],
    rule: str,
    marking: str | None,
    log_p: Mapping[str, float] | None = None,
) -> tuple[list[str], NDArray[np.int32], NDArray[np.int64]]:
    """Cut units, words that are marked (see `BPEModel`) or, if `marking` is None, other text. Returns the
    texts of types; the tokens of all units as indices of these, shape (T,); the first token of each unit, (U
    + 1,).

    Types of one symbol have no effect. With `log_p`, the logarithm of the probability of each type and
    symbol, `NEVER` for others, the rule `least` takes the most probable of the segmentations with the fewest
    tokens, then the one with the longest last token.
    """
    if rule not in RULES:
        raise InputError(f"no vocabulary is applied by {rule!r}", hint=f"one of {', '.join(RULES)}")
    symbols, offsets, texts = unit_symbols(units, marking)
    backwards = rule in ("right", "least")
    trie, known = trie_of(types, texts, marking, backwards=backwards)
    if rule == "least":
        worth = np.empty(0, dtype=np.int64)
        if log_p is not None:
            worth = worth_of([log_p.get(text, NEVER) for text in texts + known])
        starts = cover_least(symbols, offsets, trie, worth)
    elif rule == "flota":
        starts = cover_longest(symbols, offsets, trie)
    else:
        starts = cover_greedily(symbols, offsets, trie, backwards)
    return texts + known, *tokens_of(starts, offsets)


# A kernel is given the initial symbols of all units, shape (C,), and the first symbol of each unit, shape
# (U + 1,). It returns, for each symbol, the token that begins at it, or -1. Types are found through the trie
# in which a BPE finds its merges: a type is a merge of its symbols.


@njit
def cover_greedily(symbols: Ints, offsets: Ints, trie: Trie, from_end: bool) -> NDArray[np.int32]:
    """Take the longest type each time, from the start of each unit or `from_end`, with a trie that is then
    read from the last symbols of types."""
    starts = np.full(len(symbols), -1, dtype=np.int32)
    step = -1 if from_end else 1
    for unit in range(len(offsets) - 1):
        i, stop = offsets[unit], offsets[unit + 1]
        if from_end:
            i, stop = stop - 1, i - 1
        while i != stop:
            length, token = 1, symbols[i]
            node, k, n = symbols[i], i + step, 2
            while k != stop and node >= 0:
                entry = trie.table[slot_of(trie.table, node, symbols[k])]
                if entry.rank != NONE:
                    length, token = n, trie.merges[entry.rank].product
                node = entry.next
                k += step
                n += 1
            starts[i - length + 1 if from_end else i] = token
            i += step * length
    return starts


@njit
def cover_least(
    symbols: Ints,
    offsets: Ints,
    trie: Trie,
    worth: Ints,
) -> NDArray[np.int32]:
    """Take the fewest tokens; then the greatest sum of `worth`, of each symbol and type, or (0,) if all are
    equal; then the longest last token, last but one, ... The trie has types from their last symbols on."""
    starts = np.full(len(symbols), -1, dtype=np.int32)
    longest = longest_unit(offsets)
    count = np.zeros(longest + 1, dtype=np.int32)
    width, last = np.empty(longest + 1, dtype=np.int32), np.empty(longest + 1, dtype=np.int32)
    total = np.zeros(longest + 1, dtype=np.int64)
    weighs = len(worth) > 0
    for unit in range(len(offsets) - 1):
        first = offsets[unit]
        n = offsets[unit + 1] - first
        for end in range(1, n + 1):
            node = symbols[first + end - 1]
            count[end], width[end], last[end] = count[end - 1] + 1, 1, node
            if weighs:
                total[end] = total[end - 1] + worth[node]
            begin = end - 2
            while begin >= 0 and node >= 0:
                entry = trie.table[slot_of(trie.table, node, symbols[first + begin])]
                if entry.rank != NONE and count[begin] + 1 <= count[end]:
                    token = trie.merges[entry.rank].product
                    sum_ = total[begin] + (worth[token] if weighs else 0)
                    if count[begin] + 1 < count[end] or sum_ >= total[end]:
                        count[end], width[end], total[end] = count[begin] + 1, end - begin, sum_
                        last[end] = token
                node = entry.next
                begin -= 1
        end = n
        while end > 0:
            starts[first + end - width[end]] = last[end]
            end -= width[end]
    return starts


@njit
def cover_longest(symbols: NDArray[np.int32], offsets: Ints, trie: Trie) -> NDArray[np.int32]:
    """Take the longest type anywhere, the leftmost of equally long ones; then the same on both sides of it:
    take occurrences of types by length, then from left to right, if their place is still free."""
    starts = symbols.copy()
    bounds = np.zeros(trie.longest + 1, dtype=np.int64)
    taken = np.zeros(len(symbols), dtype=np.bool_)
    places, types = np.empty(64, dtype=np.int64), np.empty(64, dtype=np.int32)
    for unit in range(len(offsets) - 1):
        first, stop = offsets[unit], offsets[unit + 1]
        bounds[:] = 0
        total = _occurrences(symbols, first, stop, trie, bounds, places, types, False)
        if total > len(places):
            places, types = np.empty(2 * total, dtype=np.int64), np.empty(2 * total, dtype=np.int32)
        above = 0
        for length in range(len(bounds) - 1, 1, -1):
            above, bounds[length] = above + bounds[length], above
        _occurrences(symbols, first, stop, trie, bounds, places, types, True)
        for k in range(total):
            i, end = places[k], places[k] + trie.merges[types[k]].parts
            # Occurrences already taken are at least as long: if one overlaps this one, it covers an end of
            # it.
            if not taken[i] and not taken[end - 1]:
                starts[i] = trie.merges[types[k]].product
                starts[i + 1 : end] = -1
                taken[i:end] = True
    return starts


@njit
def _occurrences(
    symbols: Ints, first: int, stop: int, trie: Trie, bounds: Ints, places: Ints, types: Ints,
    listing: bool,
) -> int:  # fmt: skip
    """Count the occurrences of types in a unit, by length, in `bounds`; or list them at the places that it
    gives. Returns their number."""
    total = 0
    for i in range(first, stop):
        node, k = symbols[i], i + 1
        while k < stop and node >= 0:
            entry = trie.table[slot_of(trie.table, node, symbols[k])]
            if entry.rank != NONE:
                length = k + 1 - i
                if listing:
                    places[bounds[length]], types[bounds[length]] = i, entry.rank
                bounds[length] += 1
                total += 1
            node = entry.next
            k += 1
    return total
