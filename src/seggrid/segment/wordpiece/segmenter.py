"""The segmenter `wordpiece`: the products of a model's merges, applied longest match first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from seggrid.data.segmentation import Segmentation, Sentences
from seggrid.segment.bpe.model import BPEModel, read_model
from seggrid.segment.bpe.units import sentence_units
from seggrid.segment.by_type import WordTypes
from seggrid.segment.token_offsets import from_spelled_tokens
from seggrid.segment.wordpiece.apply import longest_match

if TYPE_CHECKING:
    from seggrid.segment.side import Side

__all__ = ["learned", "read_model", "segment", "types"]


def segment(
    model: BPEModel, sentences: Sentences, side: Side, seeds: Sequence[int], threads: int
) -> list[Segmentation]:
    """Cut words, or sentences where `spaces` is no, by the products of the first `side.merges` merges.

    Raises:
        InputError: a word is empty or has a `▁`, a `</w>`, a space or a line end in it.
    """
    vocabulary = types(model, side)
    words = WordTypes.from_sentences(sentences)
    if side.spaces is not False:
        return [words.segmentation_of_words(longest_match(words.words, vocabulary))]
    units = sentence_units(sentences)
    return [from_spelled_tokens(list(longest_match(units, vocabulary, marked=False)), sentences)]


def types(model: BPEModel, side: Side) -> set[str]:
    """The products of the model's first `side.merges` merges."""
    return {"".join(merge) for merge in model.prefix(side.merges).merges}


def learned(model: BPEModel) -> int:
    """The number of merges."""
    return len(model.merges)
