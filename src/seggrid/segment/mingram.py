"""MinGram: the vocabulary of a BPE, with probabilities; a word is cut into the fewest, most probable tokens.

After the package script_tok (`script_bpe.tokenizers.mingram`) and arXiv 2606.27019.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from math import log
from typing import TYPE_CHECKING

import numpy as np

from seggrid.data.ragged import offsets_of
from seggrid.data.segmentation import Segmentation, Sentences
from seggrid.errors import InputError
from seggrid.segment.by_type import WordTypes
from seggrid.segment.unigram.model import Unigram
from seggrid.segment.units import check_words, numbered_symbols, symbol_texts, unit_symbols
from seggrid.segment.vocabulary import NEVER

if TYPE_CHECKING:
    from seggrid.segment.side import Side

PASSES = 2
"""Passes of counting after each choice of types, as `num_em_iterations` in the authors' code."""


@dataclass(frozen=True)
class MinGram(Unigram):
    """Types with the logarithms of their probabilities."""

    name = "mingram"
    label = "MinGram"
    axes = ("glossary", "joint", "vocabulary", "merges", "application")

    @classmethod
    def learn(cls, sentences: Sentences, size: int, side: Side) -> MinGram:
        """Learn a vocabulary (arXiv 2606.27019).

        At first the vocabulary is that of a BPE with a tenth more merges, and the probability of a type is
        its share of the tokens. Then, twice, all words are cut (see `segment`), the probability of each type
        becomes its share of the tokens, and types without tokens are dropped, except single symbols. If more
        than `size` types are left, the most probable are kept, among equally probable ones the
        lexicographically larger, and words are cut twice again. In the end there may be fewer than `size`.
        """
        if size < 0:
            raise InputError(f"{size} types", hint="give a number from 0 on")
        words = Counter(chain.from_iterable(sentences))
        check_words(list(words))
        text = _Text(words)
        pieces = text.recount(_merged(words, size * 11 // 10))
        if sum(piece not in text.known for piece in pieces) > size:
            most = sorted(
                ((p, piece) for piece, p in pieces.items() if piece not in text.known), reverse=True
            )
            kept = {piece for _, piece in most[:size]} | text.known
            pieces = text.recount({piece: p for piece, p in pieces.items() if piece in kept})
        return cls.of_pieces(pieces)

    def segment(
        self, sentences: Sentences, side: Side, seeds: Sequence[int], threads: int
    ) -> list[Segmentation]:
        """Cut each word into the fewest tokens, unless there is another rule. Among segmentations with as
        few, take the most probable; among equally probable ones, the one with the longest last token, then
        the longest last but one, and so on.
        """
        from seggrid.segment.vocabulary.apply import segment

        corpus = WordTypes.from_sentences(sentences)
        if side.application is not None:
            return [segment(corpus, self.types(side), side.application)]
        return [segment(corpus, self.types(side), "least", self.numbers)]


def _merged(words: Mapping[str, int], merges: int) -> dict[str, float]:
    """The types of a BPE, with the logarithm of each one's share of the tokens; types without tokens count as
    having one."""
    from seggrid.segment.bpe.learn_kernels import learn_merges, spread_weights

    weights = np.fromiter(words.values(), dtype=np.int64, count=len(words))
    cells, alphabet = numbered_symbols(list(words), "start")
    texts = symbol_texts(alphabet, "start")
    learned = learn_merges(
        cells,
        spread_weights(cells, weights),
        np.array([ord(c) for text in texts for c in text], dtype=np.uint32),
        offsets_of(list(map(len, texts))),
        merges,
        2,
        0,
    )
    for a, b in zip(learned.left.tolist(), learned.right.tolist(), strict=True):
        texts.append(texts[a] + texts[b])
    counts = learned.frequencies
    shares = np.log(np.maximum(counts, 1) / max(1, int(counts.sum())))
    return dict(zip(texts, shares.tolist(), strict=True))


class _Text:
    """Distinct words with their counts, as symbols."""

    def __init__(self, words: Mapping[str, int]) -> None:
        self.weights = np.fromiter(words.values(), dtype=np.int64, count=len(words))
        self.symbols, self.offsets, self.texts = unit_symbols(list(words), "start")
        self.known = set(self.texts)

    def recount(self, pieces: dict[str, float]) -> dict[str, float]:
        """The logarithms of probabilities after `PASSES` passes, without types that have no tokens."""
        for _ in range(PASSES):
            counts = self.count(pieces)
            total = sum(counts.values())
            pieces = {
                piece: log(counts[piece] / total) if counts[piece] else NEVER
                for piece in pieces
                if counts[piece] or piece in self.known
            }
        return pieces

    def count(self, pieces: Mapping[str, float]) -> Counter[str]:
        """The number of tokens of each type."""
        from seggrid.segment.vocabulary.covering import cover_least
        from seggrid.segment.vocabulary.trie import tokens_of, trie_of, worth_of

        trie, types = trie_of(list(pieces), self.texts, "start", backwards=True)
        texts = self.texts + types
        worth = worth_of([pieces.get(text, NEVER) for text in texts])
        tokens, offsets = tokens_of(
            cover_least(self.symbols, self.offsets, trie, worth), self.offsets
        )
        weights = np.repeat(self.weights, np.diff(offsets))
        found = np.bincount(tokens, weights, minlength=len(texts)).astype(np.int64)
        return Counter(dict(zip(texts, found.tolist(), strict=True)))
