"""The segmenter `lexical`: segments for words of one part of speech, a fallback tokenizer for the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from seggrid.base.axis import required
from seggrid.corpus.pos import Tags, are_chosen
from seggrid.data.boundary import BOUNDARY
from seggrid.data.segmentation import Segmentation, Sentences
from seggrid.segment.lexical.apply import apply
from seggrid.segment.lexical.model import LexicalModel, read_model

if TYPE_CHECKING:
    from seggrid.segment.side import Side

__all__ = ["learned", "read_model", "segment", "types"]


def segment(
    model: LexicalModel,
    sentences: Sentences,
    side: Side,
    seeds: Sequence[int],
    threads: int,
    tags: Tags,
) -> list[Segmentation]:
    """Cut words that are tagged as `side.pos` into segments, and all others by the fallback tokenizer.

    Args:
        model, sentences, side, seeds, threads: see `seggrid.segment`.
        tags: the part of speech of each word.
    """
    return [apply(model, sentences, are_chosen(tags, required(side.pos)), size=side.merges)]


def types(model: LexicalModel, side: Side) -> set[str]:
    """The segments, with and without `▁` before them, and the types of the fallback tokenizer."""
    used = model.prefix(side.merges)
    segments = used.segments.segments
    products = {"".join(merge) for merge in used.merges.merges}
    return products.union(segments, (BOUNDARY + segment for segment in segments))


def learned(model: LexicalModel) -> int:
    """The number of types of the joint vocabulary, in which a segment that is also a product counts once."""
    return len({"".join(merge) for merge in model.merges.merges}.union(model.segments.segments))
