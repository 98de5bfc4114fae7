"""Learn merges from text."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from seggrid.base.errors import InputError
from seggrid.segment.bpe import MARKINGS, SCORINGS
from seggrid.segment.bpe import learn_kernels as kernels
from seggrid.segment.units import counted_units, unit_symbols
from seggrid.text.ragged import offsets_of
from seggrid.text.words import WordCounts


def learned_merges(
    sentences: Sequence[Sequence[str]] | WordCounts,
    merges: int,
    *,
    spaces: bool = True,
    scoring: str = "frequency",
    min_frequency: int = 2,
    marking: str = "start",
) -> list[tuple[str, ...]]:
    """Learn merges from a corpus (Sennrich et al. 2016, algorithm 1; thesis, sections 4.2.1, 4.5).

    In each step the pair of adjacent symbols with the highest score becomes a merge, and all its
    occurrences, from left to right, become one symbol. Counts are exact at each step: the count of a
    pair is the number of places where its two symbols are neighbors within a unit (`x x` occurs twice in
    `x x x`). Ties: among pairs of equal score the lexicographically larger (left, right) by code points is
    taken (`learn_kernels._precedes`). Learning stops early when no pair occurs `min_frequency` times.
    Counts of stretches of text may be given, too, beyond which merges do not reach, without `spaces`.

    `scoring` is the score of a pair, where f is a count and T the number of symbols in the corpus at that
    step:

    - `frequency`: f(a, b);
    - `likelihood`: f(a, b) / (f(a) f(b)), as WordPiece scores (Schuster and Nakajima 2012);
    - `mutual_information`: f(a, b) log2(T f(a, b) / (f(a) f(b))), the pair's share in the mutual information
      of neighbors, times T (pointwise mutual information would rank pairs as `likelihood` does);
    - `description_length_gain`: the bits saved by writing the corpus with the merge and a copy of its parts
      appended (Kit and Wilks 1999, equations 1 to 3; Wu and Zhao 2018), see `learn_kernels`;
    - `frequency_length`: f(a, b) (|a| + |b| - 1), where |a| is the number of characters of a without marks of
      words; it prefers long pairs (thesis, chapter 7).
    """
    if min_frequency < 1:
        raise InputError(f"min_frequency is {min_frequency}", hint="give a number from 1 on")
    if marking not in MARKINGS:
        raise InputError(f"unknown marking {marking!r}", hint=f"one of {', '.join(MARKINGS)}")
    units = counted_units(sentences, spaces)
    numbers, offsets, symbols = unit_symbols(units.types, marking if spaces else None)
    # The cells of a unit begin with the separator before it; the last separator belongs to none.
    left, right = kernels.learn_merges(
        np.insert(numbers, offsets, -1),
        np.append(np.repeat(units.counts, np.diff(offsets) + 1), 0),
        np.array([ord(c) for text in symbols for c in text], dtype=np.uint32),
        offsets_of(list(map(len, symbols))),
        merges,
        min_frequency,
        SCORINGS.index(scoring),
    )
    learned: list[tuple[str, ...]] = []
    for a, b in zip(left.tolist(), right.tolist(), strict=True):
        learned.append((symbols[a], symbols[b]))
        symbols.append(symbols[a] + symbols[b])
    return learned
