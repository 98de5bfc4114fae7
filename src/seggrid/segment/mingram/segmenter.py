"""The segmenter `mingram`: fewest tokens, then most probable; or a rule that fits any vocabulary."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from seggrid.data.segmentation import Segmentation, Sentences
from seggrid.segment.by_type import WordTypes
from seggrid.segment.unigram import model as pieces
from seggrid.segment.unigram.model import UnigramModel
from seggrid.segment.unigram.segmenter import learned, types
from seggrid.segment.vocabulary import apply as vocabulary

if TYPE_CHECKING:
    from seggrid.segment.side import Side

__all__ = ["learned", "read_model", "segment", "types"]


def read_model(path: str | Path) -> UnigramModel:
    """Read a model; errors as in `seggrid.segment.unigram.model.read_model`."""
    return pieces.read_model(path, "mingram")


def segment(
    model: UnigramModel, sentences: Sentences, side: Side, seeds: Sequence[int], threads: int
) -> list[Segmentation]:
    """Cut each word into the fewest tokens. Among segmentations with as few, take the most probable; among
    equally probable ones, the one with the longest last token, then the longest last but one, and so on.
    """
    corpus = WordTypes.from_sentences(sentences)
    if side.application is not None:
        return [vocabulary.segment(corpus, types(model, side), side.application)]
    return [vocabulary.segment(corpus, types(model, side), "least", model.pieces)]
