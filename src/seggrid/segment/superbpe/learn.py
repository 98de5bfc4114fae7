"""Learn merges within words, then across them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from seggrid.data.ragged import offsets_of, ragged_rows
from seggrid.errors import InputError
from seggrid.segment.bpe import learn_kernels as kernels
from seggrid.segment.bpe.units import numbered_symbols, symbol_texts
from seggrid.segment.by_type import WordTypes
from seggrid.segment.superbpe.model import Merge, SuperModel
from seggrid.segment.superbpe.transition import BOUNDLESS

MOST_WORDS = 4
"""The most words that a token of SuperBPE overlaps, as in the authors' trainer."""


def learn(
    sentences: Sequence[Sequence[str]],
    merges: int,
    transition: int | str,
    *,
    min_frequency: int = 2,
) -> SuperModel:
    """Learn merges from a corpus.

    If `transition` is a number (SuperBPE, Liu et al. 2025), that many merges are learned within words, as in
    a BPE; each further merge is the most frequent pair of neighbors in sentences, which may be words or parts
    of words. A pair is skipped if its product would overlap more than `MOST_WORDS` words, or would have a
    colon before the beginning of a word.

    With `BOUNDLESS` (BoundlessBPE, Schmidt et al. 2025), a BPE first learns `merges` merges within words.
    Words that are then single tokens and have a letter may be joined. Each step takes the most frequent pair
    of neighboring words of this kind, or products of such pairs, if it is more frequent than the pair of the
    next merge within words was; otherwise it takes that merge.

    Pairs are counted, and ties are broken, as in a BPE. Learning stops at `merges` merges of both kinds, or
    if no pair is left that occurs `min_frequency` times.

    Args:
        sentences: the corpus, each sentence as a list of words.
        merges: the largest number of merges.
        transition: the number of merges within words, or `BOUNDLESS`.
        min_frequency: the smallest count of a pair that may become a merge, at least 1.

    Raises:
        InputError: a number is out of range, or a word is empty or has a `▁`, a `</w>`, a space or a line end
            in it.
    """
    if merges < 0:
        raise InputError(f"{merges} merges", hint="give a number from 0 on")
    corpus = WordTypes.from_sentences(sentences)
    cells, alphabet = numbered_symbols(corpus.words, "start")
    texts = symbol_texts(alphabet, "start")
    most = merges if transition == BOUNDLESS else min(merges, int(transition))
    weights = kernels.spread_weights(cells, corpus.counts)
    within = _learn(cells, weights, texts, most, min_frequency)
    words = within.text[within.text >= 0]
    lengths = np.diff(np.flatnonzero(within.text < 0)) - 1
    pairs = _spelled(texts, within)
    if transition != BOUNDLESS:
        tokens = words[ragged_rows(offsets_of(lengths), corpus.occurrences)]
        units = _separated(tokens, offsets_of(lengths[corpus.occurrences])[corpus.offsets])
        across = _learn(units, _ONCE, texts, merges - len(pairs), min_frequency, MOST_WORDS)
        return SuperModel(pairs, _spelled(texts, across), transition)
    whole = np.array([any(map(str.isalpha, word)) for word in corpus.words], dtype=np.bool_)
    whole &= lengths == 1
    symbols = np.full(len(whole), -1, dtype=np.int32)
    symbols[whole] = words[offsets_of(lengths)[:-1][whole]]
    # Of as many merges as are allowed, the last is the rarest, and each pair across words is more frequent.
    least = within.counts[-1] + 1 if 0 < merges == len(pairs) else 1
    runs = _separated(symbols[corpus.occurrences], corpus.offsets)
    across = _learn(runs, _ONCE, texts, merges, max(min_frequency, int(least)))
    n_within, n_across = _shares(within.counts.tolist(), across.counts.tolist(), merges)
    return SuperModel(pairs[:n_within], _spelled(texts, across)[:n_across], transition)


_ONCE = np.ones(1, dtype=np.int64)
"""The weight of each sentence."""


def _learn(
    text: NDArray[np.int32],
    weights: NDArray[np.int64],
    texts: Sequence[str],
    merges: int,
    min_frequency: int,
    most_words: int = 0,
) -> kernels.Learned:
    """Learn merges from a text of symbols, with -1 before, between and after its units."""
    codes = np.array([ord(c) for text in texts for c in text], dtype=np.uint32)
    bounds = offsets_of(list(map(len, texts)))
    found: kernels.Learned = kernels.learn_merges(
        text, weights, codes, bounds, merges, min_frequency, 0, most_words
    )
    return found


def _spelled(texts: list[str], learned: kernels.Learned) -> list[Merge]:
    """The parts of merges; adds the texts of their products."""
    merges: list[Merge] = []
    for left, right in zip(learned.left.tolist(), learned.right.tolist(), strict=True):
        merges.append((texts[left], texts[right]))
        texts.append(texts[left] + texts[right])
    return merges


def _separated(symbols: NDArray[np.int32], offsets: NDArray[np.int64]) -> NDArray[np.int32]:
    """Symbols with -1 before, between and after the units that begin at the offsets."""
    return np.insert(symbols, offsets, np.int32(-1))


def _shares(within: Sequence[int], across: Sequence[int], merges: int) -> tuple[int, int]:
    """How many merges within words, and across words, are taken, from the counts of their pairs.

    >>> _shares([9, 7, 5], [6, 6, 5], 4)
    (2, 2)
    """
    k = m = 0
    while k + m < min(merges, len(within) + len(across)):
        if m < len(across) and (k == len(within) or across[m] > within[k]):
            m += 1
        else:
            k += 1
    return k, m
