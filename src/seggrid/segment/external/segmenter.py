"""The segmenter `external`: tokenizers from elsewhere, called with the axes of a side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from seggrid.data.segmentation import Segmentation, Sentences
from seggrid.errors import InputError
from seggrid.segment.external.huggingface import HuggingFace
from seggrid.segment.external.sentencepiece import SentencePiece, sampling_of
from seggrid.segment.external.tokens import MARKINGS, MarkedText
from seggrid.segment.model_text import check_kind

if TYPE_CHECKING:
    from seggrid.segment.side import Side

__all__ = [
    "FORMATS",
    "check",
    "declared",
    "library",
    "read_model",
    "segment",
    "segment_words",
    "spelling",
]

Tokenizer = HuggingFace | SentencePiece | MarkedText

FORMATS = ("huggingface", "sentencepiece", *(f"tokens-{marking}" for marking in MARKINGS))


def read_model(path: str | Path, format: str) -> Tokenizer:
    """Read a tokenizer."""
    if format == "huggingface":
        check_kind(path, "json")
        return HuggingFace.read(path)
    if format == "sentencepiece":
        check_kind(path)
        return SentencePiece.read(path)
    return MarkedText.read(path, format.removeprefix("tokens-"))


def check(model: Tokenizer, side: Side) -> None:
    """Refuse dropout and sampling if the tokenizer does not support them.

    Raises:
        InputError: the side asks for dropout of a tokenizer that is not a BPE of sentencepiece, or for
            sampling from one that is not a unigram language model of sentencepiece.
    """
    for axis, is_able, of in (
        ("dropout", model.bpe, "a BPE of sentencepiece"),
        ("sampling", model.unigram, "a unigram language model of sentencepiece"),
    ):
        if getattr(side, axis) not in (None, "none", 0) and not is_able:
            raise InputError(
                f"the tokenizer {side.tokenizer} cannot be sampled by {axis}",
                hint=f"leave {axis} out for it; {of} can",
            )


def segment(
    model: Tokenizer, sentences: Sentences, side: Side, seeds: Sequence[int], threads: int
) -> list[Segmentation]:
    """Tokenize each sentence; with dropout or sampling, once for each seed."""
    check(model, side)
    if isinstance(model, HuggingFace):
        return [model.segment(sentences, threads)]
    if isinstance(model, MarkedText):
        return [model.segment(sentences)]
    return model.draw(sentences, sampling_of(side), seeds)


def segment_words(
    model: Tokenizer, words: Sequence[str], side: Side, seeds: Sequence[int]
) -> list[Segmentation]:
    """Tokenize each word by itself, and map its tokens to its characters.

    Raises:
        InputError: see `check`; or the model is a tokenized text, which cannot tokenize other words.
    """
    check(model, side)
    if isinstance(model, HuggingFace):
        return [model.segment_words(words)]
    if isinstance(model, MarkedText):
        raise InputError(
            "tokens of a text, which say nothing of other words",
            file=model.file,
            hint="give the tokenizer itself",
        )
    return model.draw_words(words, sampling_of(side), seeds)


def spelling(model: Tokenizer) -> Callable[[str], bytes]:
    """A function from the text of a type to its bytes."""
    return model.spelled


def library(model: Tokenizer) -> HuggingFace | SentencePiece | None:
    """The tokenizer; None for a tokenized text, which has no decoder."""
    return None if isinstance(model, MarkedText) else model


def declared(model: Tokenizer, side: Side) -> int | None:
    """The size of the vocabulary; None if it is not declared."""
    return None if model.vocabulary is None else len(model.vocabulary)
