"""Lay the types of a GreedTok model over words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from seggrid.base.compiled import njit
from seggrid.data.segmentation import Segmentation
from seggrid.segment.bpe.units import unit_symbols
from seggrid.segment.by_type import WordTypes
from seggrid.segment.greedtok.model import GreedTokModel
from seggrid.segment.vocabulary.trie import NONE, Array, Trie, slot_of, tokens_of, trie_of


def apply(
    model: GreedTokModel, sentences: Sequence[Sequence[str]], *, size: int | None = None
) -> Segmentation:
    """Segment a corpus (Lim et al. 2025, section 4.2).

    The occurrences of all types in a word are tried by the rank of the type, then from left to right. A token
    is laid over each that neither starts nor ends inside a present token; it may swallow whole tokens. On the
    text that the model was learned from, this gives the tokens with which learning ended.

    Args:
        model: the types.
        sentences: the corpus, each sentence as a list of words.
        size: how many of the first types to use; all by default.
    """
    corpus = WordTypes.from_sentences(sentences)
    symbols, offsets, texts = unit_symbols(corpus.words, "start")
    trie, known = trie_of(list(model.prefix(size).gains), texts, "start")
    tokens, token_offsets = tokens_of(lay_over(symbols, offsets, trie), offsets)
    return corpus.segmentation_of_types(texts + known, tokens, np.diff(token_offsets))


@njit
def lay_over(
    symbols: NDArray[np.int32], offsets: NDArray[np.int64], trie: Trie
) -> NDArray[np.int32]:
    """The token that begins at each symbol, shape (C,); -1 if none does.

    Args:
        symbols: the words' initial symbols, shape (C,).
        offsets: first symbol of each word, shape (W + 1,).
        trie: the types by rank.
    """
    starts = symbols.copy()
    found = np.empty(64, dtype=np.int64)
    for word in range(len(offsets) - 1):
        first, stop = offsets[word], offsets[word + 1]
        n, found = _occurrences(symbols, first, stop, trie, found)
        for key in np.sort(found[:n]):
            i, rank = first + (key & _PLACE), key >> _BITS
            end = i + trie.merges[rank].parts
            if starts[i] >= 0 and (end == stop or starts[end] >= 0):
                starts[i] = trie.merges[rank].product
                starts[i + 1 : end] = -1
    return starts


_BITS = 32
_PLACE = (1 << _BITS) - 1


@njit
def _occurrences(
    symbols: Array, first: int, stop: int, trie: Trie, found: Array
) -> tuple[int, Array]:
    """The occurrences of types in a word; returns their number, and for each its rank and place in one
    integer."""
    n = 0
    for i in range(first, stop):
        node, k = symbols[i], i + 1
        while k < stop and node >= 0:
            entry = trie.table[slot_of(trie.table, node, symbols[k])]
            if entry.rank != NONE:
                if n == len(found):
                    larger = np.empty(2 * n, dtype=np.int64)
                    larger[:n] = found
                    found = larger
                found[n] = (np.int64(entry.rank) << _BITS) | (i - first)
                n += 1
            node = entry.next
            k += 1
    return n, found
