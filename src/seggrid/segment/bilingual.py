"""A unigram language model whose probabilities depend on the translation, learned from both texts of a pair.

After Vico and Libovický 2025 (arXiv 2507.07824), in which a piece is conditioned on the tokens of the other
sentence. Here it is conditioned on the one token that the word is linked to by IBM model 1, so that words
have lattices as in a unigram model, one for each token that they are linked to.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from seggrid.segment import unigram_kernels as kernels
from seggrid.segment.model_file import Content
from seggrid.segment.parity import two_texts
from seggrid.segment.segmenter import ONLY_TYPES, Segmenter
from seggrid.segment.unigram import KEPT, LEAST, PASSES, Unigram, best_pieces, keep
from seggrid.segment.units import WordTypes, symbol_count
from seggrid.text.boundary import BOUNDARY
from seggrid.text.ragged import offsets_of, ragged_rows
from seggrid.text.segmentation import Segmentation, Sentences

if TYPE_CHECKING:
    from seggrid.segment.side import Side

ROUNDS = 2
"""Rounds of linking and learning: words are linked to words first, then to tokens of the round before."""
CANDIDATES = 4
"""How many times as many pieces a unigram model has from which the pieces are chosen."""
IBM_PASSES = 5
"""Passes of EM of IBM model 1."""
LIKELY = 0.1
"""A word's links of less than this share of its most likely one are left out."""
PRIOR = 10.0
"""The weight of p(x) in p(x | s), in tokens."""

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Bilingual(Unigram):
    """Pieces with the logarithms of their probabilities in both texts, and the tokens of each of their
    words."""

    name = "bilingual"
    label = "bilingual Unigram"
    axes = ("joint", "vocabulary", "merges", "application", "sampling")
    always_joint = True
    by_itself = False
    refuses = ONLY_TYPES

    words: dict[str, tuple[str, ...]] = field(default_factory=dict)

    @classmethod
    def learn(cls, sentences: Sentences, size: int, side: Side) -> Bilingual:
        """Learn `size` pieces besides single symbols, fewer if the text has fewer, from two texts.

        The candidates are the pieces of a unigram model of both texts with `CANDIDATES` times as many. In
        each of `ROUNDS` rounds, words are linked to the tokens of the other text (`links`). The likelihood is
        Π P(w | s)^c over words w and tokens s with c expected links, and P(w | s) the sum over the
        segmentations of w of Π p(x_i | s). As in a unigram model, passes of EM and the pruning of pieces
        without which it falls least take turns. In p(x | s), p(x) counts as `PRIOR` tokens.
        """
        half = len(two_texts(sentences)[0])
        types = WordTypes.from_sentences(sentences)
        if not types.words:
            return cls({})
        candidates = Unigram.learn(sentences, CANDIDATES * size, side)
        arcs, offsets, texts, log_p = candidates.lattices(types.words)
        symbols = [k for k, text in enumerate(texts) if symbol_count(text, True) == 1]
        others = sorted({*range(len(texts))}.difference(symbols), key=texts.__getitem__)
        arcs, texts, log_p = keep(np.array([*symbols, *others]), arcs, texts, log_p)
        cut = types.segmentation_of_words([BOUNDARY + word] for word in types.words)
        for _ in range(ROUNDS):
            lattices = Lattices.of(arcs, offsets, links(types, cut, half))
            shares, kept, log_of = learned_under(lattices, np.exp(log_p), len(symbols), size)
            pieces, counts = lattices.best(arcs, offsets, log_of)
            cut = types.segmentation_of_types(texts, pieces, counts)
        model = cls.of_pieces({texts[k]: float(np.log(shares[k])) for k in kept})
        return cls(model.numbers, words=_spelled(types.words, texts, pieces, counts))

    # By `cut`, not as Unigram, by probabilities alone.
    segment = Segmenter.segment

    def cut(self, words: Sequence[str], side: Side) -> Iterator[Sequence[str]]:
        """Cut each word of the texts that the model was learned from so that its links are most likely, and
        any other in the way that is most probable without them."""
        strange = [word for word in words if word not in self.words]
        arcs, offsets, texts, log_p = self.lattices(strange)
        own = _spelled(strange, texts, *kernels.best_segmentations(arcs, offsets, log_p))
        return (self.words.get(word) or own[word] for word in words)

    def rows(self) -> Content:
        settings, tables = super().rows()
        return Content(settings, {**tables, "words": [*self.words.values()]})

    @classmethod
    def of_rows(cls, content: Content) -> Bilingual:
        rows = content.tables["words"]
        words = {"".join(row).removeprefix(BOUNDARY): tuple(row) for row in rows}
        return cls(super().of_rows(content).numbers, words=words)


def _spelled(
    words: Sequence[str], texts: Sequence[str], pieces: Ints, counts: Ints
) -> dict[str, tuple[str, ...]]:
    """The texts of each word's pieces, from those of all words, one word after another."""
    rest = iter(pieces.tolist())
    return {
        word: tuple(texts[next(rest)] for _ in range(n))
        for word, n in zip(words, counts, strict=True)
    }


Links = tuple[Ints, Ints, Floats]
"""The words and the tokens that they are linked to, each shape (R,), and their expected numbers."""


def links(types: WordTypes, cut: Segmentation, half: int) -> Links:
    """The expected links of words, by IBM model 1 (Brown et al. 1993): each occurrence is linked to a token
    of the sentence beside it, or to none, with a probability proportional to p(word | token). There are two
    texts of `half` sentences each; tokens of the second text, and none of each text, have other numbers than
    those of the first."""
    n_tokens, sentences = len(cut.types) + 1, np.arange(2 * half)
    tokens = np.insert(cut.ids.astype(np.int64), cut.offsets[1:], n_tokens - 1)
    begins = cut.offsets + np.arange(2 * half + 1)
    tokens[begins[half] :] += n_tokens
    beside = np.repeat((sentences + half) % (2 * half), np.diff(types.offsets))
    lengths = np.diff(begins)[beside]
    keys = np.repeat(types.occurrences.astype(np.int64), lengths) * (2 * n_tokens)
    keys += tokens[ragged_rows(begins, beside)]
    pairs, pair = np.unique(keys, return_inverse=True)
    word, token = np.divmod(pairs, 2 * n_tokens)
    chance, firsts = np.ones(len(pairs)), offsets_of(lengths)[:-1]
    for _ in range(IBM_PASSES):
        shares = chance[pair]
        shares /= np.repeat(np.add.reduceat(shares, firsts), lengths)
        weight = np.bincount(pair, shares)
        chance = weight / np.bincount(token, weight)[token]
    first = np.flatnonzero(np.diff(word, prepend=-1))
    likely = weight >= LIKELY * np.maximum.reduceat(weight, first)[word]
    word, token, weight = word[likely], token[likely], weight[likely]
    return (word, token, weight * (types.counts / np.bincount(word, weight))[word])


@dataclass(frozen=True)
class Lattices:
    """The R lattices of words (see `unigram_kernels`), one for each token that a word is linked to.

    Their arcs are the P pairs of a piece and this token.

    Attributes:
        arcs: the arcs of all lattices, numbers of pairs, shape (C, L), as in `unigram_kernels`.
        offsets: first symbol of each lattice, shape (R + 1,).
        weights: how often the word is linked to the token, shape (R,).
        piece, token: those of each pair, shape (P,), sorted by piece.
        cells: for each symbol of each lattice, its row in the arcs of the words, shape (C,).
    """

    arcs: NDArray[np.int32]
    offsets: Ints
    weights: Floats
    piece: Ints
    token: Ints
    cells: Ints

    @classmethod
    def of(cls, arcs: NDArray[np.int32], offsets: Ints, linked: Links) -> Lattices:
        """The lattices of words with `arcs` and `offsets`, repeated for links."""
        word, token, weights = linked
        rows, lengths = ragged_rows(offsets, word), np.diff(offsets)[word]
        own, n_tokens = arcs[rows], int(token.max()) + 1
        keys = own.astype(np.int64) * n_tokens + np.repeat(token, lengths)[:, None]
        present = own >= 0
        pairs, numbers = np.unique(keys[present], return_inverse=True)
        own[present] = numbers
        pieces, tokens = np.divmod(pairs, n_tokens)
        return cls(own, offsets_of(lengths), weights, pieces, tokens, rows)

    def best(self, arcs: NDArray[np.int32], offsets: Ints, log_p: Floats) -> tuple[Ints, Ints]:
        """The segmentation of each word that makes all its links most likely: the pieces of all words, and
        the number of pieces of each."""
        row, column = np.nonzero(self.arcs >= 0)
        place = self.cells[row] * arcs.shape[1] + column
        weights = np.repeat(self.weights, np.diff(self.offsets))
        value = weights[row] * log_p[self.arcs[row, column]]
        worth = np.bincount(place, value, minlength=arcs.size)
        known = np.full(arcs.size, -1, dtype=np.int32)
        known[place] = place
        places, counts = kernels.best_segmentations(known.reshape(arcs.shape), offsets, worth)
        return arcs.ravel()[places], counts


def learned_under(
    lattices: Lattices, shares: Floats, n_symbols: int, size: int
) -> tuple[Floats, Ints, Floats]:
    """The share of each piece, the pieces that are kept, and the log probability of each pair of a piece and
    a token. Dropped pieces are taken out of the lattices."""
    arcs, piece, token = lattices.arcs, lattices.piece, lattices.token
    least = np.where(np.arange(len(shares)) < n_symbols, LEAST, np.finfo(np.float64).tiny)
    log_p, kept = np.log(shares)[piece], np.arange(len(shares))
    while True:
        for _ in range(PASSES):
            expected = kernels.expect_pieces(arcs, lattices.offsets, lattices.weights, log_p)
            shares = np.maximum(np.bincount(piece, expected, minlength=len(shares)), least)
            shares /= shares.sum()
            of_token = np.bincount(token, expected)[token]
            log_p = np.log((expected + PRIOR * shares[piece]) / (of_token + PRIOR))
        if len(kept) - n_symbols <= size:
            return shares, kept, log_p
        symbols = int(np.searchsorted(piece, n_symbols))
        of_pairs = kernels.losses(arcs, lattices.offsets, lattices.weights, log_p, symbols)
        loss = np.full(len(shares), -1.0)
        loss[kept] = np.bincount(piece, of_pairs, minlength=len(shares))[kept]
        kept = best_pieces(loss, n_symbols, max(size, int(KEPT * (len(kept) - n_symbols))))
        arcs[~np.isin(piece, kept)[arcs] & (arcs >= 0)] = -1
