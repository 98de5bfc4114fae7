"""The learner of the segmenter `greedtok`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seggrid.data.segmentation import Sentences
from seggrid.data.words import WordCounts
from seggrid.segment.greedtok import learn as greedtok
from seggrid.segment.greedtok.model import GreedTokModel, write_model

if TYPE_CHECKING:
    from seggrid.segment.side import Side

__all__ = ["learn", "write_model"]


def learn(sentences: Sentences | WordCounts, size: int, side: Side) -> GreedTokModel:
    """Learn `size` types besides single characters, or fewer if no other type saves a token."""
    return greedtok.learn(sentences, size)
