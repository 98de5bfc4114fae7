"""Apply merges to text."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from seggrid.data.boundary import BOUNDARY, WORD_END
from seggrid.data.ragged import offsets_of, ragged_rows
from seggrid.data.segmentation import Segmentation
from seggrid.errors import InputError
from seggrid.segment.bpe import apply_kernels as kernels
from seggrid.segment.bpe.merge_table import MergeTable
from seggrid.segment.bpe.model import BPEModel
from seggrid.segment.bpe.replace import replace_all
from seggrid.segment.bpe.units import (
    SEPARATOR,
    check_words,
    sentence_units,
    unit_symbols,
)

APPLICATIONS = ("rank", "replace", "longest")
DROPOUTS = ("occurrence", "merge")


def apply(
    model: BPEModel,
    sentences: Sequence[Sequence[str]],
    *,
    merges: int | None = None,
    application: str = "rank",
) -> Segmentation:
    """Segment a corpus.

    Args:
        model: the merges.
        sentences: the corpus, each sentence as a list of words.
        merges: how many of the first merges to apply; all by default.
        application: `"rank"`: BPE as defined (Sennrich et al. 2016): in each unit, the applicable
            merge of lowest rank is applied to all its occurrences that do not overlap, from left to right,
            until no merge is applicable. `"replace"`: each merge in order replaces the string `a b` by
            `ab` in the text with a space between tokens (thesis, section 5.2.2), which also joins longer
            tokens that end in `a` and begin with `b`. `"longest"`: as `"rank"`, but among the applicable
            merges the one with the longest product is applied, and among equally long ones the one of
            lowest rank (thesis, chapter 7).

    Returns:
        The segmentation; its types are in order of appearance and have `▁` as in the model.

    Raises:
        InputError: the application is unknown, or a word is empty or has a `▁`, a space or a line
            end in it.
    """
    return apply_each(model, sentences, merges=[merges], application=application)[0]


def apply_each(
    model: BPEModel,
    sentences: Sequence[Sequence[str]],
    *,
    merges: Sequence[int | None],
    application: str = "rank",
) -> list[Segmentation]:
    """`apply` for several numbers of merges; cuts the corpus into units only once."""
    _check(application)
    corpus = _Corpus(sentences, model.spaces)
    segmentations = []
    for limit in merges:
        encoder = Encoder(model.prefix(limit), application=application)
        tokens, offsets = encoder.encode(corpus.units)
        segmentations.append(corpus.segmentation_of_units(tokens, offsets, encoder))
    return segmentations


def apply_dropout(
    model: BPEModel,
    sentences: Sequence[Sequence[str]],
    *,
    rate: float,
    seeds: Sequence[int],
    merges: int | None = None,
    kind: str = "occurrence",
    application: str = "rank",
    threads: int = 1,
) -> list[Segmentation]:
    """Segment a corpus with BPE-dropout, once for each seed.

    A sample depends on its own seed, not on the other seeds or the number of threads.

    Args:
        model, sentences, merges, application: as for `apply`.
        rate: the probability of dropping, from 0 (same as `apply`) to 1 (characters).
        seeds: one 64-bit integer for each sample.
        kind: what is dropped. `"occurrence"` (Provilkov et al. 2020, algorithm 1): in each step on a word
            (or on a sentence where spaces are no boundaries), each applicable merge is dropped
            independently; the word is finished when a step has no merge left. `"merge"` (thesis, section
            5.3.1): each merge of the model is dropped for the whole corpus or not at all. If the model has
            weights, each merge has its own rate, see `weighted_rates`.
        threads: number of samples that are drawn at the same time.

    Raises:
        InputError: as `apply`; the rate is not within 0 and 1, the kind is unknown, or dropout by
            occurrence is asked for with the application `"replace"`, which has no steps.
    """
    _check(application)
    if not 0 <= rate <= 1:
        raise InputError(f"a dropout rate of {rate}", hint="give a number from 0 to 1")
    if kind not in DROPOUTS:
        raise InputError(f"unknown kind of dropout {kind!r}", hint=f"one of {', '.join(DROPOUTS)}")
    if kind == "occurrence" and application == "replace":
        raise InputError(
            "dropout by occurrence with the application `replace`",
            hint="take dropout by merge, or the application `rank`",
        )
    model = model.prefix(merges)
    corpus = _Corpus(sentences, model.spaces)
    rates = np.full(len(model.merges), float(rate))
    if model.weights:
        applied = _applications(model, corpus)
        rates = weighted_rates(np.array(model.weights), applied, rate)

    if kind == "occurrence":
        order, encoder = _ordered(model, application)
        symbols, offsets = encoder.initial_symbols(corpus.units)
        trie = encoder.table.trie(rates[order])

        def sample(seed: int) -> Segmentation:
            tokens, counts = kernels.segment_occurrences(
                symbols,
                offsets,
                corpus.occurrences,
                corpus.bounds,
                trie,
                np.uint64(seed % 2**64),
            )
            return corpus.segmentation(tokens, counts, encoder)

    else:

        def sample(seed: int) -> Segmentation:
            drawn = kernels.uniforms(np.uint64(seed % 2**64), len(model.merges))
            kept = [model.merges[k] for k in np.flatnonzero(drawn >= rates)]
            encoder = Encoder(replace(model, merges=kept), application=application)
            tokens, offsets = encoder.encode(corpus.units)
            return corpus.segmentation_of_units(tokens, offsets, encoder)

    if threads == 1 or len(seeds) == 1:
        return [sample(seed) for seed in seeds]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(sample, seeds))


def count_applications(model: BPEModel, sentences: Sequence[Sequence[str]]) -> NDArray[np.int64]:
    """How often each merge is applied in a corpus by rank and without dropout, shape (M,)."""
    return _applications(model, _Corpus(sentences, model.spaces))


def weighted_rates(
    weights: NDArray[np.float64], applied: NDArray[np.int64], rate: float
) -> NDArray[np.float64]:
    """The rate of dropout of each merge, shape (M,): proportional to its weight, at most 1, and such that the
    expected share of dropped applications is `rate`.

    Args:
        weights: weight of each merge, above 0, shape (M,).
        applied: how often each merge is applied without dropout, shape (M,).
        rate: the expected share, from 0 to 1.

    >>> weighted_rates(np.array([1.0, 3.0]), np.array([5, 5]), 0.2).tolist()
    [0.1, 0.30000000000000004]
    """
    free = np.ones(len(weights), dtype=np.bool_)
    rates = np.zeros(len(weights))
    while free.any():
        # Applications that remain to be dropped among merges whose rate is below 1.
        left = rate * applied.sum() - applied[~free].sum()
        mass = float(applied[free] @ weights[free])
        rates[free] = weights[free] * (max(left, 0.0) / mass if mass else 0.0)
        above = free & (rates >= 1)
        rates[above] = 1.0
        if not above.any():
            break
        free &= ~above
    return rates


class Encoder:
    """A model prepared for segmenting units.

    Attributes:
        model: the model, its merges in the order in which they are tried.
        application: as for `apply`.
        table: the merges, and the types that symbols number.
    """

    def __init__(self, model: BPEModel, *, application: str = "rank") -> None:
        if application == "replace" and model.spaces and model.marking != "start":
            raise InputError(
                f"words marked with {model.marking!r} and the application `replace`",
                hint="take the application `rank`",
            )
        if application == "longest":
            # A rank is a position in an order of all merges: order them by length of product first.
            model = replace(model, merges=sorted(model.merges, key=_letters, reverse=True))
        self.model = model
        self.application = application
        self.table = _table_of(model).copy()

    def initial_symbols(self, units: Sequence[str]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """The characters of units as symbols, int32, shape (C,), and offsets, int64, (U + 1,)."""
        marking = self.model.marking if self.model.spaces else None
        symbols, offsets, texts = unit_symbols(units, marking)
        numbers = np.array(list(map(self.table.number, texts)), dtype=np.int32)
        return numbers[symbols], offsets

    def encode(self, units: Sequence[str]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Segment units.

        Args:
            units: words if the model has spaces, otherwise any text; each code point is a symbol.

        Returns:
            The tokens of all units as symbols, int32, shape (T,), and the first token of each unit, int64,
            shape (U + 1,).
        """
        if self.application == "replace":
            return self._replace(units)
        symbols, offsets = self.initial_symbols(units)
        tokens, unit_offsets = kernels.segment_units(
            symbols, offsets, self.table.trie(), np.empty(0, dtype=np.int32)
        )
        return tokens, unit_offsets

    def split(
        self, tokens: NDArray[np.int32], counts: NDArray[np.integer]
    ) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Split each token whose type is in the model's `split` into its parts, recursively.

        Args:
            tokens: the tokens of some units as symbols, int32, shape (T,).
            counts: tokens of each unit, shape (U,).

        Returns:
            Tokens and counts after splitting.
        """
        parts, sizes = self.table.split(tokens, self.model.split)
        ends = offsets_of(sizes)[np.cumsum(counts)]
        return parts, np.diff(ends, prepend=0)

    def _replace(self, units: Sequence[str]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        if not any(units):
            return np.empty(0, dtype=np.int32), np.zeros(len(units) + 1, dtype=np.int64)
        lines = replace_all(units, self.model.merges, self.model.spaces).split(SEPARATOR)
        rows = [[self.table.number(token) for token in line.split(" ") if token] for line in lines]
        tokens = np.array(list(chain.from_iterable(rows)), dtype=np.int32)
        return tokens, offsets_of(list(map(len, rows)))


def _table_of(model: BPEModel) -> MergeTable:
    """The merges of a model, numbered once for all texts: a sentence takes less time than they do."""
    # Kept as a cached property would be; the model's module, with which models are learned, knows no tables.
    kept = vars(model)
    if "_table" not in kept:
        kept["_table"] = MergeTable(model.merges)
    table: MergeTable = kept["_table"]
    return table


def _ordered(model: BPEModel, application: str) -> tuple[NDArray[np.int64], Encoder]:
    """An encoder of a model, and the index in the model of each of the encoder's merges."""
    encoder = Encoder(model, application=application)
    place = {merge: k for k, merge in enumerate(model.merges)}
    order = [place[merge] for merge in encoder.model.merges]
    return np.array(order, dtype=np.int64), encoder


def _applications(model: BPEModel, corpus: _Corpus) -> NDArray[np.int64]:
    encoder = Encoder(model)
    symbols, offsets = encoder.initial_symbols(corpus.units)
    removed_by = np.full(len(symbols), -1, dtype=np.int32)
    kernels.segment_units(symbols, offsets, encoder.table.trie(), removed_by)
    times = np.bincount(corpus.occurrences, minlength=len(corpus.units))
    by = np.flatnonzero(removed_by >= 0)
    counts = np.bincount(
        removed_by[by],
        weights=np.repeat(times, np.diff(offsets))[by],
        minlength=len(model.merges),
    )
    joined = np.array([len(merge) - 1 for merge in model.merges], dtype=np.int64)
    return counts.astype(np.int64) // joined


class _Corpus:
    """A corpus as occurrences of distinct units; makes segmentations from their tokens."""

    def __init__(self, sentences: Sequence[Sequence[str]], spaces: bool) -> None:
        self.spaces = spaces
        lengths = np.fromiter(map(len, sentences), dtype=np.int64, count=len(sentences))
        self.words = offsets_of(lengths)
        if spaces:
            index = dict.fromkeys(chain.from_iterable(sentences))
            self.units = list(index)
            check_words(self.units)
            number = dict(zip(self.units, range(len(self.units)), strict=True))
            self.occurrences = np.fromiter(
                map(number.__getitem__, chain.from_iterable(sentences)),
                dtype=np.int32,
                count=self.words[-1],
            )
            self.bounds = self.words
        else:
            check_words(list(dict.fromkeys(chain.from_iterable(sentences))))
            self.units = sentence_units(sentences)
            self.occurrences = np.arange(len(sentences), dtype=np.int32)
            self.bounds = np.arange(len(sentences) + 1)

    def segmentation_of_units(
        self, tokens: NDArray[np.int32], offsets: NDArray[np.int64], encoder: Encoder
    ) -> Segmentation:
        """The segmentation that cuts all occurrences of a unit in the same way."""
        rows = ragged_rows(offsets, self.occurrences)
        return self.segmentation(tokens[rows], np.diff(offsets)[self.occurrences], encoder)

    def segmentation(
        self, tokens: NDArray[np.int32], counts: NDArray[np.integer], encoder: Encoder
    ) -> Segmentation:
        """The segmentation with given tokens, as symbols, and given numbers of tokens of each occurrence."""
        if encoder.model.split:
            tokens, counts = encoder.split(tokens, counts)
        ids, symbols = kernels.number_types(tokens, len(encoder.table.types))
        types = [encoder.table.types[symbol] for symbol in symbols]
        ends = offsets_of(counts)
        if self.spaces:
            positions = np.arange(len(counts)) - np.repeat(self.words[:-1], np.diff(self.words))
            first = np.repeat(positions.astype(np.int32), counts)
            return Segmentation(types, ids, ends[self.bounds], first, first)
        # Count the words that begin before each token and inside it, by boundary symbols (thesis, section
        # 5.5). A boundary at the start or end of a token begins no word inside it.
        begins = np.array([text.count(BOUNDARY) for text in types], dtype=np.int32)[ids]
        leading = np.array([text.startswith(BOUNDARY) for text in types], dtype=np.int32)[ids]
        trailing = np.array([text.endswith(BOUNDARY) for text in types], dtype=np.int32)[ids]
        words_before = offsets_of(begins)
        before = words_before[:-1] - np.repeat(words_before[ends[:-1]], counts)
        first = (before + leading).astype(np.int32)
        last = (before + begins - trailing).astype(np.int32)
        return Segmentation(types, ids, ends, first, last)


def _letters(merge: tuple[str, ...]) -> int:
    """The number of characters of a merge's product, without marks of words."""
    product = "".join(merge)
    return len(product.removesuffix(WORD_END)) - product.count(BOUNDARY)


def _check(application: str) -> None:
    if application not in APPLICATIONS:
        raise InputError(
            f"unknown application {application!r}", hint=f"one of {', '.join(APPLICATIONS)}"
        )
