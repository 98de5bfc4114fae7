"""The segmenter `words`, which leaves words whole: the baseline of all comparisons."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from seggrid.data.segmentation import Segmentation, Sentences

if TYPE_CHECKING:
    from seggrid.segment.side import Side


def segment(
    model: None, sentences: Sentences, side: Side, seeds: Sequence[int], threads: int
) -> list[Segmentation]:
    """Every word is one token."""
    return [Segmentation.from_words(sentences)]
