"""Segment text by a unigram language model."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from seggrid.data.boundary import BOUNDARY
from seggrid.data.ragged import offsets_of
from seggrid.data.segmentation import Segmentation
from seggrid.errors import InputError
from seggrid.segment.bpe.apply_kernels import uniforms
from seggrid.segment.by_type import WordTypes
from seggrid.segment.unigram import apply_kernels as kernels
from seggrid.segment.unigram.model import Unigram, symbol_count

UNKNOWN = 10.0
"""The log probability of an unknown symbol is the least one in the model minus this, as in sentencepiece."""


def apply(model: Unigram, sentences: Sequence[Sequence[str]]) -> Segmentation:
    """Segment a corpus, each word (each sentence, if not `model.spaces`) in the most probable way (Kudo 2018,
    section 3.2).

    Of equally probable segmentations, the one with the longer last piece is taken, then the one with the
    longer last but one, and so on. A symbol that is not in the model may be a token of its own.
    """
    types = WordTypes.from_sentences(sentences, spaces=model.spaces)
    arcs, offsets, texts, log_p = _lattices(model, types.words)
    pieces, counts = kernels.best_segmentations(arcs, offsets, log_p)
    return types.segmentation_of_types(texts, pieces, counts)


def sample(
    model: Unigram,
    sentences: Sequence[Sequence[str]],
    *,
    temperature: float,
    best: int | None = None,
    seeds: Sequence[int],
) -> list[Segmentation]:
    """Segment a corpus at random, once for each seed: subword regularization (Kudo 2018, section 3.3).

    Each occurrence of a word is segmented independently: segmentation x is drawn with a probability
    proportional to P(x)^(1 / temperature), among all segmentations or among the best ones. The paper's α is
    1 / temperature, its l is `best`.

    Args:
        temperature: above 0; at 1, segmentations have the probabilities of the model; a higher temperature is
            closer to uniform, a lower one closer to the best segmentation.
        best: number of most probable segmentations of a word to draw from, equally probable ones in the
            order of `apply`; None for all.
    """
    if not temperature > 0:
        raise InputError(f"a temperature of {temperature}", hint="give a number above 0")
    if best is not None and best < 1:
        raise InputError(f"the {best} best segmentations", hint="give a number from 1 on")
    types = WordTypes.from_sentences(sentences, spaces=model.spaces)
    arcs, offsets, texts, log_p = _lattices(model, types.words)
    if best is not None:
        found = kernels.best_of_each(arcs, offsets, log_p, best)
        samples = []
        for seed in seeds:
            drawn = uniforms(np.uint64(seed % 2**64), len(types.occurrences))
            pieces, counts = kernels.sample_best(*found, 1 / temperature, types.occurrences, drawn)
            samples.append(types.segmentation(texts, pieces, counts))
        return samples
    n_symbols = int(np.diff(offsets)[types.occurrences].sum())
    samples = []
    for seed in seeds:
        drawn = uniforms(np.uint64(seed % 2**64), n_symbols)
        pieces, counts = kernels.sample_segmentations(
            arcs, offsets, log_p / temperature, types.occurrences, drawn
        )
        samples.append(types.segmentation(texts, pieces, counts))
    return samples


def _lattices(
    model: Unigram, words: Sequence[str]
) -> tuple[NDArray[np.int32], NDArray[np.int64], list[str], NDArray[np.float64]]:
    """The lattices of words (see `lattice`), and the texts and log probabilities of the pieces."""
    number = {piece: k for k, piece in enumerate(model.numbers)}
    model_pieces = len(number)
    longest = max((symbol_count(piece, model.spaces) for piece in number), default=1)
    offsets = offsets_of(np.array([len(word) for word in words], dtype=np.int64))
    arcs = np.full((offsets[-1], longest), -1, dtype=np.int32)
    for word, first in zip(words, offsets.tolist(), strict=False):
        text = BOUNDARY + word if model.spaces else word
        mark = len(text) - len(word)
        for i in range(len(word)):
            begin = i + mark if i else 0
            arcs[first + i, 0] = number.setdefault(text[begin : i + mark + 1], len(number))
            for length in range(2, min(longest, len(word) - i) + 1):
                arcs[first + i, length - 1] = number.get(text[begin : i + mark + length], -1)
    least = min(model.numbers.values(), default=0.0)
    unknown = [least - UNKNOWN] * (len(number) - model_pieces)
    return arcs, offsets, list(number), np.array([*model.numbers.values(), *unknown])
