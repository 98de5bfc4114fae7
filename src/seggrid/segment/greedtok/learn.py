"""Learn the types of a GreedTok model."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from seggrid.data.words import WordCounts
from seggrid.errors import InputError
from seggrid.segment.bpe.units import check_words, unit_symbols
from seggrid.segment.greedtok import learn_kernels as kernels
from seggrid.segment.greedtok.model import GreedTokModel

LONGEST = 100
"""The most symbols of a type, as in the authors' code."""


def learn(
    sentences: Sequence[Sequence[str]] | WordCounts, size: int, *, longest: int = LONGEST
) -> GreedTokModel:
    """Learn types from a corpus (Lim et al. 2025, algorithm 1).

    A word is a sequence of tokens, at first its symbols. A candidate is any string of two or more symbols in
    a word; an occurrence of it fits if it neither starts nor ends inside a present token. In each step the
    candidate with the largest gain becomes a type: each of its occurrences that fits becomes one token, and
    the gain is the number of tokens that this saves. If occurrences overlap, the first is taken. Among
    candidates of equal gain, the one with the fewest symbols is taken, then the lexicographically larger by
    code points. Learning stops early when no candidate saves a token.

    Args:
        sentences: the corpus, each sentence as a list of words; or the counts of its words.
        size: the largest number of types to learn.
        longest: the most symbols of a type.

    Raises:
        InputError: the size is negative, or a word is empty or has a `▁`, a `</w>`, a space or a line end in
            it.
    """
    if size < 0:
        raise InputError(f"{size} types", hint="give a number from 0 on")
    words = WordCounts.of(sentences)
    check_words(words.types)
    symbols, offsets, texts = unit_symbols(words.types, "start")
    order = np.empty(len(texts), dtype=np.int32)
    order[sorted(range(len(texts)), key=texts.__getitem__)] = np.arange(len(texts))
    places, lengths, gains = kernels.learn_types(
        symbols,
        offsets,
        words.counts,
        order,
        size,
        longest,
    )
    spelled = [texts[symbol] for symbol in symbols.tolist()]
    types = [
        "".join(spelled[begin : begin + length])
        for begin, length in zip(places.tolist(), lengths.tolist(), strict=True)
    ]
    return GreedTokModel(dict(zip(types, gains.tolist(), strict=True)))
