"""Learn the merges and removals of a PickyBPE model."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from seggrid.data.ragged import offsets_of
from seggrid.data.words import WordCounts, distinct_words, uncounted
from seggrid.errors import InputError
from seggrid.segment.bpe.units import check_words, sentence_units, unit_symbols
from seggrid.segment.picky import learn_kernels as kernels
from seggrid.segment.picky.model import PickyModel


def learn(
    sentences: Sequence[Sequence[str]] | WordCounts,
    size: int,
    removal: Fraction,
    *,
    spaces: bool = True,
    min_frequency: int = 2,
) -> PickyModel:
    """Learn from a corpus (Chizhov et al. 2024, algorithm 1).

    Merges are chosen as in a BPE. A merge of a and b at f places uses up f tokens of each (2 f tokens of a,
    if they are equal). Then first a and then b is removed if it is not a single symbol and f / (f + n) is
    above the threshold, where n is the number of its remaining tokens. These tokens are split into the parts
    of the first merge that made the type, and further until each part is present or a single symbol. A merge
    that spells a removed type brings it back. Learning stops when `size` types are present after the removals
    of a step, or no pair occurs `min_frequency` times.

    Args:
        sentences: the corpus, each sentence as a list of words; if `spaces`, its words may be counted.
        size: the largest number of types besides single symbols.
        removal: the threshold τ, above 0 and below 1, of at most six decimals.
        spaces: whether units are words or whole sentences; see `BPEModel`.
        min_frequency: the smallest count of a pair that may be merged, at least 1.

    Raises:
        InputError: the size is negative, or a word is empty or has a `▁`, a `</w>`, a space or a line end in
            it.
    """
    if size < 0:
        raise InputError(f"{size} types", hint="give a number from 0 on")
    check_words(distinct_words(sentences))
    units = WordCounts.of(sentences if spaces else [sentence_units(uncounted(sentences))])
    symbols, offsets, alphabet = unit_symbols(units.types, "start" if spaces else None)
    left, right = kernels.learn_events(
        symbols,
        offsets,
        units.counts,
        np.array([ord(c) for text in alphabet for c in text], dtype=np.uint32),
        offsets_of(list(map(len, alphabet))),
        size,
        min_frequency,
        removal.numerator,
        removal.denominator,
    )
    return PickyModel(_spelled(alphabet, left.tolist(), right.tolist()), removal, spaces)


def _spelled(alphabet: list[str], left: list[int], right: list[int]) -> list[tuple[str, ...]]:
    """The texts of events: the parts of merges, the type of removals. Each new product gets the next
    number."""
    texts = list(alphabet)
    present = set(texts)
    events: list[tuple[str, ...]] = []
    for a, b in zip(left, right, strict=True):
        if b < 0:
            events.append((texts[a],))
            continue
        events.append((texts[a], texts[b]))
        if texts[a] + texts[b] not in present:
            texts.append(texts[a] + texts[b])
            present.add(texts[-1])
    return events
