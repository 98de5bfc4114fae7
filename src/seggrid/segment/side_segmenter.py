"""Learn and segment as a side says, with the spaces between words hidden where it says so.

With `spaces: hidden` the segmenter gets each sentence without spaces, as in a language that writes none, to
learn from and to cut. The tokens are then mapped to the words that the gold numbers, by their characters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from seggrid.data.segmentation import Segmentation, Sentences
from seggrid.errors import InputError
from seggrid.segment import HIDDEN, SEGMENTERS
from seggrid.segment.measures import declared_size, vocabulary_size
from seggrid.segment.token_offsets import map_to_words, words_of_characters

if TYPE_CHECKING:
    from seggrid.segment.side import Side


@dataclass(frozen=True)
class SideSegmenter:
    """The learner and the segmenter of a side.

    Attributes:
        side: how the text is segmented.
    """

    side: Side

    @property
    def _hides_spaces(self) -> bool:
        return self.side.spaces == HIDDEN

    @property
    def _segmenter_side(self) -> Side:
        """The side that the segmenter gets: with spaces hidden, a sentence is one word, whose units have no
        word boundaries to stay within."""
        return replace(self.side, spaces=False) if self._hides_spaces else self.side

    def learn(self, sentences: Sentences, size: int | None, **tagged: Any) -> Any:
        """Learn a model; arguments as of the segmenter's `learn`.

        If the side has a vocabulary size, `size` is ignored: the model gets as many types as this size says,
        or all that the text has.

        Raises:
            InputError: the vocabulary size is below the number of single characters.
        """
        text, side = self.segmenter_input(sentences), self._segmenter_side
        learner = SEGMENTERS[self.side.segmenter].load_learner()
        if side.vocabulary is not None:
            # No two merges have the same result: a string that becomes one token is merged alike wherever
            # it stands, since no merge crosses its ends.
            size = types_to_learn(side.vocabulary, self.alphabet_size(sentences))
        return learner.learn(text, size, side, **tagged)

    def alphabet_size(self, sentences: Sentences) -> int:
        """The number of types in a vocabulary before anything is learned from a text."""
        text, side = self.segmenter_input(sentences), self._segmenter_side
        learner = SEGMENTERS[self.side.segmenter].load_learner()
        if hasattr(learner, "alphabet_size"):
            size: int = learner.alphabet_size(text, side)
            return size
        return vocabulary_size(text, (), side.spaces in (None, True))

    def model_size(self, model: Any, sentences: Sentences) -> dict[str, int]:
        """The size of a learned model, by the axis that asks for it: `merges`, no more than asked for, or
        `vocabulary`. It is smaller than asked for if the text has no more.

        Empty if nothing was learned, or the model was pruned since.

        Args:
            model: the model.
            sentences: the text that it was learned from.
        """
        side, segmenter = self.side, SEGMENTERS[self.side.segmenter].load()
        if not side.learns or side.pruned:
            return {}
        if side.vocabulary is not None:
            # A model that declares no vocabulary leaves words whole that what it learned does not cover.
            declared = declared_size(segmenter, model, side, self.segmenter_input(sentences))
            size = declared or self.alphabet_size(sentences) + segmenter.learned(model)
            return {"vocabulary": size}
        # Only a part of the model may be used.
        used = model.prefix(side.merges) if hasattr(model, "prefix") else model
        return {"merges": min(side.merges, segmenter.learned(used))}

    def segment(
        self,
        model: Any,
        sentences: Sentences,
        seeds: Sequence[int],
        threads: int = 1,
        **tagged: Any,
    ) -> list[Segmentation]:
        """Segment a text once for each seed; arguments as of the segmenter's `segment`."""
        segmenter = SEGMENTERS[self.side.segmenter].load()
        text = self.segmenter_input(sentences)
        samples: list[Segmentation]
        if self._hides_spaces and hasattr(segmenter, "segment_words"):
            # Its tokens need not spell the text, so that only their characters tell the words.
            joined = ["".join(words) for words in sentences]
            samples = segmenter.segment_words(model, joined, self._segmenter_side, seeds)
            return [words_of_characters(sample, sentences) for sample in samples]
        samples = segmenter.segment(model, text, self._segmenter_side, seeds, threads, **tagged)
        if not self._hides_spaces:
            return samples
        return [map_to_words(sample, sentences) for sample in samples]

    def segment_words(
        self, model: Any, words: Sequence[str], seeds: Sequence[int], **tagged: Any
    ) -> list[Segmentation]:
        """Segment words, each by itself, once for each seed.

        Returns:
            Segmentations whose sentences are the words, and whose words are their characters.
        """
        segmenter = SEGMENTERS[self.side.segmenter].load()
        if hasattr(segmenter, "segment_words"):
            found: list[Segmentation]
            found = segmenter.segment_words(model, words, self._segmenter_side, seeds)
            return found
        samples = self.segment(model, [[word] for word in words], seeds, **tagged)
        return [map_to_words(sample, [list(word) for word in words]) for sample in samples]

    def segmenter_input(self, sentences: Sentences) -> Sentences:
        """The text as the segmenter gets it: without spaces where they are hidden."""
        return without_spaces(sentences) if self._hides_spaces else sentences


def types_to_learn(vocabulary: int, alphabet: int) -> int:
    """The number of types in a vocabulary beside the single characters.

    Raises:
        InputError: the vocabulary size is below the number of single characters.
    """
    if vocabulary < alphabet:
        raise InputError(
            f"a vocabulary of {vocabulary:,} types for a text with {alphabet:,} single characters",
            hint=f"give at least {alphabet:,}",
        )
    return vocabulary - alphabet


def without_spaces(sentences: Sentences) -> list[list[str]]:
    """Each sentence as one word.

    >>> without_spaces([["日本", "の"]])
    [['日本の']]
    """
    return [["".join(words)] for words in sentences]
