"""Segmenters that learn nothing: words, the baseline of all comparisons, and characters, the finest
segmentation, where BPE starts from (thesis, section 3.1.2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from seggrid.segment.segmenter import Segmenter
from seggrid.segment.units import symbols_of
from seggrid.text.segmentation import Segmentation, Sentences

if TYPE_CHECKING:
    from seggrid.segment.side import Side


class UncutWords(Segmenter):
    """Every word is one token, without a mark."""

    name = "words"
    label = "words"
    whole_words = True

    def segment(
        self, sentences: Sentences, side: Side, seeds: Sequence[int], threads: int
    ) -> list[Segmentation]:
        return [Segmentation.from_words(sentences)]


class Characters(Segmenter):
    """Every character is one token."""

    name = "characters"
    label = "characters"
    axes = ("spaces",)

    def cut(self, words: Sequence[str], side: Side) -> Iterator[list[str]]:
        """With `spaces`, `▁` is joined to the first character of each word. Without, it is a token of its own
        between two words, and overlaps neither."""
        return (symbols_of(word, bool(side.spaces)) for word in words)
