"""The unigram language model: learn a vocabulary with probabilities, and cut text by it.

After Kudo 2018, "Subword regularization", section 3. A piece consists of symbols: the characters of a word,
the first with `▁` before it; or, without spaces, those of a sentence, with `▁` between its words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, pairwise
from math import exp, log
from operator import itemgetter
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from seggrid.base.errors import InputError
from seggrid.segment import unigram_kernels as kernels
from seggrid.segment.bpe.apply_kernels import uniforms
from seggrid.segment.segmenter import Ranked
from seggrid.segment.units import WordTypes, symbol_count, unit_symbols
from seggrid.segment.variants import Sampling
from seggrid.text.boundary import BOUNDARY
from seggrid.text.ragged import offsets_of, ragged_rows

if TYPE_CHECKING:
    from seggrid.segment.side import Side
    from seggrid.text.segmentation import Segmentation, Sentences

PASSES = 2
"""Passes of EM before each pruning, and at the end, as in sentencepiece."""
KEPT = 0.8
"""The share of pieces that each pruning keeps (Kudo 2018, section 3.2)."""
LONGEST = 16
"""The most symbols of a piece, as in sentencepiece."""
SEEDS = 1_000_000
"""The most pieces of the initial vocabulary, besides single symbols, as in sentencepiece."""
LEAST = 0.5
"""The least expected count of a single symbol. Without it, EM would almost remove single symbols from the
model, and the loss of pieces that only they can replace would be far too high. sentencepiece has the same
limit: it removes pieces whose expected count is lower."""
UNKNOWN = 10.0
"""The log probability of an unknown symbol is the least one in the model minus this, as in sentencepiece."""
_SMALLEST = float(np.finfo(np.float64).tiny)


@dataclass(frozen=True)
class Unigram(Ranked):
    """Pieces of words that are drawn independently (Kudo 2018, section 3.2): P(x) = Π p(x_i).

    The number of a piece is the natural logarithm of its probability; the most probable piece is first, among
    equally probable ones the lexicographically larger by code points. Single symbols are pieces, too.
    """

    name = "unigram"
    label = "Unigram"
    axes: ClassVar[tuple[str, ...]] = (
        *("spaces", "joint", "vocabulary", "merges", "application", "sampling"),
    )
    nested = False
    number = float

    @classmethod
    def of_pieces(cls, pieces: Mapping[str, float], spaces: bool = True) -> Self:
        """The model with these pieces, which are sorted first."""
        by_text = sorted(pieces.items(), reverse=True)
        return cls(dict(sorted(by_text, key=lambda piece: -piece[1])), spaces)

    @classmethod
    def learn(cls, sentences: Sentences, size: int, side: Side) -> Unigram:
        """Learn `size` pieces besides single symbols, fewer if the text has fewer (section 3.2).

        The initial vocabulary is all symbols and all strings of symbols that occur at least twice within
        words, with their relative frequencies. Then these steps are repeated until `size` strings of two or
        more symbols are left: EM; the loss of each string, which is how much the log likelihood
        L = Σ log P(X) falls if only this string is removed (P(X) is the sum over all segmentations of a word
        X); pruning, which keeps the strings with the greatest loss, among equal ones the lexicographically
        larger by code points. Single symbols are always kept and have an expected count of at least `LEAST`.
        EM runs once more at the end.
        """
        spaces = side.spaces is not False
        types = WordTypes.from_sentences(sentences, spaces=spaces)
        if not types.words:
            return Unigram({}, spaces)
        weights = types.counts.astype(np.float64)
        arcs, offsets, texts, frequencies, n_symbols = seed_vocabulary(types, LONGEST)
        log_p = np.log(frequencies / frequencies.sum())
        # From here on, pieces of two or more symbols are in the order of their texts, by which ties are
        # resolved.
        by_text = [*range(n_symbols), *sorted(range(n_symbols, len(texts)), key=texts.__getitem__)]
        arcs, texts, log_p = keep(np.array(by_text), arcs, texts, log_p)
        worth = np.exp(log_p) * np.array([symbol_count(text, spaces) for text in texts])
        arcs, texts, log_p = keep(best_pieces(worth, n_symbols, SEEDS), arcs, texts, log_p)
        while True:
            least = np.where(np.arange(len(texts)) < n_symbols, LEAST, _SMALLEST)
            for _ in range(PASSES):
                expected = kernels.expect_pieces(arcs, offsets, weights, log_p)
                expected = np.maximum(expected, least)
                log_p = np.log(expected / expected.sum())
            multiple = len(texts) - n_symbols
            if multiple <= size:
                return Unigram.of_pieces(dict(zip(texts, log_p.tolist(), strict=True)), spaces)
            loss = kernels.losses(arcs, offsets, weights, log_p, n_symbols)
            best = best_pieces(loss, n_symbols, max(size, int(KEPT * multiple)))
            arcs, texts, log_p = keep(best, arcs, texts, log_p)

    def segment(
        self, sentences: Sentences, side: Side, seeds: Sequence[int], threads: int
    ) -> list[Segmentation]:
        """Segment each word, or without spaces each sentence, in the most probable way; with sampling, draw
        once for each seed. With a rule, use the pieces without their probabilities.

        Of equally probable segmentations, the one with the longer last piece is taken, then the one with the
        longer last but one, and so on. A symbol that is not in the model may be a token of its own.
        """
        sampling = self.sampling(side)
        if side.application is not None:
            if sampling is not None:
                raise InputError(
                    f"sampling with the application `{side.application}`, which has no probabilities",
                    hint="leave one of the two out",
                )
            return super().segment(sentences, side, seeds, threads)
        types = WordTypes.from_sentences(sentences, spaces=self.spaces)
        arcs, offsets, texts, log_p = self.lattices(types.words)
        if sampling is None:
            pieces, counts = kernels.best_segmentations(arcs, offsets, log_p)
            return [types.segmentation_of_types(texts, pieces, counts)]
        drawn = _drawn(types, arcs, offsets, log_p, sampling, seeds)
        return [types.segmentation(texts, pieces, counts) for pieces, counts in drawn]

    def lattices(
        self, words: Sequence[str]
    ) -> tuple[NDArray[np.int32], NDArray[np.int64], list[str], NDArray[np.float64]]:
        """The lattices of words (see `unigram_kernels`), and the texts and log probabilities of the pieces,
        the unknown symbols of the words among them."""
        number = {piece: k for k, piece in enumerate(self.numbers)}
        longest = max((symbol_count(piece, self.spaces) for piece in number), default=1)
        offsets = offsets_of(np.array([len(word) for word in words], dtype=np.int64))
        arcs = np.full((offsets[-1], longest), -1, dtype=np.int32)
        for word, first in zip(words, offsets.tolist(), strict=False):
            text = BOUNDARY + word if self.spaces else word
            mark = len(text) - len(word)
            for i in range(len(word)):
                begin = i + mark if i else 0
                arcs[first + i, 0] = number.setdefault(text[begin : i + mark + 1], len(number))
                for length in range(2, min(longest, len(word) - i) + 1):
                    arcs[first + i, length - 1] = number.get(text[begin : i + mark + length], -1)
        unknown = [self.unknown_log_p] * (len(number) - len(self.numbers))
        return arcs, offsets, list(number), np.array([*self.numbers.values(), *unknown])

    @property
    def unknown_log_p(self) -> float:
        """The log probability of a symbol that is not in the model."""
        return min(self.numbers.values(), default=0.0) - UNKNOWN

    @property
    def learned(self) -> int:
        return sum(symbol_count(piece, self.spaces) > 1 for piece in self.numbers)

    def types(self, side: Side) -> set[str]:
        return {piece for piece in self.numbers if symbol_count(piece, self.spaces) > 1}


def _drawn(
    types: WordTypes,
    arcs: NDArray[np.int32],
    offsets: NDArray[np.int64],
    log_p: NDArray[np.float64],
    sampling: Sampling,
    seeds: Sequence[int],
) -> Iterator[tuple[NDArray[np.int32], NDArray[np.int64]]]:
    """For each seed, the pieces of all occurrences of words and their numbers (subword regularization, Kudo
    2018, section 3.3).

    Each occurrence is segmented independently: segmentation x is drawn with a probability proportional to
    P(x)^alpha, among all segmentations, or among the `sampling.limit` most probable ones.
    """
    temperature = 1 / float(sampling.amount)
    if not sampling.limit:
        n_symbols = int(np.diff(offsets)[types.occurrences].sum())
        for seed in seeds:
            numbers = uniforms(np.uint64(seed % 2**64), n_symbols)
            yield kernels.sample_segmentations(
                arcs, offsets, log_p / temperature, types.occurrences, numbers
            )
        return
    found = most_probable(arcs, offsets, log_p, sampling.limit)
    pieces = [pieces for own in found for _, pieces in own]
    lengths = np.array(list(map(len, pieces)), dtype=np.int64)
    flat, begins = np.array(list(chain.from_iterable(pieces)), dtype=np.int32), offsets_of(lengths)
    shares = [[exp(1 / temperature * (p - own[0][0])) for p, _ in own] for own in found]
    # Not `sum`, whose rounding depends on the version of Python.
    totals = np.array([[*accumulate(own)][-1] for own in shares])
    first, share = offsets_of(map(len, shares)), np.array(list(chain.from_iterable(shares)))
    for seed in seeds:
        # The segmentation of each occurrence is the first of its word, or the next while more is left.
        left = uniforms(np.uint64(seed % 2**64), len(types.occurrences)) * totals[types.occurrences]
        at, last = first[types.occurrences], first[types.occurrences + 1] - 1
        going = np.arange(len(at))
        while len(going):
            going = going[(at[going] < last[going]) & (left[going] >= share[at[going]])]
            left[going] -= share[at[going]]
            at[going] += 1
        yield flat[ragged_rows(begins, at)], lengths[at]


def most_probable(
    arcs: NDArray[np.int32], offsets: NDArray[np.int64], log_p: NDArray[np.float64], best: int
) -> list[list[tuple[float, tuple[int, ...]]]]:
    """The most probable segmentations of each word, at most `best`: log probability and pieces. Equally
    probable ones are in the order of `Unigram.segment`."""
    value = log_p.tolist()
    found = []
    for first, stop in pairwise(offsets.tolist()):
        rows = arcs[first:stop].tolist()
        # The best paths to each node, with their probabilities.
        paths: list[list[tuple[float, tuple[int, ...]]]] = [[(0.0, ())]]
        for node in range(1, stop - first + 1):
            reached = [
                (p + value[piece], (*path, piece))
                for length in range(min(arcs.shape[1], node), 0, -1)
                if (piece := rows[node - length][length - 1]) >= 0
                for p, path in paths[node - length]
            ]
            paths.append(sorted(reached, key=itemgetter(0), reverse=True)[:best])
        found.append(paths[-1])
    return found


def seed_vocabulary(
    types: WordTypes, longest: int
) -> tuple[NDArray[np.int32], NDArray[np.int64], list[str], NDArray[np.float64], int]:
    """All symbols, and all strings of symbols that occur at least twice within words: the lattices of the
    words (see `unigram_kernels`), the text of each piece, the number of its occurrences, shape (P,), and the
    number of single symbols, which are the first pieces.

    Strings are found length by length, short ones first: two strings of n symbols are equal if
    their first n - 1 symbols and their last symbols are equal.
    """
    marking = "start" if types.spaces else None
    numbers, offsets, texts = unit_symbols(types.words, marking)
    symbols, n_symbols = numbers.astype(np.int64), len(texts)
    lengths = np.diff(offsets)
    word = np.repeat(np.arange(len(lengths)), lengths)
    position = np.arange(len(symbols)) - offsets[word]
    weights = types.counts[word].astype(np.float64)

    frequencies = [np.bincount(symbols, weights, minlength=n_symbols)]
    arcs = np.full((len(symbols), longest), -1, dtype=np.int32)
    arcs[:, 0] = symbols
    name = symbols.copy()  # for each symbol, the string of the current length that begins there
    begins = np.arange(len(symbols))
    for length in range(2, longest + 1):
        begins = begins[position[begins] + length <= lengths[word[begins]]]
        key = name[begins] * n_symbols + symbols[begins + length - 1]
        _, at, named = np.unique(key, return_index=True, return_inverse=True)
        count = np.bincount(named, weights[begins], minlength=len(at))
        often = count >= 2
        for c in begins[at[often]]:
            mark = BOUNDARY if types.spaces and not position[c] else ""
            texts.append(mark + types.words[word[c]][position[c] : position[c] + length])
        frequencies.append(count[often])
        number = np.cumsum(often) - 1
        stays = often[named]
        begins, named = begins[stays], number[named[stays]]
        name[begins] = named
        arcs[begins, length - 1] = len(texts) - int(often.sum()) + named
    return arcs, offsets, texts, np.concatenate(frequencies), n_symbols


def best_pieces(worth: NDArray[np.float64], n_symbols: int, wanted: int) -> NDArray[np.int64]:
    """The indices of the single symbols and of the `wanted` other pieces of greatest worth, ascending."""
    ranked = np.argsort(-worth[n_symbols:][::-1], kind="stable")  # among equals, the last first
    others = len(worth) - 1 - ranked[:wanted]
    return np.concatenate([np.arange(n_symbols), np.sort(others)])


def keep(
    kept: NDArray[np.int64],
    arcs: NDArray[np.int32],
    texts: Sequence[str],
    log_p: NDArray[np.float64],
) -> tuple[NDArray[np.int32], list[str], NDArray[np.float64]]:
    """The lattices, texts and probabilities of the pieces `kept`, in this order; probabilities sum to 1."""
    number = np.full(len(texts) + 1, -1, dtype=np.int32)  # the last entry is for -1, no piece
    number[kept] = np.arange(len(kept), dtype=np.int32)
    left = log_p[kept]
    return number[arcs], [texts[p] for p in kept], left - log(np.exp(left).sum())
