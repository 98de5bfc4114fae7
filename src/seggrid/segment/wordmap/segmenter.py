"""Wordmap as the grid's segmenter: the axes of a side, turned into calls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from seggrid.data.segmentation import Segmentation
from seggrid.segment.wordmap.model import WordmapModel, read_model, write_model

if TYPE_CHECKING:
    from seggrid.segment.side import Side

__all__ = ["learn", "learned", "read_model", "segment", "types", "write_model"]


def learn(sentences: Sequence[Sequence[str]], size: int, side: Side) -> WordmapModel:
    """Learn `size` segments, or as many as there are."""
    from seggrid.segment.wordmap.learn import learn

    return learn(sentences, size)


def segment(
    model: WordmapModel,
    sentences: Sequence[Sequence[str]],
    side: Side,
    seeds: Sequence[int],
    threads: int,
) -> list[Segmentation]:
    """Cut words into the model's first `side.merges` segments."""
    from seggrid.segment.wordmap.apply import apply

    return [apply(model, sentences, size=side.merges)]


def types(model: WordmapModel, side: Side) -> set[str]:
    """The first `side.merges` segments."""
    return set(model.prefix(side.merges).segments)


def learned(model: WordmapModel) -> int:
    """How many segments there are."""
    return len(model.segments)
