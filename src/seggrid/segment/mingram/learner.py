"""The learner of the segmenter `mingram`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from seggrid.data.segmentation import Sentences
from seggrid.segment.mingram import learn as mingram
from seggrid.segment.unigram import model as pieces
from seggrid.segment.unigram.model import UnigramModel

if TYPE_CHECKING:
    from seggrid.segment.side import Side


def learn(sentences: Sentences, size: int, side: Side) -> UnigramModel:
    """Learn a vocabulary of at most `size` types besides single characters."""
    return mingram.learn(sentences, size)


def write_model(model: UnigramModel, path: str | Path) -> None:
    """Write a model, atomically: pieces and the logarithms of their probabilities."""
    pieces.write_model(model, path, "mingram")
