"""The segmenter `wordmap`: segments of Wordmap applied."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from seggrid.data.segmentation import Segmentation, Sentences
from seggrid.segment.wordmap.apply import apply
from seggrid.segment.wordmap.model import WordmapModel, read_model

if TYPE_CHECKING:
    from seggrid.segment.side import Side

__all__ = ["learned", "read_model", "segment", "types"]


def segment(
    model: WordmapModel, sentences: Sentences, side: Side, seeds: Sequence[int], threads: int
) -> list[Segmentation]:
    """Cut words into the model's first `side.merges` segments."""
    return [apply(model, sentences, size=side.merges)]


def types(model: WordmapModel, side: Side) -> None:
    """None: a word that no segments cover stays whole, so any word may be a type."""


def learned(model: WordmapModel) -> int:
    """The number of segments."""
    return len(model.segments)
