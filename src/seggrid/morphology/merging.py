"""Apply merges to numbered symbols, and record which merge deleted each boundary."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from seggrid.base.compiled import njit
from seggrid.segment.bpe import apply_kernels as kernels
from seggrid.segment.bpe.merge_table import MergeTable
from seggrid.segment.trie import NONE, Trie

QUEUE = "queue"
"""The name in tables for the kind of dropout of `apply_merges`."""

_WAITING, _ASIDE, _DONE = range(3)


def apply_merges(
    table: MergeTable,
    symbols: NDArray[np.int32],
    offsets: NDArray[np.int64],
    dropout: float = 0.0,
    seed: int = 0,
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Segment units by byte-tuple encoding (BPE-knockout, section 3.2).

    In each unit the applicable merge of highest priority is applied, from left to right, until none is left.
    With dropout, the next occurrence may be skipped instead. This is the dropout of Hugging Face's
    tokenizers, on which the paper's figures are based, not that of the axis `dropout`: skipped occurrences
    return to the queue as soon as a later one is not skipped, even if that one no longer exists. So fewer
    occurrences are dropped for good than in Provilkov et al. (2020), where the first step without a merge is
    the last.

    Args:
        table: the merges.
        symbols: initial types of all units, shape (S,).
        offsets: first symbol of each unit, shape (U + 1,).
        dropout: the probability of skipping an occurrence in the queue.
        seed: seed of the random draws; those for a unit depend on the seed and the number of the unit.

    Returns:
        merged_by: for each initial symbol, the merge that deleted the boundary before it, or -1 if
            a token begins there, shape (S,);
        tokens: the type of the token that begins at each initial symbol, -1 if none begins there, shape (S,).
    """
    merged_by = np.full(len(symbols), -1, dtype=np.int32)
    if dropout:
        flat = _segment_with_queue(
            symbols, offsets, table.trie(), dropout, np.uint64(seed % 2**64), merged_by
        )
    else:
        flat, _ = kernels.segment_units(symbols, offsets, table.trie(), merged_by)
    tokens = np.full(len(symbols), -1, dtype=np.int32)
    tokens[merged_by < 0] = flat
    return merged_by, tokens


@njit
def _segment_with_queue(
    symbols: NDArray[np.int32],
    offsets: NDArray[np.int64],
    trie: Trie,
    dropout: float,
    seed: np.uint64,
    merged_by: NDArray[np.int32],
) -> NDArray[np.int32]:
    """The tokens of all units, with dropout as in `apply_merges`; fills `merged_by`."""
    tokens = np.empty(len(symbols), dtype=np.int32)
    longest = trie.longest
    widest = np.diff(offsets).max() if len(offsets) > 1 else 0
    unit = np.empty(widest, dtype=np.int32)
    begins = np.empty(widest, dtype=np.int64)
    best = np.empty(widest, dtype=np.int32)
    known = np.empty(longest, dtype=np.int32)
    # At first the queue has an entry for each position; each merge adds at most `longest` entries.
    room = widest * (longest + 1)
    merge_of = np.empty(room, dtype=np.int32)
    begin_of = np.empty(room, dtype=np.int64)
    state = np.empty(room, dtype=np.int8)
    end = 0
    for u in range(len(offsets) - 1):
        first = offsets[u]
        length = offsets[u + 1] - first
        draws = 0
        turns = 0
        for i in range(length):
            unit[i] = symbols[first + i]
            begins[i] = first + i
        for i in range(length):
            best[i] = kernels.best_merge(unit, i, length, trie.table)
            if best[i] != NONE:
                merge_of[turns], begin_of[turns], state[turns] = best[i], begins[i], _WAITING
                turns += 1
        while True:
            turn = _next_turn(merge_of, begin_of, state, turns)
            if turn < 0:
                break
            draws += 1
            if kernels.uniform(seed, draws, u, 0) < dropout:
                state[turn] = _ASIDE
                continue
            state[turn] = _DONE
            for t in range(turns):
                if state[t] == _ASIDE:
                    state[t] = _WAITING
            at = np.searchsorted(begins[:length], begin_of[turn])
            if at == length or begins[at] != begin_of[turn] or best[at] != merge_of[turn]:
                continue
            reach = max(0, at - longest + 1)
            known[: at - reach] = best[reach:at]
            length = _join(at, unit, begins, best, length, trie, merged_by)
            for i in range(reach, at + 1):
                best[i] = kernels.best_merge(unit, i, length, trie.table)
                if best[i] != NONE and (i == at or best[i] != known[i - reach]):
                    merge_of[turns], begin_of[turns], state[turns] = best[i], begins[i], _WAITING
                    turns += 1
        tokens[end : end + length] = unit[:length]
        end += length
    return tokens[:end].copy()


@njit
def _next_turn(
    merge_of: NDArray[np.int32], begin_of: NDArray[np.int64], state: NDArray[np.int8], turns: int
) -> int:
    """The waiting entry of highest priority, the leftmost among equal ones, or -1."""
    turn = -1
    for t in range(turns):
        if state[t] == _WAITING and (
            turn < 0
            or merge_of[t] < merge_of[turn]
            or (merge_of[t] == merge_of[turn] and begin_of[t] < begin_of[turn])
        ):
            turn = t
    return turn


@njit
def _join(
    at: int,
    unit: NDArray[np.int32],
    begins: NDArray[np.int64],
    best: NDArray[np.int32],
    length: int,
    trie: Trie,
    merged_by: NDArray[np.int32],
) -> int:
    """Apply the best merge at a position of a unit, and return the unit's new length."""
    merge = best[at]
    parts = trie.merges[merge].parts
    for i in range(at + 1, at + parts):
        merged_by[begins[i]] = merge
    unit[at] = trie.merges[merge].product
    length -= parts - 1
    for i in range(at + 1, length):
        unit[i] = unit[i + parts - 1]
        begins[i] = begins[i + parts - 1]
        best[i] = best[i + parts - 1]
    return length
