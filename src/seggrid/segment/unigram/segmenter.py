"""The unigram language model as the grid's segmenter: the axes of a side, turned into calls.

`learner` learns the model.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from seggrid.data.boundary import BOUNDARY
from seggrid.data.segmentation import Segmentation, Sentences
from seggrid.segment.unigram.apply import apply
from seggrid.segment.unigram.model import UnigramModel, read_model

if TYPE_CHECKING:
    from seggrid.segment.side import Side

__all__ = ["learned", "read_model", "segment", "types"]


def segment(
    model: UnigramModel, sentences: Sentences, side: Side, seeds: Sequence[int], threads: int
) -> list[Segmentation]:
    """Segment each word in the most probable way."""
    return [apply(model, sentences)]


def types(model: UnigramModel, side: Side) -> set[str]:
    """The pieces."""
    return set(model.pieces)


def learned(model: UnigramModel) -> int:
    """How many pieces there are beside single characters."""
    return sum(len(piece.removeprefix(BOUNDARY)) > 1 for piece in model.pieces)
