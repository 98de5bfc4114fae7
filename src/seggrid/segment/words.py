"""The segmenter `words`, which leaves words whole: the baseline of all comparisons."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from seggrid.data.segmentation import Segmentation, Sentences
from seggrid.segment.segmenter import Segmenter

if TYPE_CHECKING:
    from seggrid.segment.side import Side


class Words(Segmenter):
    """Every word is one token, without a mark."""

    name = "words"
    label = "words"

    def segment(
        self, sentences: Sentences, side: Side, seeds: Sequence[int], threads: int
    ) -> list[Segmentation]:
        """The words."""
        return [Segmentation.from_words(sentences)]
