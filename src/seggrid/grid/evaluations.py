"""The segmentation and the variants of each of the config's evaluations against morphological references."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from seggrid.segment.axes import AXES
from seggrid.segment.side import Side

NOT_AXES = ("knockout", "dropout", "dropout_kind", "dropout_weight")
"""Axes that are not set in the segmentation of an evaluation, since the evaluation has keys for them."""

VARIANTS = ("none", "blame-0.5")
"""The default variants of a BPE."""


def evaluated_side(entry: Mapping[str, Any]) -> Side | None:
    """The segmentation of an evaluation; None if a tokenizer's files are evaluated.

    Args:
        entry: an entry of the config's `morphology`; a key without a value is left out or None.
    """
    learned = entry.get("learned")
    if learned is None:
        return None
    given = {name: value for name, value in learned.items() if value is not None}
    defaults = {name: axis.default for name, axis in AXES.items()}
    return Side.from_values({**defaults, **{name: given[name] for name in AXES if name in given}})


def can_be_pruned(entry: Mapping[str, Any]) -> bool:
    """Whether an evaluation is of merges that are applied by rank, which can be pruned."""
    side = evaluated_side(entry)
    if side is not None:
        return side.segmenter == "bpe" and side.application == "rank"
    return (entry.get("tokenizer") or {}).get("file") is None


def evaluated_variants(entry: Mapping[str, Any]) -> list[str]:
    """The variants of an evaluation: by default `none`, and `blame-0.5` if the model can be pruned."""
    return entry.get("knockout") or [*VARIANTS] if can_be_pruned(entry) else ["none"]
