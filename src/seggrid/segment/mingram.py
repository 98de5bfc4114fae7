"""MinGram: the vocabulary of a BPE, with probabilities; a word is cut into the fewest, most probable tokens.

After the package script_tok (`script_bpe.tokenizers.mingram`) and arXiv 2606.27019.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from seggrid.segment.bpe.apply import PreparedModel
from seggrid.segment.bpe.model import learn
from seggrid.segment.segmenter import ONLY_TYPES
from seggrid.segment.unigram import Unigram
from seggrid.segment.units import WordTypes, unit_symbols
from seggrid.segment.vocabulary import NEVER, cut, segment_by_vocabulary
from seggrid.text.segmentation import Segmentation, Sentences
from seggrid.text.words import WordCounts

if TYPE_CHECKING:
    from seggrid.segment.side import Side

PASSES = 2
"""Passes of counting after each choice of types, as `num_em_iterations` in the authors' code."""


@dataclass(frozen=True)
class MinGram(Unigram):
    """Types with the logarithms of their probabilities."""

    name = "mingram"
    label = "MinGram"
    axes = ("joint", "vocabulary", "merges", "application", "sampling")
    refuses = ONLY_TYPES

    @classmethod
    def learn(cls, sentences: Sentences, size: int, side: Side) -> MinGram:
        """Learn a vocabulary (arXiv 2606.27019).

        At first the vocabulary is that of a BPE with a tenth more merges, and the probability of a type is
        its share of the tokens. Then, twice, all words are cut (see `segment`), the probability of each type
        becomes its share of the tokens, and types without tokens are dropped, except single symbols. If more
        than `size` types are left, the most probable are kept, among equally probable ones the
        lexicographically larger, and words are cut twice again. In the end there may be fewer than `size`.
        """
        words = WordCounts.of(sentences)
        symbols = {*unit_symbols(words.types, "start")[2]}
        merges = learn(words, size * 11 // 10)
        encoder = PreparedModel(merges)
        tokens, offsets = encoder.encode(words.types)
        counts = dict.fromkeys([*symbols, *map("".join, merges.merges)], 0)
        counts |= _counted(words, encoder.table.types, tokens, np.diff(offsets))
        total = max(1, sum(counts.values()))
        # Types without tokens count as having one.
        pieces = {piece: log(max(count, 1) / total) for piece, count in counts.items()}
        pieces = _recounted(words, pieces, symbols)
        if len(pieces) - len(symbols) > size:
            most = sorted(((pieces[piece], piece) for piece in {*pieces} - symbols), reverse=True)
            kept = [piece for _, piece in most[:size]]
            pieces = {piece: pieces[piece] for piece in [*symbols, *kept]}
            pieces = _recounted(words, pieces, symbols)
        return cls.of_pieces(pieces)

    def segment(
        self, sentences: Sentences, side: Side, seeds: Sequence[int], threads: int
    ) -> list[Segmentation]:
        """Cut each word into the fewest tokens, unless there is another rule. Among segmentations with as
        few, take the most probable; among equally probable ones, the one with the longest last token, then
        the longest last but one, and so on.
        """
        if side.application is not None:
            return super().segment(sentences, side, seeds, threads)
        corpus = WordTypes.from_sentences(sentences)
        return [segment_by_vocabulary(corpus, self.types(side), "least", self.numbers)]


def _recounted(words: WordCounts, pieces: dict[str, float], symbols: set[str]) -> dict[str, float]:
    """The logarithms of probabilities after `PASSES` passes, without types, except symbols, that have no
    tokens."""
    for _ in range(PASSES):
        texts, tokens, offsets = cut(words.types, pieces, "least", "start", pieces)
        counts = _counted(words, texts, tokens, np.diff(offsets))
        total = sum(counts.values())
        pieces = {
            piece: log(counts[piece] / total) if counts[piece] else NEVER
            for piece in pieces
            if counts[piece] or piece in symbols
        }
    return pieces


def _counted(
    words: WordCounts, texts: Sequence[str], tokens: NDArray[np.integer], lengths: NDArray[np.int64]
) -> Counter[str]:
    """The number of tokens of each type, from those of the distinct words, one after another."""
    counts = np.bincount(tokens, np.repeat(words.counts, lengths), minlength=len(texts))
    return Counter(dict(zip(texts, map(int, counts.tolist()), strict=True)))
