"""Apply merges to text."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from seggrid.data.boundary import BOUNDARY, WORD_END
from seggrid.data.ragged import offsets_of
from seggrid.data.segmentation import Segmentation
from seggrid.data.words import number_distinct
from seggrid.errors import InputError
from seggrid.segment.bpe import apply_kernels as kernels
from seggrid.segment.bpe.merge_table import MergeTable
from seggrid.segment.bpe.model import BPEModel
from seggrid.segment.bpe.replace import replace_all
from seggrid.segment.by_type import WordTypes
from seggrid.segment.unit_kernels import SEPARATOR
from seggrid.segment.units import unit_symbols
from seggrid.segment.vocabulary import RULES, cut

APPLICATIONS = ("rank", "replace", "longest", *RULES)
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
        application: `"rank"`: BPE as defined (Sennrich et al. 2016): in each unit, the applicable
            merge of lowest rank is applied to all its occurrences that do not overlap, from left to right,
            until no merge is applicable. `"replace"`: each merge in order replaces the string `a b` by
            `ab` in the text with a space between tokens (thesis, section 5.2.2), which also joins longer
            tokens that end in `a` and begin with `b`. `"longest"`: as `"rank"`, but among the applicable
            merges the one with the longest product is applied, and among equally long ones the one of
            lowest rank (thesis, chapter 7). A rule of `seggrid.segment.vocabulary`: only the products
            of the merges are used.

    Returns:
        The segmentation; its types are in order of appearance and have `▁` as in the model.
    """
    _check(application)
    encoder = Encoder(model.prefix(merges), application=application)
    return encoder.segment(WordTypes.from_sentences(sentences, spaces=model.spaces))


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
        rate: the probability of dropping, from 0 (as `apply`) to 1 (only characters are left).
        kind: what is dropped. `"occurrence"` (Provilkov et al. 2020, algorithm 1): in each step on a word
            (or on a sentence where spaces are no boundaries), each applicable merge is dropped
            independently; the word is finished when a step has no merge left. `"merge"` (thesis, section
            5.3.1): each merge of the model is dropped for the whole corpus or not at all. If the model has
            weights, each merge has its own rate, see `weighted_rates`.
    """
    _check(application)
    if not 0 <= rate <= 1:
        raise InputError(f"a dropout rate of {rate}", hint="give a number from 0 to 1")
    if kind not in DROPOUTS:
        raise InputError(f"unknown kind of dropout {kind!r}", hint=f"one of {', '.join(DROPOUTS)}")
    if kind == "occurrence" and application not in ("rank", "longest"):
        raise InputError(
            f"dropout by occurrence with the application `{application}`",
            hint="take dropout by merge, or the application `rank`",
        )
    model = model.prefix(merges)
    corpus = WordTypes.from_sentences(sentences, spaces=model.spaces)
    rates = np.full(len(model.merges), float(rate))
    if model.weights:
        rates = weighted_rates(np.array(model.weights), _applications(model, corpus), rate)

    if kind == "occurrence":
        encoder = Encoder(model, application=application)
        symbols, offsets = encoder.initial_symbols(corpus.words)
        trie = encoder.table.trie(rates[encoder.order])

        def sample(seed: int) -> Segmentation:
            tokens, counts = kernels.segment_occurrences(
                symbols,
                offsets,
                corpus.occurrences,
                corpus.offsets,
                trie,
                np.uint64(seed % 2**64),
            )
            return corpus.segmentation(encoder.table.types, *encoder.split(tokens, counts))

    else:

        def sample(seed: int) -> Segmentation:
            drawn = kernels.uniforms(np.uint64(seed % 2**64), len(model.merges))
            kept = [model.merges[k] for k in np.flatnonzero(drawn >= rates)]
            return Encoder(replace(model, merges=kept), application=application).segment(corpus)

    if threads == 1 or len(seeds) == 1:
        return [sample(seed) for seed in seeds]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(sample, seeds))


def count_applications(model: BPEModel, sentences: Sequence[Sequence[str]]) -> NDArray[np.int64]:
    """How often each merge is applied to a corpus by rank, without dropout, shape (M,)."""
    return _applications(model, WordTypes.from_sentences(sentences, spaces=model.spaces))


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
        # The number of applications still to be dropped, by merges whose rate is below 1.
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
        model: the model, with its merges in the order in which they are tried.
        order: the index of each of these merges in the original model, shape (M,).
        table: the merges over numbered types; a symbol is the number of a type.
    """

    def __init__(self, model: BPEModel, *, application: str = "rank") -> None:
        if application == "replace" and model.spaces and model.marking != "start":
            raise InputError(
                f"words marked with {model.marking!r} and the application `replace`",
                hint="take the application `rank`",
            )
        if application in RULES and model.split:
            raise InputError(
                f"the model splits types after merging; the application `{application}` cannot",
                hint="take the application `rank`",
            )
        self.order = np.arange(len(model.merges))
        if application == "longest":
            # A rank is a position in an order of all merges: order them by length of product first.
            lengths = np.array(list(map(_letters, model.merges)), dtype=np.int64)
            self.order = np.argsort(-lengths, kind="stable")
            model = replace(model, merges=[model.merges[k] for k in self.order])
        self.model = model
        self.application = application
        self.table = _table_of(model).copy()

    def segment(self, corpus: WordTypes) -> Segmentation:
        """Segment all occurrences of a unit in the same way."""
        tokens, offsets = self.encode(corpus.words)
        return corpus.segmentation_of_types(self.table.types, *self.split(tokens, np.diff(offsets)))

    def initial_symbols(self, units: Sequence[str]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """The characters of units as symbols, int32, shape (C,), and offsets, int64, (U + 1,)."""
        symbols, offsets, texts = unit_symbols(units, self._marking)
        return self._numbered(texts)[symbols], offsets

    def encode(self, units: Sequence[str]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Segment units.

        Args:
            units: words if the model has spaces, otherwise any text; each code point is a symbol.

        Returns:
            The tokens of all units as symbols, int32, shape (T,), and the first token of each unit, int64,
            shape (U + 1,).
        """
        if self.application == "replace":
            lines = [""] * len(units)
            if any(units):
                text = replace_all(units, self.model.merges, self.model.spaces)
                lines = text.split(SEPARATOR)
            rows = [line.split(" ") if line else [] for line in lines]
            texts, numbers, offsets = number_distinct(rows)
            return self._numbered(texts)[numbers], offsets
        if self.application in RULES:
            products = set(map("".join, self.model.merges))
            texts, numbers, offsets = cut(units, products, self.application, self._marking)
            return self._numbered(texts)[numbers], offsets
        symbols, offsets = self.initial_symbols(units)
        tokens, unit_offsets = kernels.segment_units(
            symbols, offsets, self.table.trie(), np.empty(0, dtype=np.int32)
        )
        return tokens, unit_offsets

    @property
    def _marking(self) -> str | None:
        return self.model.marking if self.model.spaces else None

    def _numbered(self, texts: Sequence[str]) -> NDArray[np.int32]:
        return np.array(list(map(self.table.number, texts)), dtype=np.int32)

    def split(
        self, tokens: NDArray[np.int32], counts: NDArray[np.integer]
    ) -> tuple[NDArray[np.int32], NDArray[np.integer]]:
        """Split each token whose type is in the model's `split` into its parts, recursively.

        Args:
            tokens: the tokens of some units as symbols, int32, shape (T,).
            counts: tokens of each unit, shape (U,).
        """
        if not self.model.split:
            return tokens, counts
        parts, sizes = self.table.split(tokens, self.model.split)
        return parts, np.diff(offsets_of(sizes)[offsets_of(counts)])


def _table_of(model: BPEModel) -> MergeTable:
    """The table of a model's merges; made once, since making it takes longer than segmenting a sentence."""
    # Stored like a cached property, but from here: the module of models, which learning uses too, must not
    # depend on tables.
    kept = vars(model)
    if "_table" not in kept:
        kept["_table"] = MergeTable(model.merges)
    table: MergeTable = kept["_table"]
    return table


def _applications(model: BPEModel, corpus: WordTypes) -> NDArray[np.int64]:
    encoder = Encoder(model)
    symbols, offsets = encoder.initial_symbols(corpus.words)
    removed_by = np.full(len(symbols), -1, dtype=np.int32)
    kernels.segment_units(symbols, offsets, encoder.table.trie(), removed_by)
    by = np.flatnonzero(removed_by >= 0)
    counts = np.bincount(
        removed_by[by],
        weights=np.repeat(corpus.counts, np.diff(offsets))[by],
        minlength=len(model.merges),
    )
    joined = np.array([len(merge) - 1 for merge in model.merges], dtype=np.int64)
    return counts.astype(np.int64) // joined


def _letters(merge: tuple[str, ...]) -> int:
    """The number of characters of a merge's product, without marks of words."""
    product = "".join(merge)
    return len(product.removesuffix(WORD_END)) - product.count(BOUNDARY)


def _check(application: str) -> None:
    if application not in APPLICATIONS:
        raise InputError(
            f"unknown application {application!r}", hint=f"one of {', '.join(APPLICATIONS)}"
        )
