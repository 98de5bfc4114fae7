"""Replay the merges and removals of a PickyBPE model on a text."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from seggrid.base.compiled import njit
from seggrid.data.boundary import BOUNDARY
from seggrid.data.ragged import offsets_of
from seggrid.data.segmentation import Segmentation
from seggrid.segment.bpe.units import unit_symbols
from seggrid.segment.by_type import WordTypes
from seggrid.segment.picky.model import PickyModel, follow
from seggrid.segment.vocabulary.trie import NONE, Array, Trie, build_trie, longest_unit, slot_of


def apply(model: PickyModel, sentences: Sequence[Sequence[str]]) -> Segmentation:
    """Segment a corpus as learning did (Chizhov et al. 2024, section 3.2).

    A unit that is a present type is one token. In any other unit, all merges and removals are repeated in
    order, each at all its places from left to right. A removed type is split into the parts of the first
    merge that made it; parts are split further until each is present or a single symbol.

    Raises:
        InputError: a word is empty or has a `▁`, a `</w>`, a space or a line end in it.
    """
    corpus = WordTypes.from_sentences(sentences, spaces=model.spaces)
    symbols, offsets, texts = unit_symbols(corpus.words, "start" if model.spaces else None)
    number = {text: symbol for symbol, text in enumerate(texts)}
    events = _Events(model, number)
    present = model.present
    mark = BOUNDARY if model.spaces else ""
    whole = [number[mark + unit] if mark + unit in present else -1 for unit in corpus.words]
    tokens, counts = replay(symbols, offsets, np.array(whole, dtype=np.int32), *events.arrays())
    return corpus.segmentation_of_types(list(number), tokens, counts)


class _Events:
    """The events of a model over numbered types; types that `number` lacks are added to it.

    Attributes:
        number: the number of each type.
        merges: for each pair, the indices of the events that merge it.
        removals: for each type, the indices of the events that remove it.
        parts: for each event, the numbers of the types that a removed type is split into.
    """

    def __init__(self, model: PickyModel, number: dict[str, int]) -> None:
        self.number = number
        self.merges: dict[tuple[str, ...], list[int]] = {}
        self.removals: dict[str, list[int]] = {}
        self.parts: list[list[int]] = []
        first: dict[str, tuple[str, ...]] = {}
        present: set[str] = set()
        for place, event in enumerate(model.events):
            follow(present, event)
            split: list[str] = []
            if len(event) == 2:
                self.merges.setdefault(event, []).append(place)
                first.setdefault("".join(event), event)
            else:
                self.removals.setdefault(event[0], []).append(place)
                split = list(first[event[0]])
                while any(part in first and part not in present for part in split):
                    split = [
                        own
                        for part in split
                        for own in (
                            first[part] if part in first and part not in present else [part]
                        )
                    ]
            for text in (*event, "".join(event)):
                number.setdefault(text, len(number))
            self.parts.append([number[part] for part in split])

    def arrays(
        self,
    ) -> tuple[Trie, Array, Array, Array, Array, Array, Array]:
        """The arguments of `replay` from `trie` on."""
        pairs = [[self.number[part] for part in pair] for pair in self.merges]
        products = [self.number["".join(pair)] for pair in self.merges]
        trie: Trie = build_trie(
            np.array([part for pair in pairs for part in pair], dtype=np.int32),
            offsets_of([2] * len(pairs)),
            np.array(products, dtype=np.int32),
            len(self.number),
            np.empty(0),
        )
        removed: list[list[int]] = [self.removals.get(text, []) for text in self.number]
        return trie, *_ragged(list(self.merges.values())), *_ragged(removed), *_ragged(self.parts)


def _ragged(rows: Sequence[Sequence[int]]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    flat = np.array([number for row in rows for number in row], dtype=np.int32)
    return flat, offsets_of(list(map(len, rows)))


@njit
def replay(
    symbols: NDArray[np.int32],
    offsets: NDArray[np.int64],
    whole: NDArray[np.int32],
    trie: Trie,
    merged: NDArray[np.int32],
    merged_offsets: NDArray[np.int64],
    removed: NDArray[np.int32],
    removed_offsets: NDArray[np.int64],
    parts: NDArray[np.int32],
    parts_offsets: NDArray[np.int64],
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """The tokens of all units, and the number of tokens of each unit.

    Args:
        symbols: the units' initial symbols, shape (C,).
        offsets: first symbol of each unit, shape (U + 1,).
        whole: the type that is equal to each unit, or -1, shape (U,).
        trie: the distinct pairs that are merged.
        merged, merged_offsets: the events that merge each pair, ascending.
        removed, removed_offsets: the events that remove each type, ascending.
        parts, parts_offsets: the types into which each event splits its type; none for merges.
    """
    tokens = np.empty(len(symbols), dtype=np.int32)
    counts = np.ones(len(offsets) - 1, dtype=np.int64)
    token, made = np.empty(longest_unit(offsets), dtype=np.int32), tokens.copy()
    total = 0
    for unit in range(len(whole)):
        n = offsets[unit + 1] - offsets[unit]
        token[:n] = symbols[offsets[unit] : offsets[unit + 1]]
        if whole[unit] >= 0:
            n, token[0] = 1, whole[unit]
        event = 0
        while n > 0 and whole[unit] < 0:
            following = NONE
            for i in range(n):
                following = min(following, _from(event, removed, removed_offsets, token[i]))
                if i + 1 < n:
                    pair = trie.table[slot_of(trie.table, token[i], token[i + 1])].rank
                    if pair != NONE:
                        following = min(following, _from(event, merged, merged_offsets, pair))
            if following == NONE:
                break
            n = _happen(
                following, token, made, n, trie, merged, merged_offsets, removed, removed_offsets,
                parts[parts_offsets[following] : parts_offsets[following + 1]],
            )  # fmt: skip
            event = following + 1
        tokens[total : total + n] = token[:n]
        counts[unit] = n
        total += n
    return tokens[:total].copy(), counts


@njit
def _from(event: int, events: Array, offsets: Array, item: int) -> int:
    """The first event of a pair or type that is not before `event`; or NONE."""
    for k in range(offsets[item], offsets[item + 1]):
        if events[k] >= event:
            return int(events[k])
    return int(NONE)


@njit
def _happen(
    event: int, token: Array, made: Array, n: int, trie: Trie, merged: Array, merged_offsets: Array,
    removed: Array, removed_offsets: Array, parts: Array,
) -> int:  # fmt: skip
    """Apply an event at all its places in a unit, from left to right. Returns the new number of tokens."""
    at, i = 0, 0
    while i < n:
        pair = NONE
        if len(parts) == 0 and i + 1 < n:
            pair = trie.table[slot_of(trie.table, token[i], token[i + 1])].rank
        if pair != NONE and _from(event, merged, merged_offsets, pair) == event:
            made[at] = trie.merges[pair].product
            at += 1
            i += 2
        elif len(parts) and _from(event, removed, removed_offsets, token[i]) == event:
            made[at : at + len(parts)] = parts
            at += len(parts)
            i += 1
        else:
            made[at] = token[i]
            at += 1
            i += 1
    token[:at] = made[:at]
    return at
