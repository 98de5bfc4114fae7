"""Learn merges from text."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from seggrid.base.errors import InputError
from seggrid.segment.bpe import MARKINGS, SCORINGS
from seggrid.segment.bpe import learn_kernels as kernels
from seggrid.segment.bpe.apply import MergeTable
from seggrid.segment.bpe.apply_kernels import segment_units
from seggrid.segment.units import counted_units, unit_symbols
from seggrid.text.boundary import unmarked
from seggrid.text.ragged import offsets_of
from seggrid.text.words import WordCounts


def learned_merges(
    sentences: Sequence[Sequence[str]] | WordCounts,
    merges: int,
    *,
    spaces: bool,
    scoring: str,
    min_frequency: int,
    marking: str,
    boundaries: Mapping[str, Collection[int]] | None,
    first: Sequence[tuple[str, ...]],
) -> list[tuple[str, ...]]:
    """Learn merges from a corpus (Sennrich et al. 2016, algorithm 1; thesis, sections 4.2.1, 4.5).

    In each step the pair of adjacent symbols with the highest score becomes a merge, and all its
    occurrences, from left to right, become one symbol. Counts are exact at each step: the count of a
    pair is the number of places where its two symbols are neighbors within a unit (`x x` occurs twice in
    `x x x`). Ties: among pairs of equal score the lexicographically larger (left, right) by code points is
    taken (`learn_kernels._precedes`). Learning stops early when no pair occurs `min_frequency` times.
    Counts of stretches of text may be given, too, beyond which merges do not reach, without `spaces`.

    No merge crosses the `boundaries` of words, numbers of characters before them, such as those of morphemes
    (MorphBPE, Asgari et al. 2025). Learning goes on after the merges that are to be the `first`, of which
    each has two parts, with the tokens that they make of the text: those of m merges and then learning up to
    n give what learning n gives.

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
    begins, weights = _stretches(units, offsets, boundaries or {}, spaces and marking == "own")
    if first:
        table = MergeTable(first, symbols)
        numbers, lengths = segment_units(numbers, begins, table.trie(), np.empty(0, dtype=np.int32))
        begins, symbols = offsets_of(lengths), table.types
    # The cells of a stretch begin with the separator before it; the last separator belongs to none.
    left, right = kernels.learn_merges(
        np.insert(numbers, begins, -1),
        np.append(np.repeat(weights, np.diff(begins) + 1), 0),
        np.array([ord(c) for text in symbols for c in text], dtype=np.uint32),
        offsets_of(list(map(len, symbols))),
        np.array([len(unmarked(text)) for text in symbols], dtype=np.int32),
        max(merges - len(first), 0),
        min_frequency,
        SCORINGS.index(scoring),
    )
    learned: list[tuple[str, ...]] = []
    for a, b in zip(left.tolist(), right.tolist(), strict=True):
        learned.append((symbols[a], symbols[b]))
        symbols.append(symbols[a] + symbols[b])
    return [*first, *learned]


def _stretches(
    units: WordCounts,
    offsets: NDArray[np.int64],
    boundaries: Mapping[str, Collection[int]],
    marked: bool,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The first symbol of each stretch of text without boundaries inside, and the end of the last, shape
    (R + 1,), and how often each stretch occurs, shape (R,). The first symbol of each unit is given; if it is
    `marked`, it is a mark alone."""
    cuts = [sorted(boundaries.get(unit, ())) for unit in units.types] if boundaries else []
    if not any(cuts):
        return offsets, units.counts
    counts = np.array(list(map(len, cuts)), dtype=np.int64)
    inside = np.array([cut for own in cuts for cut in own], dtype=np.int64) + marked
    begins = np.sort(np.concatenate([offsets, np.repeat(offsets[:-1], counts) + inside]))
    return begins, np.repeat(units.counts, counts + 1)
