"""The learner of the segmenter `bpe`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seggrid.base.axis import required
from seggrid.data.segmentation import Sentences
from seggrid.segment.bpe import learn as bpe
from seggrid.segment.bpe.model import BPEModel, write_model

if TYPE_CHECKING:
    from seggrid.segment.side import Side

__all__ = ["learn", "write_model"]


def learn(sentences: Sentences, size: int, side: Side, min_frequency: int = 2) -> BPEModel:
    """Learn `size` merges, or as many as there are pairs that occur `min_frequency` times."""
    return bpe.learn(
        sentences,
        size,
        spaces=bool(side.spaces),
        scoring=required(side.scoring),
        min_frequency=min_frequency,
    )
