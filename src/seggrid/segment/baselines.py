"""Segmenters that learn nothing: words, the baseline of all comparisons, and characters, the finest
segmentation, where BPE starts from (thesis, section 3.1.2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from seggrid.data.boundary import BOUNDARY
from seggrid.data.ragged import offsets_of
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
        return [Segmentation.from_words(sentences)]


class Characters(Segmenter):
    """Every character is one token."""

    name = "characters"
    label = "characters"
    axes = ("glossary", "spaces")

    def segment(
        self, sentences: Sentences, side: Side, seeds: Sequence[int], threads: int
    ) -> list[Segmentation]:
        """With `spaces`, `▁` is joined to the first character of each word. Without, it is a token of its own
        between two words, and overlaps neither."""
        index: dict[str, int] = {}
        ids: list[int] = []
        first: list[int] = []
        last: list[int] = []
        lengths = []
        for words in sentences:
            before = len(ids)
            for j, word in enumerate(words):
                if side.spaces:
                    tokens = [BOUNDARY + word[0], *word[1:]]
                else:
                    tokens = list(word)
                    if j:
                        ids.append(index.setdefault(BOUNDARY, len(index)))
                        first.append(j)
                        last.append(j - 1)
                ids += [index.setdefault(token, len(index)) for token in tokens]
                first += [j] * len(tokens)
                last += [j] * len(tokens)
            lengths.append(len(ids) - before)
        return [
            Segmentation(
                list(index),
                np.array(ids, dtype=np.int32),
                offsets_of(lengths),
                np.array(first, dtype=np.int32),
                np.array(last, dtype=np.int32),
            )
        ]
