"""The segmenter `greedtok`: its types applied by rank, or by a rule that fits any vocabulary."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from seggrid.data.segmentation import Segmentation, Sentences
from seggrid.segment.by_type import WordTypes
from seggrid.segment.greedtok.apply import apply
from seggrid.segment.greedtok.model import GreedTokModel, read_model
from seggrid.segment.vocabulary import apply as vocabulary

if TYPE_CHECKING:
    from seggrid.segment.side import Side

__all__ = ["learned", "read_model", "segment", "types"]


def segment(
    model: GreedTokModel, sentences: Sentences, side: Side, seeds: Sequence[int], threads: int
) -> list[Segmentation]:
    """Cut words by the model's first `side.merges` types."""
    if side.application is None:
        return [apply(model, sentences, size=side.merges)]
    corpus = WordTypes.from_sentences(sentences)
    return [vocabulary.segment(corpus, types(model, side), side.application)]


def types(model: GreedTokModel, side: Side) -> set[str]:
    """The model's first `side.merges` types."""
    return set(model.prefix(side.merges).gains)


def learned(model: GreedTokModel) -> int:
    """The number of types."""
    return len(model.gains)
