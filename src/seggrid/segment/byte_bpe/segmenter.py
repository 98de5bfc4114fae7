"""The segmenter `byte_bpe`: a byte-level BPE applied by Hugging Face's `tokenizers`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from seggrid.data.segmentation import Segmentation, Sentences
from seggrid.segment.byte_bpe.learn import SPECIAL
from seggrid.segment.external.huggingface import HuggingFace

if TYPE_CHECKING:
    from seggrid.segment.side import Side

__all__ = [
    "declared",
    "learned",
    "library",
    "read_model",
    "segment",
    "segment_words",
    "spelling",
    "types",
]


def read_model(path: str | Path) -> HuggingFace:
    """Read a `tokenizer.json`."""
    return HuggingFace.read(path)


def segment(
    model: HuggingFace | str, sentences: Sentences, side: Side, seeds: Sequence[int], threads: int
) -> list[Segmentation]:
    """Tokenize each sentence, its words joined by spaces.

    Args:
        model: the tokenizer, or the text of its `tokenizer.json`, which is what the learner returns.
        sentences, side, seeds, threads: see `seggrid.segment`.
    """
    return [_read(model).segment(sentences, threads)]


def segment_words(
    model: HuggingFace | str, words: Sequence[str], side: Side, seeds: Sequence[int]
) -> list[Segmentation]:
    """Tokenize each word by itself, and map its tokens to its characters."""
    return [_read(model).segment_words(words)]


def spelling(model: HuggingFace | str) -> Callable[[str], bytes]:
    """A function from the text of a type to its bytes."""
    return _read(model).spelled


def library(model: HuggingFace | str) -> HuggingFace:
    """The library's tokenizer."""
    return _read(model)


def types(model: HuggingFace | str, side: Side) -> set[str]:
    """The products of merges, and the single bytes, since these are not characters of the text."""
    return _read(model).vocabulary.difference(SPECIAL)


def declared(model: HuggingFace | str, side: Side) -> int:
    """The size of the vocabulary, bytes and special types included."""
    return len(_read(model).vocabulary)


def learned(model: HuggingFace | str) -> int:
    """The number of products of merges."""
    return sum(len(text) > 1 for text in _read(model).vocabulary) - len(SPECIAL)


def _read(model: HuggingFace | str) -> HuggingFace:
    return HuggingFace.parse(model) if isinstance(model, str) else model
