"""Learn merges that leave two texts with equally many tokens: parity-aware BPE."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from seggrid.base.compiled import njit
from seggrid.data.ragged import offsets_of
from seggrid.errors import InputError
from seggrid.segment.bpe.learn_kernels import add_symbol, learn_merges, spread_weights
from seggrid.segment.bpe.model import BPEModel
from seggrid.segment.bpe.units import check_words, numbered_symbols, sentence_units, symbol_texts
from seggrid.segment.picky.learn_kernels import (
    State,
    best_pair,
    initial_state,
    merge_in_units,
    pair_slot,
    with_room,
    with_symbols,
    with_texts,
)


def learn(
    sentences: Sequence[Sequence[str]],
    merges: int,
    second: int,
    *,
    spaces: bool = True,
    min_frequency: int = 2,
    global_merges: int = 0,
) -> BPEModel:
    """Learn merges from two parallel texts (Foroutan et al. 2025, algorithm 1, with the training texts as
    development set).

    Each step takes the text with more tokens (the first text if they have equally many). The most frequent
    pair of that text alone is merged in both texts; ties are broken as in `seggrid.segment.bpe.learn`.
    Learning stops when the pair occurs less than `min_frequency` times.

    Args:
        sentences: the first text, then the second.
        merges: the largest number of merges to learn.
        second: the number of sentences of the first text, which is also that of the second.
        spaces: whether units are words or whole sentences; see `BPEModel`.
        min_frequency: the smallest count of a pair that may become a merge, at least 1.
        global_merges: how many of the merges are first learned as a BPE of both texts together (the authors'
            option of this name).

    Raises:
        InputError: the texts have different numbers of sentences, or a word is empty or has a `▁`, a `</w>`,
            a space or a line end in it.
    """
    texts = [sentences[:second], sentences[second:]]
    if len(texts[0]) != len(texts[1]):
        raise InputError(
            f"parity of {len(texts[0]):,} and {len(texts[1]):,} sentences",
            hint="give two texts that are parallel sentence by sentence",
        )
    counts = [Counter(chain.from_iterable(text)) for text in texts]
    for count in counts:
        check_words(list(count))
    if not spaces:
        counts = [Counter(sentence_units(text)) for text in texts]
    cells, numbers = numbered_symbols([*counts[0], *counts[1]], "start" if spaces else None)
    alphabet = symbol_texts(numbers, "start")
    weights = np.array([*counts[0].values(), *counts[1].values()], dtype=np.int64)
    shared = learn_merges(
        cells,
        spread_weights(cells, weights),
        *_texts(alphabet),
        min(global_merges, merges),
        min_frequency,
        0,
        0,
    )
    learned = _spelled(shared.left, shared.right, alphabet)
    symbols = shared.text[shared.text >= 0]
    offsets = offsets_of(np.diff(np.flatnonzero(shared.text < 0)) - 1)
    codes, bounds = _texts(alphabet)
    middle, first = offsets[len(counts[0])], len(counts[0])
    left, right = learn_pairs(
        initial_state(symbols[:middle], offsets[: first + 1], weights[:first], codes, bounds),
        initial_state(symbols[middle:], offsets[first:] - middle, weights[first:], codes, bounds),
        (symbols[:middle].copy(), symbols[middle:].copy()),
        (offsets[: first + 1], offsets[first:] - middle),
        (weights[:first], weights[first:]),
        len(alphabet),
        merges - len(learned),
        min_frequency,
    )
    return BPEModel([*learned, *_spelled(left, right, alphabet)], spaces)


def _texts(alphabet: Sequence[str]) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """The texts of symbols as one array of code points, and where each text begins."""
    codes = np.array([ord(c) for text in alphabet for c in text], dtype=np.uint32)
    return codes, offsets_of(list(map(len, alphabet)))


def _spelled(
    left: NDArray[np.int32], right: NDArray[np.int32], alphabet: list[str]
) -> list[tuple[str, ...]]:
    """The parts of merges; adds the texts of their products to the alphabet."""
    merges: list[tuple[str, ...]] = []
    for a, b in zip(left.tolist(), right.tolist(), strict=True):
        merges.append((alphabet[a], alphabet[b]))
        alphabet.append(alphabet[a] + alphabet[b])
    return merges


@njit
def learn_pairs(
    first: State,
    second: State,
    tokens: tuple[NDArray[np.int32], NDArray[np.int32]],
    offsets: tuple[NDArray[np.int64], NDArray[np.int64]],
    weights: tuple[NDArray[np.int64], NDArray[np.int64]],
    n_symbols: int,
    merges: int,
    min_frequency: int,
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Learn merges; `tokens` are rewritten.

    Args:
        first, second: the initial counts of the two texts.
        tokens: the initial symbols of the distinct units of each text.
        offsets: first symbol of each unit.
        weights: how often each unit occurs.
        n_symbols: number of initial symbols.
        merges: the largest number of merges.
        min_frequency: the smallest count of a pair that may be merged.

    Returns:
        The left and the right symbol of each merge.
    """
    left_of, right_of = np.empty(merges, dtype=np.int32), np.empty(merges, dtype=np.int32)
    lengths = (np.diff(offsets[0]), np.diff(offsets[1]))
    made = np.empty(max(len(tokens[0]), len(tokens[1])), dtype=np.int32)
    total = first.symbols["frequency"].sum() - second.symbols["frequency"].sum()
    n = 0
    while n < merges:
        state = first if total >= 0 else second
        best = best_pair(state, min_frequency)
        if best == 0:
            break
        left, right = state.pairs[best].left, state.pairs[best].right
        left_of[n], right_of[n] = left, right
        n += 1
        first = _with_product(first, n_symbols, left, right)
        second = _with_product(second, n_symbols, left, right)
        total -= _merge(
            first, n_symbols, left, right, tokens[0], offsets[0], lengths[0], weights[0], made
        )
        total += _merge(
            second, n_symbols, left, right, tokens[1], offsets[1], lengths[1], weights[1], made
        )
        n_symbols += 1
    return left_of[:n].copy(), right_of[:n].copy()


@njit
def _with_product(state: State, new: int, left: int, right: int) -> State:
    """The state with the product of a pair as a further symbol, and with room for its pairs."""
    if new == len(state.symbols):
        state = with_symbols(state, 2 * new)
    state = with_texts(state, add_symbol(new, left, right, state.symbols, state.texts))
    state.symbols[new].frequency = 0
    state.types[new].places, state.types[new].units = 0, -1
    grown: State = with_room(state, 3 * min(state.types[left].places, state.types[right].places))
    return grown


@njit
def _merge(
    state: State, new: int, left: int, right: int, token: NDArray[np.int32],
    offsets: NDArray[np.int64], lengths: NDArray[np.int64], weights: NDArray[np.int64],
    made: NDArray[np.int32],
) -> int:  # fmt: skip
    """Merge a pair in one text; it need not occur there. Returns how many tokens this saves."""
    pair = state.table[pair_slot(left, right, state.pairs, state.table)]
    if pair == 0:
        return 0
    saved: int = merge_in_units(pair, new, token, offsets, lengths, weights, made, state)
    return saved
