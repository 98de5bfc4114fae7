"""The learner of the segmenters `sentencepiece_bpe` and `sentencepiece_unigram`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from seggrid.base.files import atomic_write
from seggrid.data.segmentation import Sentences
from seggrid.segment.sentencepiece import learn as sentencepiece

if TYPE_CHECKING:
    from seggrid.segment.side import Side

__all__ = ["alphabet_size", "learn", "write_model"]


def learn(sentences: Sentences, size: int, side: Side) -> bytes:
    """Learn a vocabulary of `size` types beside single characters, or as many as there are."""
    kind = side.segmenter.removeprefix("sentencepiece_")
    return sentencepiece.learn(sentences, size, kind, spaces=bool(side.spaces))


def alphabet_size(sentences: Sentences, side: Side) -> int:
    """The number of single characters, `▁` and the unknown token."""
    return sentencepiece.alphabet_size(sentences)


def write_model(model: bytes, path: str | Path) -> None:
    """Write a `.model`, atomically."""
    with atomic_write(path, "wb") as file:
        file.write(model)
