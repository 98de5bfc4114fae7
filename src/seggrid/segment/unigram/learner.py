"""The learner of the segmenter `unigram`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seggrid.data.segmentation import Sentences
from seggrid.segment.unigram import learn as unigram
from seggrid.segment.unigram.model import UnigramModel, write_model

if TYPE_CHECKING:
    from seggrid.segment.side import Side

__all__ = ["learn", "write_model"]


def learn(sentences: Sentences, size: int, side: Side) -> UnigramModel:
    """Learn a vocabulary of `size` pieces besides single characters, fewer if the text has fewer."""
    return unigram.learn(sentences, size, spaces=side.spaces is not False)
