"""Learn a unigram language model from text."""

from __future__ import annotations

from collections.abc import Sequence
from math import log

import numpy as np
from numpy.typing import NDArray

from seggrid.data.ragged import offsets_of
from seggrid.errors import InputError
from seggrid.segment.by_type import WordTypes
from seggrid.segment.unigram import learn_kernels as kernels
from seggrid.segment.unigram.model import Unigram, piece_text, symbol_count
from seggrid.segment.units import numbered_symbols, symbol_texts

PASSES = 2
"""Passes of EM before each pruning, and at the end, as in sentencepiece."""
KEPT = 0.8
"""The share of pieces that each pruning keeps (Kudo 2018, section 3.2)."""
LONGEST = 16
"""The most symbols of a piece, as in sentencepiece."""
SEEDS = 1_000_000
"""The most pieces of the initial vocabulary, besides single symbols, as in sentencepiece."""
LEAST = 0.5
"""The least expected count of a single symbol. Without it, EM would almost remove single symbols from the
model, and the loss of pieces that only they can replace would be far too high. sentencepiece has the same
limit: it removes pieces whose expected count is lower."""
_SMALLEST = float(np.finfo(np.float64).tiny)


def learn(
    sentences: Sequence[Sequence[str]],
    size: int,
    *,
    spaces: bool = True,
) -> Unigram:
    """Learn a vocabulary and its probabilities (Kudo 2018, section 3.2).

    The symbols of a word are its characters, the first with `▁` before it. The initial vocabulary is all
    symbols and all strings of symbols that occur at least twice within words, with their relative
    frequencies. Then these steps are repeated until `size` strings of two or more symbols are left: EM;
    the loss of each string, which is how much the log likelihood L = Σ log P(X) falls if only this string is
    removed (P(X) is the sum over all segmentations of a word X); pruning, which keeps the strings with the
    greatest loss. Single symbols are always kept and have an expected count of at least `LEAST`. EM runs once
    more at the end.

    Among strings of equal loss the lexicographically larger by code points is kept.

    Args:
        size: number of pieces of two or more symbols; fewer if the text has fewer.
        spaces: whether pieces stay within words. If not, each sentence takes the place of a word, with `▁`
            between its words as a symbol of its own.
    """
    if size < 0:
        raise InputError(f"a vocabulary of {size} types", hint="give a number from 0 on")
    types = WordTypes.from_sentences(sentences, spaces=spaces)
    if not types.words:
        return Unigram({}, spaces)
    weights = types.counts.astype(np.float64)
    arcs, offsets, texts, frequencies, n_symbols = seed_vocabulary(types, LONGEST, spaces)
    log_p = np.log(frequencies / frequencies.sum())
    # From here on, pieces of two or more symbols are in the order of their texts, by which ties are resolved.
    by_text = [*range(n_symbols), *sorted(range(n_symbols, len(texts)), key=texts.__getitem__)]
    arcs, texts, log_p = _keep(np.array(by_text), arcs, texts, log_p)
    worth = np.exp(log_p) * np.array([symbol_count(text, spaces) for text in texts])
    arcs, texts, log_p = _keep(_best(worth, n_symbols, SEEDS), arcs, texts, log_p)
    while True:
        least = np.where(np.arange(len(texts)) < n_symbols, LEAST, _SMALLEST)
        for _ in range(PASSES):
            expected, _likelihood = kernels.expect(arcs, offsets, weights, log_p)
            expected = np.maximum(expected, least)
            log_p = np.log(expected / expected.sum())
        multiple = len(texts) - n_symbols
        if multiple <= size:
            pieces = dict(zip(texts, log_p.tolist(), strict=True))
            return Unigram.of_pieces(pieces, spaces)
        loss = kernels.losses(arcs, offsets, weights, log_p, n_symbols)
        best = _best(loss, n_symbols, max(size, int(KEPT * multiple)))
        arcs, texts, log_p = _keep(best, arcs, texts, log_p)


def seed_vocabulary(
    types: WordTypes, longest: int, spaces: bool = True
) -> tuple[NDArray[np.int32], NDArray[np.int64], list[str], NDArray[np.float64], int]:
    """All symbols, and all strings of symbols that occur at least twice within words.

    Strings are found length by length, short ones first: two strings of n symbols are equal if
    their first n - 1 symbols and their last symbols are equal.

    Args:
        longest: the most symbols of a string.

    Returns:
        The lattices of the words (see `lattice`): arcs, shape (C, `longest`), and the first symbol of each
        word, shape (W + 1,); the text of each piece; the number of its occurrences, shape (P,); and the
        number of single symbols, which are the first pieces.
    """
    marking = "start" if spaces else None
    cells, alphabet = numbered_symbols(types.words, marking)
    symbols = cells[cells >= 0].astype(np.int64)
    offsets = offsets_of(np.array([len(word) for word in types.words], dtype=np.int64))
    lengths = np.diff(offsets)
    word = np.repeat(np.arange(len(lengths)), lengths)
    position = np.arange(len(symbols)) - offsets[word]
    weights = types.counts[word].astype(np.float64)

    texts = symbol_texts(alphabet, marking)
    n_symbols = len(texts)
    frequencies = [np.bincount(symbols, weights, minlength=n_symbols)]
    arcs = np.full((len(symbols), longest), -1, dtype=np.int32)
    arcs[:, 0] = symbols
    name = symbols.copy()  # for each symbol, the string of the current length that begins there
    begins = np.arange(len(symbols))
    for length in range(2, longest + 1):
        begins = begins[position[begins] + length <= lengths[word[begins]]]
        key = name[begins] * n_symbols + symbols[begins + length - 1]
        _, at, named = np.unique(key, return_index=True, return_inverse=True)
        count = np.bincount(named, weights[begins], minlength=len(at))
        often = count >= 2
        for c in begins[at[often]]:
            texts.append(piece_text(types.words[word[c]], position[c], length, spaces))
        frequencies.append(count[often])
        number = np.cumsum(often) - 1
        stays = often[named]
        begins, named = begins[stays], number[named[stays]]
        name[begins] = named
        arcs[begins, length - 1] = len(texts) - int(often.sum()) + named
    return arcs, offsets, texts, np.concatenate(frequencies), n_symbols


def _best(worth: NDArray[np.float64], n_symbols: int, wanted: int) -> NDArray[np.int64]:
    """The indices of the single symbols and of the `wanted` other pieces of greatest worth, ascending."""
    ranked = np.argsort(-worth[n_symbols:][::-1], kind="stable")  # among equals, the last first
    others = len(worth) - 1 - ranked[:wanted]
    return np.concatenate([np.arange(n_symbols), np.sort(others)])


def _keep(
    kept: NDArray[np.int64],
    arcs: NDArray[np.int32],
    texts: Sequence[str],
    log_p: NDArray[np.float64],
) -> tuple[NDArray[np.int32], list[str], NDArray[np.float64]]:
    """The lattices, texts and probabilities of the pieces `kept`, in this order; probabilities sum to 1."""
    number = np.full(len(texts) + 1, -1, dtype=np.int32)  # the last entry is for -1, no piece
    number[kept] = np.arange(len(kept), dtype=np.int32)
    left = log_p[kept]
    return number[arcs], [texts[p] for p in kept], left - log(np.exp(left).sum())
