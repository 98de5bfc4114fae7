"""The learner of the segmenter `morfessor`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seggrid.data.segmentation import Sentences
from seggrid.segment.morfessor import learn as morfessor
from seggrid.segment.morfessor.model import MorfessorModel, write_model

if TYPE_CHECKING:
    from seggrid.segment.side import Side

__all__ = ["learn", "write_model"]


def learn(sentences: Sentences, size: int, side: Side) -> MorfessorModel:
    """Learn about `size` morphs."""
    return morfessor.learn(sentences, size)
