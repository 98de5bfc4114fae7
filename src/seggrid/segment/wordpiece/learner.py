"""The learner of the segmenter `wordpiece`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from seggrid.data.segmentation import Sentences
from seggrid.data.words import WordCounts
from seggrid.segment.bpe import learn as bpe
from seggrid.segment.bpe import model as merging
from seggrid.segment.bpe.model import BPEModel

if TYPE_CHECKING:
    from seggrid.segment.side import Side

__all__ = ["learn", "write_model"]


def learn(sentences: Sentences | WordCounts, size: int, side: Side) -> BPEModel:
    """Learn a vocabulary of `size` types besides single characters, fewer if the text has fewer."""
    return bpe.learn(sentences, size, spaces=bool(side.spaces), scoring="likelihood")


def write_model(model: BPEModel, path: str | Path) -> None:
    """Write a model, atomically, as `seggrid.segment.bpe.model` describes, under a header of its own."""
    merging.write_model(model, path, "wordpiece")
