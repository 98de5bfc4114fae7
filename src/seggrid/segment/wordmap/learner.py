"""The learner of the segmenter `wordmap`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seggrid.data.segmentation import Sentences
from seggrid.segment.wordmap import learn as wordmap
from seggrid.segment.wordmap.model import WordmapModel, write_model

if TYPE_CHECKING:
    from seggrid.segment.side import Side

__all__ = ["learn", "write_model"]


def learn(sentences: Sentences, size: int, side: Side) -> WordmapModel:
    """Learn `size` segments, fewer if the text has fewer."""
    return wordmap.learn(sentences, size)
