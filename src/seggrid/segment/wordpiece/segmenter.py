"""WordPiece as the grid's segmenter: the axes of a side, turned into calls. `learner` learns the model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from seggrid.data.segmentation import Segmentation, Sentences
from seggrid.segment.bpe.model import BPEModel, read_model
from seggrid.segment.by_type import WordTypes
from seggrid.segment.wordpiece.apply import longest_match

if TYPE_CHECKING:
    from seggrid.segment.side import Side

__all__ = ["learned", "read_model", "segment", "types"]


def segment(
    model: BPEModel, sentences: Sentences, side: Side, seeds: Sequence[int], threads: int
) -> list[Segmentation]:
    """Cut words by the products of the model's first `side.merges` merges.

    Raises:
        InputError: a word is empty or has a `▁`, a `</w>`, a space or a line end in it.
    """
    words = WordTypes.from_sentences(sentences)
    return [words.segmentation_of_words(longest_match(words.words, types(model, side)))]


def types(model: BPEModel, side: Side) -> set[str]:
    """The products of the model's first `side.merges` merges."""
    return {"".join(merge) for merge in model.prefix(side.merges).merges}


def learned(model: BPEModel) -> int:
    """How many merges there are."""
    return len(model.merges)
