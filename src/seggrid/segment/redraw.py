"""Sampling under a vocabulary: tokens of a segmentation are drawn anew, whichever segmenter made it.

- `grampa` (Bauwens, Kaczér and de Lhoneux 2025, GRaMPa, without temperature): a word is drawn uniformly from
  all its segmentations into types of the vocabulary and single symbols.
- `stochastok` (Sims et al. 2025, arXiv 2506.01687): a token is drawn and split into two types, many times.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction
from functools import cache
from itertools import cycle

import numpy as np
from numpy.typing import NDArray

from seggrid.segment import unigram_kernels as kernels
from seggrid.segment.bpe.apply_kernels import uniforms
from seggrid.segment.trie import symbols_in
from seggrid.segment.unigram import Unigram
from seggrid.segment.units import WordTypes
from seggrid.segment.variants import Sampling
from seggrid.text.segmentation import Segmentation, Sentences
from seggrid.text.words import number_distinct

_STREAM = 0xA5A5_5A5A_C3C3_3C3C
"""Makes the numbers drawn here differ from those of a dropout with the same seed."""

Lattices = tuple[NDArray[np.int32], NDArray[np.int64], list[str]]
"""Lattices of units, see `unigram_kernels`, and the texts of types."""


def redraw(
    sentences: Sentences,
    samples: Sequence[Segmentation],
    vocabulary: Collection[str],
    sampling: Sampling,
    seeds: Sequence[int],
    *,
    spaces: bool,
) -> list[Segmentation]:
    """Draw tokens anew, in a segmentation for each seed, or one for all. Types have `▁` before the first
    character of a word, and single symbols are types; units are words if `spaces`, otherwise sentences with
    `▁` between their words."""
    corpus = WordTypes.from_sentences(sentences, spaces=spaces)
    numbers = [np.uint64((seed ^ _STREAM) % 2**64) for seed in seeds]
    given = zip(cycle(samples), numbers, strict=False)
    if sampling.method == "stochastok":
        known = frozenset(vocabulary)
        return [_split(corpus, *each, known, sampling.amount) for each in given]
    lattices = uniform_lattices(corpus.words, vocabulary, sampling.limit or 1, spaces)
    return [_drawn(corpus, *each, lattices, float(sampling.amount)) for each in given]


def _drawn(
    corpus: WordTypes, plain: Segmentation, number: np.uint64, lattices: Lattices, rate: float
) -> Segmentation:
    """Draw some units, each uniformly from its lattice; the others stay."""
    arcs, offsets, texts = lattices
    lengths = np.diff(offsets)[corpus.occurrences]
    drawn = uniforms(number, len(lengths) + int(lengths.sum()))
    chosen, drawn = drawn[: len(lengths)] < rate, drawn[len(lengths) :]
    occurrences, drawn = corpus.occurrences[chosen], drawn[np.repeat(chosen, lengths)]
    log_p = np.zeros(len(texts))
    pieces, counts = kernels.sample_segmentations(arcs, offsets, log_p, occurrences, drawn)
    # The tokens of both kinds of units, each with its unit, are sorted by unit.
    types, own, _ = number_distinct([texts, plain.types])
    units = _units(corpus, plain)
    stays = ~chosen[units]
    tokens = np.concatenate([own[len(texts) :][plain.ids[stays]], pieces])
    units = np.concatenate([units[stays], np.repeat(np.flatnonzero(chosen), counts)])
    order = np.argsort(units, kind="stable")
    return corpus.segmentation(types, tokens[order], np.bincount(units, minlength=len(lengths)))


def uniform_lattices(
    words: Sequence[str], vocabulary: Collection[str], least: int, spaces: bool
) -> Lattices:
    """The lattices of units.

    Where a type of at least `least` symbols begins, no shorter one does; elsewhere only the longest.
    """
    types = dict.fromkeys(sorted(vocabulary), 0.0)
    arcs, offsets, texts, _ = Unigram(types, spaces).lattices(words)
    short, has_longer = arcs[:, : least - 1], (arcs[:, least - 1 :] >= 0).any(axis=1)
    for column in short.T[::-1]:
        has = column >= 0
        column[has_longer] = -1
        has_longer |= has
    return arcs, offsets, texts


def _units(corpus: WordTypes, cut: Segmentation) -> NDArray[np.int64]:
    """The word of each token, or its sentence if units are sentences, shape (T,)."""
    first = np.repeat(corpus.offsets[:-1], cut.lengths)
    return first + cut.first if corpus.spaces else first


def _split(
    corpus: WordTypes, plain: Segmentation, number: np.uint64, known: frozenset[str], rate: Fraction
) -> Segmentation:
    """Split tokens: ⌊rate · T⌋ times, one of the present tokens of the text is drawn and, if it can be split
    into two types, becomes one of these pairs, drawn too."""

    @cache
    def pairs(token: str) -> list[tuple[str, str]]:
        symbols, found = symbols_in(token, "start" if corpus.spaces else None), []
        for k in range(1, len(symbols)):
            left, right = "".join(symbols[:k]), "".join(symbols[k:])
            if (k == 1 or left in known) and (k + 1 == len(symbols) or right in known):
                found.append((left, right))
        return found

    # A token becomes a row of tokens. `further` has a row once for each token that it has more than one, so
    # that a place drawn among tokens and `further`, and then one within the row, is a token drawn uniformly.
    total, further = len(plain.ids), list[int]()
    rows: dict[int, list[str]] = {}
    for place, within, choice in uniforms(number, 3 * int(rate * total)).reshape(-1, 3).tolist():
        origin = int(place * (total + len(further)))
        origin = origin if origin < total else further[origin - total]
        row = rows.get(origin) or [plain.types[plain.ids[origin]]]
        at = int(within * len(row))
        if options := pairs(row[at]):
            row[at : at + 1] = options[int(choice * len(options))]
            rows[origin] = row
            further.append(origin)
    origins, lengths = sorted(rows), np.ones(total, dtype=np.int64)
    lengths[origins] = [len(rows[origin]) for origin in origins]
    types, numbers, _ = number_distinct([plain.types, *(rows[origin] for origin in origins)])
    tokens = np.repeat(plain.ids, lengths)
    tokens[np.repeat(lengths > 1, lengths)] = numbers[len(plain.types) :]
    units = np.repeat(_units(corpus, plain), lengths)
    return corpus.segmentation(types, tokens, np.bincount(units, minlength=len(corpus.occurrences)))
