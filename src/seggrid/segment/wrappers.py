"""What a side says beyond its segmenter, each a wrapper with the same `segment`.

`Redrawn` draws other tokens than the segmenter's own. `Joined` keeps words of the glossary whole. In place of
`Joined`, `Hidden` gives the segmenter each sentence without spaces.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from seggrid.base.errors import InputError
from seggrid.segment.glossary import join_words
from seggrid.segment.token_offsets import map_to_words, words_of_characters

if TYPE_CHECKING:
    from seggrid.segment.segmenter import Segmenter
    from seggrid.segment.side import Side
    from seggrid.segment.variants import Sampling
    from seggrid.text.segmentation import Segmentation, Sentences


class Cutter(Protocol):
    """Segments texts as a side says."""

    def segment(
        self, sentences: Sentences, seeds: Sequence[int], threads: int = 1
    ) -> list[Segmentation]:
        """Segment a text once for each seed; arguments as for the segmenter's `segment`."""


@dataclass(frozen=True)
class Plain:
    """A segmenter, with the side as it gets it."""

    segmenter: Segmenter
    side: Side

    def segment(
        self, sentences: Sentences, seeds: Sequence[int], threads: int = 1
    ) -> list[Segmentation]:
        return self.segmenter.segment(sentences, self.side, seeds, threads)


@dataclass(frozen=True)
class Redrawn:
    """Draws from the types of a model by a way of `seggrid.segment.redraw`, of which the segmenter does not
    know."""

    plain: Plain
    sampling: Sampling

    def segment(
        self, sentences: Sentences, seeds: Sequence[int], threads: int = 1
    ) -> list[Segmentation]:
        from seggrid.segment.redraw import redraw

        segmenter, side = self.plain.segmenter, replace(self.plain.side, sampling="none")
        vocabulary = segmenter.types(self.plain.side)
        if vocabulary is None or segmenter.marking != "start":
            raise InputError(
                f"{self.sampling} of a model without types that mark where words start",
                hint="take another segmenter or marking, or leave sampling out",
            )
        own = seeds if side.sampled else seeds[:1]
        drawn = segmenter.segment(sentences, side, own, threads)
        spaces = side.spaces is not False
        return redraw(sentences, drawn, vocabulary, self.sampling, seeds, spaces=spaces)


@dataclass(frozen=True)
class Joined:
    """Keeps the words of a side's glossary whole."""

    cutter: Cutter
    segmenter: Segmenter
    side: Side

    def segment(
        self, sentences: Sentences, seeds: Sequence[int], threads: int = 1
    ) -> list[Segmentation]:
        spelled = self.segmenter.spelled
        samples = self.cutter.segment(sentences, seeds, threads)
        return [join_words(self.side, sample, sentences, spelled) for sample in samples]


@dataclass(frozen=True)
class Hidden:
    """Gives the segmenter each sentence as one word, and maps the tokens to the words that gold links refer
    to: by their characters, if they need not spell the text."""

    cutter: Cutter
    plain: Plain

    def segment(
        self, sentences: Sentences, seeds: Sequence[int], threads: int = 1
    ) -> list[Segmentation]:
        joined = ["".join(words) for words in sentences]
        samples = self.plain.segmenter.segment_words(joined, self.plain.side, seeds)
        if samples is not None:
            return [words_of_characters(sample, sentences) for sample in samples]
        whole = [[word] for word in joined]
        samples = self.cutter.segment(whole, seeds, threads)
        return [map_to_words(sample, sentences) for sample in samples]
