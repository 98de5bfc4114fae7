"""The learner of the segmenter `byte_bpe`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from seggrid.base.files import atomic_write
from seggrid.data.segmentation import Sentences
from seggrid.data.words import WordCounts
from seggrid.segment.byte_bpe.learn import ALPHABET
from seggrid.segment.byte_bpe.learn import learn as learn_from_counts

if TYPE_CHECKING:
    from seggrid.segment.side import Side

__all__ = ["alphabet_size", "learn", "write_model"]


def learn(sentences: Sentences | WordCounts, size: int, side: Side, min_frequency: int = 2) -> str:
    """Learn `size` merges of bytes, or fewer if no pair is left that occurs `min_frequency` times."""
    words = WordCounts.of(sentences)
    counts = dict(zip(words.types, words.counts.tolist(), strict=True))
    return learn_from_counts(counts, size, min_frequency=min_frequency)


def alphabet_size(sentences: Sentences, side: Side) -> int:
    """The number of bytes and special types."""
    return ALPHABET


def write_model(model: str, path: str | Path) -> None:
    """Write a `tokenizer.json`, atomically."""
    with atomic_write(path) as file:
        file.write(model)
