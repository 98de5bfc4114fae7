"""The segmenters `sentencepiece_bpe` and `sentencepiece_unigram`: a model of sentencepiece applied."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from seggrid.data.segmentation import Segmentation, Sentences
from seggrid.segment.external.sentencepiece import SentencePiece, sampling_of

if TYPE_CHECKING:
    from seggrid.segment.side import Side

__all__ = ["declared", "learned", "library", "read_model", "segment", "segment_words", "types"]


def read_model(path: str | Path) -> SentencePiece:
    """Read a `.model`."""
    return SentencePiece.read(path)


def segment(
    model: SentencePiece | bytes,
    sentences: Sentences,
    side: Side,
    seeds: Sequence[int],
    threads: int,
) -> list[Segmentation]:
    """Tokenize each sentence by the library; with dropout or sampling, once for each seed."""
    return _read(model).draw(sentences, sampling_of(side), seeds)


def segment_words(
    model: SentencePiece | bytes, words: Sequence[str], side: Side, seeds: Sequence[int]
) -> list[Segmentation]:
    """Tokenize each word by itself, and map its tokens to its characters."""
    return _read(model).draw_words(words, sampling_of(side), seeds)


def _read(model: SentencePiece | bytes) -> SentencePiece:
    """The model; one that was just learned is parsed from its bytes."""
    return SentencePiece(model) if isinstance(model, bytes) else model


def library(model: SentencePiece | bytes) -> SentencePiece:
    """The library's tokenizer."""
    return _read(model)


def types(model: SentencePiece | bytes, side: Side) -> set[str]:
    """The types besides single characters."""
    return {text for text in _read(model).vocabulary if len(text) > 1}


def declared(model: SentencePiece | bytes, side: Side) -> int:
    """The size of the vocabulary."""
    return len(_read(model).vocabulary)


def learned(model: SentencePiece | bytes) -> int:
    """The number of types besides single characters and the unknown token."""
    return sum(len(text) > 1 for text in _read(model).vocabulary) - 1
