"""The segmenter `wordpiece`: the products of a model's merges, by default applied longest match first."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from seggrid.data.segmentation import Segmentation, Sentences
from seggrid.segment.bpe import model as merging
from seggrid.segment.bpe.model import BPEModel
from seggrid.segment.by_type import WordTypes
from seggrid.segment.vocabulary import apply

if TYPE_CHECKING:
    from seggrid.segment.side import Side

__all__ = ["learned", "read_model", "segment", "types"]


def read_model(path: str | Path) -> BPEModel:
    """Read what the learner wrote."""
    return merging.read_model(path, "wordpiece")


def segment(
    model: BPEModel, sentences: Sentences, side: Side, seeds: Sequence[int], threads: int
) -> list[Segmentation]:
    """Cut words (sentences, if `spaces` is no) by the products of the first `side.merges` merges."""
    units = WordTypes.from_sentences(sentences, spaces=side.spaces is not False)
    return [apply.segment(units, types(model, side), side.application or "left")]


def types(model: BPEModel, side: Side) -> set[str]:
    """The products of the model's first `side.merges` merges."""
    return {"".join(merge) for merge in model.prefix(side.merges).merges}


def learned(model: BPEModel) -> int:
    """The number of merges."""
    return len(model.merges)
