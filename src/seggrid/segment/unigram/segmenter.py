"""The segmenter `unigram`: a unigram language model applied."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from seggrid.data.segmentation import Segmentation, Sentences
from seggrid.segment.sampling import parse_sampling
from seggrid.segment.unigram.apply import apply, sample
from seggrid.segment.unigram.model import UnigramModel, read_model, symbol_count

if TYPE_CHECKING:
    from seggrid.segment.side import Side

__all__ = ["learned", "read_model", "segment", "types"]


def segment(
    model: UnigramModel, sentences: Sentences, side: Side, seeds: Sequence[int], threads: int
) -> list[Segmentation]:
    """Segment each word, or without spaces each sentence, in the most probable way; with sampling, draw once
    for each seed."""
    sampling = parse_sampling(side.sampling)
    if sampling is None:
        return [apply(model, sentences)]
    return sample(model, sentences, temperature=1 / sampling.alpha, best=sampling.best, seeds=seeds)


def types(model: UnigramModel, side: Side) -> set[str]:
    """The pieces beside single characters."""
    return {piece for piece in model.pieces if symbol_count(piece, model.spaces) > 1}


def learned(model: UnigramModel) -> int:
    """The number of pieces beside single characters."""
    return sum(symbol_count(piece, model.spaces) > 1 for piece in model.pieces)
