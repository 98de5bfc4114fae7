"""Apply merges to text."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from copy import copy
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from seggrid.base.errors import InputError
from seggrid.segment.bpe import STEPWISE
from seggrid.segment.bpe import apply_kernels as kernels
from seggrid.segment.trie import Trie, build_trie
from seggrid.segment.units import SEPARATOR, WordTypes, symbols_of, unit_symbols
from seggrid.segment.vocabulary import RULES, cut
from seggrid.text.boundary import BOUNDARY, WORD_END
from seggrid.text.ragged import offsets_of, ragged_rows
from seggrid.text.segmentation import Segmentation
from seggrid.text.words import number_distinct

if TYPE_CHECKING:
    from seggrid.segment.bpe.model import BPEModel


def apply(
    model: BPEModel, sentences: Sequence[Sequence[str]], *, application: str = "rank"
) -> Segmentation:
    """Segment a corpus, in the way that `application` says:

    - `rank`: BPE as defined (Sennrich et al. 2016): in each unit, the applicable merge of lowest rank is
      applied to all its occurrences that do not overlap, from left to right, until no merge is applicable;
    - `replace`: each merge in order replaces the string `a b` by `ab` in the text with a space between tokens
      (thesis, section 5.2.2), which also joins longer tokens that end in `a` and begin with `b`;
    - `longest`: as `rank`, but the applicable merge with the longest product is applied, among equally long
      ones that of lowest rank (thesis, chapter 7);
    - a rule of `seggrid.segment.vocabulary`: only the products of the merges are used.
    """
    corpus = WordTypes.from_sentences(sentences, spaces=model.spaces)
    return PreparedModel(model, application=application).segment(corpus)


def apply_dropout(
    model: BPEModel,
    sentences: Sequence[Sequence[str]],
    *,
    rate: float,
    seeds: Sequence[int],
    kind: str = "occurrence",
    application: str = "rank",
    threads: int = 1,
) -> list[Segmentation]:
    """Segment a corpus with BPE-dropout, once for each seed. A sample depends on its own seed, not on the
    other seeds or the number of threads.

    With the kind `occurrence` (Provilkov et al. 2020, algorithm 1), each applicable merge is dropped
    independently in each step on a word (or on a sentence where spaces are no boundaries), which is finished
    when a step has no merge left; with `merge` (thesis, section 5.3.1), each merge of the model is dropped
    for the whole corpus or not at all. If the model has weights, each merge has its own rate, see
    `weighted_rates`.
    """
    if kind == "occurrence" and application not in STEPWISE:
        raise InputError(
            f"dropout by occurrence with the application `{application}`",
            hint="take dropout by merge, or the application `rank`",
        )
    corpus = WordTypes.from_sentences(sentences, spaces=model.spaces)
    rates = np.full(len(model.merges), float(rate))
    if model.weights:
        rates = weighted_rates(np.array(model.weights), count_applications(model, sentences), rate)

    if kind == "occurrence":
        encoder = PreparedModel(model, application=application)
        symbols, offsets = encoder.initial_symbols(corpus.words)
        trie, nowhere = encoder.table.trie(rates[encoder.order]), np.empty(0, dtype=np.int32)

        def sample(seed: int) -> Segmentation:
            number = np.uint64(seed % 2**64)
            tokens, counts = kernels.segment_occurrences(
                symbols, offsets, corpus.occurrences, corpus.offsets, trie, number, True, nowhere
            )
            split = encoder.table.split(tokens, counts, model.split)
            return corpus.segmentation(encoder.table.types, *split)

    else:

        def sample(seed: int) -> Segmentation:
            drawn = kernels.uniforms(np.uint64(seed % 2**64), len(model.merges))
            kept = [model.merges[k] for k in np.flatnonzero(drawn >= rates)]
            return PreparedModel(replace(model, merges=kept), application=application).segment(
                corpus
            )

    if threads == 1 or len(seeds) == 1:
        return [sample(seed) for seed in seeds]
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(sample, seeds))


def count_applications(model: BPEModel, sentences: Sequence[Sequence[str]]) -> NDArray[np.int64]:
    """How often each merge is applied to a corpus by rank, without dropout, shape (M,)."""
    corpus = WordTypes.from_sentences(sentences, spaces=model.spaces)
    encoder = PreparedModel(model)
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


def weighted_rates(
    weights: NDArray[np.float64], applied: NDArray[np.int64], rate: float
) -> NDArray[np.float64]:
    """The rate of dropout of each of M merges: proportional to its weight, which is above 0, at most 1, and
    such that the expected share of dropped applications is `rate`. `applied`: how often each is, without
    dropout.

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


class PreparedModel:
    """A model prepared for segmenting units: its merges in the `order` in which they are tried, the index of
    each in the original model, and in a `table` over numbered types; a symbol is the number of a type."""

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
        split = self.table.split(tokens, np.diff(offsets), self.model.split)
        return corpus.segmentation_of_types(self.table.types, *split)

    def initial_symbols(self, units: Sequence[str]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """The characters of units as symbols, int32, shape (C,), and offsets, int64, (U + 1,)."""
        symbols, offsets, texts = unit_symbols(units, self._marking)
        return self._numbered(texts)[symbols], offsets

    def encode(self, units: Sequence[str]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """The tokens of units as symbols, shape (T,), and the first token of each, shape (U + 1,). Units are
        words if the model has spaces, otherwise any text; each code point is a symbol."""
        if self.application == "replace":
            rows = replaced(units, self.model.merges, self.model.spaces)
            texts, numbers, offsets = number_distinct(rows)
        elif self.application in RULES:
            products = set(map("".join, self.model.merges))
            texts, numbers, offsets = cut(units, products, self.application, self._marking)
        else:
            symbols, offsets = self.initial_symbols(units)
            tokens, counts = kernels.segment_units(
                symbols, offsets, self.table.trie(), np.empty(0, dtype=np.int32)
            )
            return tokens, offsets_of(counts)
        return self._numbered(texts)[numbers], offsets

    @property
    def _marking(self) -> str | None:
        return self.model.marking if self.model.spaces else None

    def _numbered(self, texts: Sequence[str]) -> NDArray[np.int32]:
        return np.array(list(map(self.table.number, texts)), dtype=np.int32)


class MergeTable:
    """M merges in order of priority over numbered types, of which those of an alphabet are the first; parts
    and products of merges follow.

    Attributes:
        types: the text of each type, shape (V,); `number` adds to it.
        parts: types of the parts of all merges, int32, shape (P,).
        offsets: first part of each merge, int64, shape (M + 1,).
        products: type of the product of each merge, int32, shape (M,).
    """

    def __init__(self, merges: Sequence[tuple[str, ...]], alphabet: Iterable[str] = ()) -> None:
        numbers = {symbol: i for i, symbol in enumerate(dict.fromkeys(alphabet))}
        parts = [numbers.setdefault(part, len(numbers)) for merge in merges for part in merge]
        products = [numbers.setdefault("".join(merge), len(numbers)) for merge in merges]
        self._numbers = numbers
        self.types = list(numbers)
        self.parts = np.array(parts, dtype=np.int32)
        self.offsets = offsets_of(list(map(len, merges)))
        self.products = np.array(products, dtype=np.int32)

    def copy(self) -> MergeTable:
        """The same merges, to which further types can be added."""
        other = copy(self)
        other._numbers, other.types = self._numbers.copy(), self.types.copy()
        return other

    def number(self, text: str) -> int:
        """The number of a type; a new type gets the next one."""
        number = self._numbers.setdefault(text, len(self._numbers))
        if number == len(self.types):
            self.types.append(text)
        return number

    def trie(self, rates: NDArray[np.float64] | None = None) -> Trie:
        """The merges as a trie, with their rates of dropout, if there is any."""
        drop = np.empty(0) if rates is None else rates
        trie: Trie = build_trie(self.parts, self.offsets, self.products, drop)
        return trie

    def symbol_counts(self) -> NDArray[np.int64]:
        """The number of initial symbols in each type, shape (V,)."""
        counts = np.ones(len(self.types), dtype=np.int64)
        for product, parts in self._from_short_to_long():
            counts[product] = counts[parts].sum()
        return counts

    def split(
        self, tokens: NDArray[np.int32], counts: NDArray[np.integer], unwanted: Collection[str]
    ) -> tuple[NDArray[np.int32], NDArray[np.integer]]:
        """Split each token of an unwanted type, a product, into the parts of its merge, recursively, in units
        that have so many tokens each; returns the tokens and their numbers after splitting."""
        if not unwanted:
            return tokens, counts
        expansions = list(np.arange(len(self.types), dtype=np.int32)[:, None])
        for product, parts in self._from_short_to_long():
            if self.types[product] in unwanted:
                expansions[product] = np.concatenate([expansions[part] for part in parts])
        offsets = offsets_of(list(map(len, expansions)))
        sizes = np.diff(offsets)[tokens]
        split = np.concatenate(expansions)[ragged_rows(offsets, tokens)]
        return split, np.diff(offsets_of(sizes)[offsets_of(counts)])

    def _from_short_to_long(self) -> list[tuple[int, NDArray[np.int32]]]:
        """The product and the parts of each merge, after those of the merges that make its parts."""
        spans = zip(self.products.tolist(), pairwise(self.offsets.tolist()), strict=True)
        rows = [(product, self.parts[begin:end]) for product, (begin, end) in spans]
        return sorted(rows, key=lambda row: len(self.types[row[0]]))


def replaced(
    units: Sequence[str], merges: Sequence[tuple[str, ...]], spaces: bool
) -> list[list[str]]:
    """The tokens of units after all merges, in order, as replacements of strings (thesis, section 5.2.2)."""
    text = SEPARATOR.join(" ".join(symbols_of(unit, spaces)) for unit in units)
    for merge in merges:
        text = text.replace(" ".join(merge), "".join(merge))
    lines = text.split(SEPARATOR) if units else []
    return [line.split(" ") if line else [] for line in lines]


def _table_of(model: BPEModel) -> MergeTable:
    """The table of a model's merges; made once, since making it takes longer than segmenting a sentence."""
    # Stored like a cached property, but from here: the module of models, which learning uses too, must not
    # depend on tables.
    kept = vars(model)
    if "_table" not in kept:
        kept["_table"] = MergeTable(model.merges)
    table: MergeTable = kept["_table"]
    return table


def _letters(merge: tuple[str, ...]) -> int:
    """The number of characters of a merge's product, without marks of words."""
    product = "".join(merge)
    return len(product.removesuffix(WORD_END)) - product.count(BOUNDARY)
