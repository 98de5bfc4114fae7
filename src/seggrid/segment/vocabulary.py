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
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from seggrid.base.compiled import njit
from seggrid.base.errors import InputError
from seggrid.segment.trie import (
    NONE,
    Trie,
    longest_unit,
    slot_of,
    symbols_in,
    trie_of,
    worth_of,
)
from seggrid.segment.units import WordTypes, unit_symbols
from seggrid.text.ragged import offsets_of
from seggrid.text.segmentation import Segmentation
from seggrid.text.words import number_distinct

RULES = ("left", "right", "flota", "least")
"""The rules, values of the axis `application`."""
NEVER = -100.0
"""The logarithm of the probability of a symbol that is never a token (as in script_tok's `mingram`)."""

Ints = NDArray[np.integer]


def segment_by_vocabulary(
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
    """Cut U units: words that are marked (see `BPEModel`) or, if `marking` is None, other text.

    Returns the texts of types; the tokens of all units as indices of these, shape (T,); and the first token
    of each unit, shape (U + 1,).

    Types of one symbol have no effect. With `log_p`, the logarithm of the probability of each type and
    symbol, `NEVER` for others, the rule `least` takes the most probable of the segmentations with the fewest
    tokens, then the one with the longest last token.
    """
    if rule not in RULES:
        raise InputError(f"no vocabulary is applied by {rule!r}", hint=f"one of {', '.join(RULES)}")
    symbols, offsets, texts = unit_symbols(units, marking)
    if rule == "flota":
        ranks = {type_: -len(symbols_in(type_, marking)) for type_ in types}
        longest = -min(ranks.values(), default=0)
        rows = ([texts[k] for k in symbols[a:b].tolist()] for a, b in pairwise(offsets.tolist()))
        return number_distinct([laid_over(row, ranks, longest) for row in rows])
    backwards = rule in ("right", "least")
    trie, known = trie_of(types, texts, marking, backwards=backwards)
    if rule == "least":
        worth = worth_of([0.0 if log_p is None else log_p.get(t, NEVER) for t in texts + known])
        starts = cover_least(symbols, offsets, trie, worth)
    else:
        starts = cover_greedily(symbols, offsets, trie, backwards)
    begins = starts >= 0
    return texts + known, starts[begins], offsets_of(begins)[offsets]


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
def cover_least(symbols: Ints, offsets: Ints, trie: Trie, worth: Ints) -> NDArray[np.int32]:
    """Take the fewest tokens; then the greatest sum of `worth`, of each symbol and type; then the longest
    last token, last but one, ... The trie has types from their last symbols on."""
    starts = np.full(len(symbols), -1, dtype=np.int32)
    longest = longest_unit(offsets)
    count = np.zeros(longest + 1, dtype=np.int32)
    width, last = np.empty(longest + 1, dtype=np.int32), np.empty(longest + 1, dtype=np.int32)
    total = np.zeros(longest + 1, dtype=np.int64)
    for unit in range(len(offsets) - 1):
        first = offsets[unit]
        n = offsets[unit + 1] - first
        for end in range(1, n + 1):
            node = symbols[first + end - 1]
            count[end], width[end], last[end] = count[end - 1] + 1, 1, node
            total[end] = total[end - 1] + worth[node]
            begin = end - 2
            while begin >= 0 and node >= 0:
                entry = trie.table[slot_of(trie.table, node, symbols[first + begin])]
                if entry.rank != NONE and count[begin] + 1 <= count[end]:
                    token = trie.merges[entry.rank].product
                    sum_ = total[begin] + (worth[token])
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


def laid_over(symbols: Sequence[str], ranks: Mapping[str, int], longest: int) -> list[str]:
    """Lay types of at most `longest` symbols over a unit: the occurrences of all types are tried by the rank
    of the type, then from left to right; each that neither starts nor ends inside a present token becomes
    one. Returns the tokens."""
    found = []
    for i in range(len(symbols)):
        for end in range(i + 2, min(len(symbols), i + longest) + 1):
            if (rank := ranks.get("".join(symbols[i:end]))) is not None:
                found.append((rank, i, end))
    begins = bytearray(b"\1" * (len(symbols) + 1))
    for _, i, end in sorted(found):
        if begins[i] and begins[end]:
            begins[i + 1 : end] = bytes(end - i - 1)
    bounds = [k for k, begin in enumerate(begins) if begin]
    return ["".join(symbols[a:b]) for a, b in pairwise(bounds)]
