"""The unigram language model as the grid's segmenter: the axes of a side, turned into calls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from seggrid.data.boundary import BOUNDARY
from seggrid.data.segmentation import Segmentation
from seggrid.segment.unigram.model import UnigramModel, read_model, write_model

if TYPE_CHECKING:
    from seggrid.segment.side import Side

__all__ = ["learn", "learned", "read_model", "segment", "types", "write_model"]


def learn(sentences: Sequence[Sequence[str]], size: int, side: Side) -> UnigramModel:
    """Learn a vocabulary of `size` pieces beside single characters, or as many as there are."""
    from seggrid.segment.unigram.learn import learn

    return learn(sentences, size)


def segment(
    model: UnigramModel,
    sentences: Sequence[Sequence[str]],
    side: Side,
    seeds: Sequence[int],
    threads: int,
) -> list[Segmentation]:
    """Segment each word in the most probable way."""
    from seggrid.segment.unigram.apply import apply

    return [apply(model, sentences)]


def types(model: UnigramModel, side: Side) -> set[str]:
    """The pieces."""
    return set(model.pieces)


def learned(model: UnigramModel) -> int:
    """How many pieces there are beside single characters."""
    return sum(len(piece.removeprefix(BOUNDARY)) > 1 for piece in model.pieces)
