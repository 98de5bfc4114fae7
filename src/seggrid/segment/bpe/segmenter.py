"""The segmenter `bpe`: merges applied with the axes of a side."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from seggrid.base.axis import required
from seggrid.base.lines import read_lines
from seggrid.data.segmentation import Segmentation, Sentences
from seggrid.errors import InputError
from seggrid.segment.bpe.apply import apply, apply_dropout
from seggrid.segment.bpe.model import BPEModel, parse_model
from seggrid.segment.by_type import WordTypes
from seggrid.segment.combinations import refuse
from seggrid.segment.picky import model as picky
from seggrid.segment.picky.apply import apply as replay
from seggrid.segment.picky.model import PickyModel
from seggrid.segment.superbpe import model as superbpe
from seggrid.segment.superbpe.apply import apply as apply_across
from seggrid.segment.superbpe.model import SuperModel
from seggrid.segment.vocabulary import apply as vocabulary

if TYPE_CHECKING:
    from seggrid.segment.side import Side

__all__ = ["learned", "read_model", "segment", "types"]


def read_model(path: str | Path) -> BPEModel | PickyModel | SuperModel:
    """Read a model of merges; of merges and removals; or of merges within and across words.

    Raises:
        InputError: see `parse_model` in `seggrid.segment.bpe.model`, `seggrid.segment.picky.model` and
            `seggrid.segment.superbpe.model`.
    """
    lines = read_lines(path)
    header = lines[0] if lines else ""
    if header.startswith(picky.MAGIC):
        return picky.parse_model(lines, path)
    if header.startswith(superbpe.MAGIC):
        return superbpe.parse_model(lines, path)
    return parse_model(lines, path)


def segment(
    model: BPEModel | PickyModel | SuperModel,
    sentences: Sentences,
    side: Side,
    seeds: Sequence[int],
    threads: int,
) -> list[Segmentation]:
    """Apply the first `side.merges` merges; with dropout of the side or the model, once for each seed.

    A pruned model holds only the merges that are applied. Merges and removals are replayed until as many
    types are present. A boundless model is applied whole.
    """
    if isinstance(model, PickyModel):
        return [_replay(model, sentences, side)]
    if isinstance(model, SuperModel):
        refuse(side, "supermerges")
        return [apply_across(model.prefix(side.merges), sentences)]
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


def _replay(model: PickyModel, sentences: Sentences, side: Side) -> Segmentation:
    refuse(side, "removal")
    used = model.prefix(side.merges)
    if side.application in (None, "rank"):
        return replay(used, sentences)
    corpus = WordTypes.from_sentences(sentences, spaces=model.spaces)
    return vocabulary.segment(corpus, used.present, required(side.application))


def types(model: BPEModel | PickyModel | SuperModel, side: Side) -> set[str]:
    """The products of the merges that are applied, without those that are removed."""
    if isinstance(model, PickyModel):
        return model.prefix(side.merges).present
    if isinstance(model, SuperModel):
        return model.prefix(side.merges).products
    used = model if side.pruned else model.prefix(side.merges)
    return {"".join(merge) for merge in used.merges} - used.split


def learned(model: BPEModel | PickyModel | SuperModel) -> int:
    """The number of merges; with removals, of the types that are present."""
    if isinstance(model, PickyModel):
        return len(model.present)
    return len(model) if isinstance(model, SuperModel) else len(model.merges)
