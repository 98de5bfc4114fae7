"""The config's evaluations against morphological references: what is evaluated, and which variants of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from seggrid.segment import AXES
from seggrid.segment.side import Side

NOT_AXES = ("knockout", "dropout", "dropout_kind", "dropout_weight")
"""Axes that an evaluation of a learned segmentation does not have: it has keys of its own for them."""

VARIANTS = ("none", "blame-0.5")
"""Variants of a BPE that are evaluated by default."""


def evaluated_side(entry: Mapping[str, Any]) -> Side | None:
    """The segmentation that an evaluation is of; None if it is of a tokenizer's files.

    Args:
        entry: of the config's `morphology`; a key without a value is left out or None.
    """
    learned = entry.get("learned")
    if learned is None:
        return None
    given = {name: value for name, value in learned.items() if value is not None}
    defaults = {name: axis.default for name, axis in AXES.items()}
    return Side.from_values({**defaults, **{name: given[name] for name in AXES if name in given}})


def can_be_pruned(entry: Mapping[str, Any]) -> bool:
    """Whether an evaluation is of merges that are applied by rank, which knockout prunes."""
    side = evaluated_side(entry)
    if side is not None:
        return side.segmenter == "bpe" and side.application == "rank"
    return (entry.get("tokenizer") or {}).get("file") is None


def evaluated_variants(entry: Mapping[str, Any]) -> list[str]:
    """The variants that an evaluation has, by default `none`, and `blame-0.5` of what can be pruned."""
    return entry.get("knockout") or [*VARIANTS] if can_be_pruned(entry) else ["none"]
