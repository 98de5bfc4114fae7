"""The segmenter `bpe`: merges applied with the axes of a side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from seggrid.base.axis import required
from seggrid.data.segmentation import Segmentation, Sentences
from seggrid.errors import InputError
from seggrid.segment.bpe.apply import apply, apply_dropout
from seggrid.segment.bpe.model import BPEModel, read_model

if TYPE_CHECKING:
    from seggrid.segment.side import Side

__all__ = ["learned", "read_model", "segment", "types"]


def segment(
    model: BPEModel,
    sentences: Sentences,
    side: Side,
    seeds: Sequence[int],
    threads: int,
) -> list[Segmentation]:
    """Apply the first `side.merges` merges; with dropout of the side or the model, once for each seed.

    A pruned model holds only the merges that are applied.
    """
    merges = None if side.pruned else side.merges
    if side.weighted != bool(model.weights):
        raise InputError(
            "the model has no weights of merges, by which dropout is to choose them"
            if side.weighted
            else "the model has weights of merges, but dropout is to be uniform",
            hint="prune the model for this segmentation",
        )
    rate = float(side.dropout or 0) or model.dropout
    if not rate:
        return [apply(model, sentences, merges=merges, application=required(side.application))]
    return apply_dropout(
        model,
        sentences,
        rate=rate,
        seeds=seeds,
        merges=merges,
        kind="merge" if side.dropout_kind == "nested" else side.dropout_kind or "occurrence",
        application=required(side.application),
        threads=threads,
    )


def types(model: BPEModel, side: Side) -> set[str]:
    """The products of the merges that are applied, without those that are split again."""
    used = model if side.pruned else model.prefix(side.merges)
    return {"".join(merge) for merge in used.merges} - used.split


def learned(model: BPEModel) -> int:
    """The number of merges."""
    return len(model.merges)
