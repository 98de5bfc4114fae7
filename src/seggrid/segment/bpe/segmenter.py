"""BPE as the grid's segmenter: the axes of a side, turned into calls. `learner` learns the model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from seggrid.data.segmentation import Segmentation, Sentences
from seggrid.errors import InputError
from seggrid.segment.bpe.apply import apply, apply_dropout
from seggrid.segment.bpe.model import BPEModel, read_model

if TYPE_CHECKING:
    from seggrid.segment.side import Side

__all__ = ["learned", "read_model", "segment", "types"]


def segment(
    model: BPEModel, sentences: Sentences, side: Side, seeds: Sequence[int], threads: int
) -> list[Segmentation]:
    """Apply the model's first merges; with dropout, the side's or the model's, once for each seed.

    A pruned model has been cut to its merges already.
    """
    merges = None if side.pruned else side.merges
    if side.weighted != bool(model.weights):
        raise InputError(
            "no weights of merges in the model, by which dropout is to take them"
            if side.weighted
            else "weights of merges in the model, and dropout that is to take all alike",
            hint="prune the model for this segmentation",
        )
    rate = float(side.dropout) or model.dropout
    if not rate:
        return [apply(model, sentences, merges=merges, application=side.application)]
    return apply_dropout(
        model,
        sentences,
        rate=rate,
        seeds=seeds,
        merges=merges,
        kind=side.dropout_kind or "occurrence",
        application=side.application,
        threads=threads,
    )


def types(model: BPEModel, side: Side) -> set[str]:
    """The products of the merges that are applied."""
    used = model if side.pruned else model.prefix(side.merges)
    return {"".join(merge) for merge in used.merges} - used.split


def learned(model: BPEModel) -> int:
    """How many merges there are."""
    return len(model.merges)
