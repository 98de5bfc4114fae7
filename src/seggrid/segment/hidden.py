"""Hide the boundaries of words from a segmenter, as a language without spaces does.

With `spaces: hidden` a segmenter learns from and cuts the characters of a sentence without its spaces.
The tokens are then mapped to the words, which the gold counts, by their characters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from seggrid.data.segmentation import Segmentation, Sentences
from seggrid.segment import HIDDEN, SEGMENTERS
from seggrid.segment.laying import laid_anew

if TYPE_CHECKING:
    from seggrid.segment.side import Side


@dataclass(frozen=True)
class Segmenting:
    """The learner and the segmenter of a side, which see of a text what the side says.

    Attributes:
        side: how a text is segmented.
    """

    side: Side

    @property
    def _hides(self) -> bool:
        return self.side.spaces == HIDDEN

    @property
    def _seen(self) -> Side:
        """The side as the segmenter sees it: a sentence of one word has no spaces to keep to."""
        return replace(self.side, spaces=False) if self._hides else self.side

    def learn(self, sentences: Sentences, size: int, **tagged: Any) -> Any:
        """A model, as the segmenter's `learner` learns it."""
        learner = SEGMENTERS[self.side.segmenter].load_learner()
        return learner.learn(self.shown(sentences), size, self._seen, **tagged)

    def segment(
        self,
        model: Any,
        sentences: Sentences,
        seeds: Sequence[int],
        threads: int = 1,
        **tagged: Any,
    ) -> list[Segmentation]:
        """The samples of a text, as the segmenter makes them."""
        segmenter = SEGMENTERS[self.side.segmenter].load()
        shown = self.shown(sentences)
        samples = segmenter.segment(model, shown, self._seen, seeds, threads, **tagged)
        return [laid_anew(sample, sentences) for sample in samples] if self._hides else samples

    def shown(self, sentences: Sentences) -> Sentences:
        """What the segmenter sees of a text."""
        return hide(sentences) if self._hides else sentences


def hide(sentences: Sentences) -> list[list[str]]:
    """Each sentence as one word.

    >>> hide([["日本", "の"]])
    [['日本の']]
    """
    return [["".join(words)] for words in sentences]
