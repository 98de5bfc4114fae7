"""Learn and segment as a side says, with the spaces between words hidden where it says so.

With `spaces: hidden` the segmenter gets each sentence without spaces, as in a language that writes none, to
learn from and to cut. The tokens are then mapped to the words that the gold numbers, by their characters.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, overload

from seggrid.corpus.tags import Tags
from seggrid.corpus.text import apply_case
from seggrid.data.boundary import BOUNDARY
from seggrid.data.segmentation import Segmentation, Sentences
from seggrid.data.words import WordCounts, uncounted
from seggrid.errors import InputError
from seggrid.segment import HIDDEN, SEGMENTERS
from seggrid.segment.measures import (
    declared_size,
    known_vocabulary,
    measure,
    vocabulary_size,
    within_words,
)
from seggrid.segment.token_offsets import map_to_words, words_of_characters

if TYPE_CHECKING:
    from seggrid.segment.side import Side

_STRANGE = "\ue000"
"""A character that is in no type: one of those that Unicode leaves to private use."""


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

    def learn(self, sentences: Sentences | WordCounts, size: int | None, **tagged: Any) -> Any:
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

    def alphabet_size(self, sentences: Sentences | WordCounts) -> int:
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

    def measures(
        self,
        model: Any,
        cut: Segmentation,
        sentences: Sentences,
        text: Sentences,
        size: int | None = None,
    ) -> dict[str, float]:
        """All `seggrid.segment.measures.MEASURES` of a segmentation of a text.

        Args:
            model: the model.
            cut: what `segment` gave; of samples, one.
            sentences: the words that were segmented.
            text: the words that the model was learned from, whose single characters it knows.
            size: the declared size of the vocabulary; None: what the model and `text` say.

        Returns:
            Those of `seggrid.segment.measures.measure`; `unreachable_types`, the number of learned types that
            occur in no text; `unknown_tokens`, the share of tokens that stand for what a tokenizer does not
            know; and `exact_sentences`, the share of sentences that the tokens spell exactly: those that a
            library cut as it decodes them, but for a space before the sentence; any other, by their
            characters beside spaces. The last two as in TokEval, which counts that space as a difference.
        """
        segmenter = SEGMENTERS[self.side.segmenter].load()
        seen = self.segmenter_input(text)
        if size is None:
            size = declared_size(segmenter, model, self.side, seen)
        spelled = segmenter.spelling(model) if hasattr(segmenter, "spelling") else None
        known = known_vocabulary(segmenter, model, self.side, seen)
        found = measure(cut, sentences, size, spelled, known if within_words(self.side) else None)
        unreachable = self.unreachable_types(model)
        found["unreachable_types"] = math.nan if unreachable is None else len(unreachable)
        return found | self._fidelity(model, cut, sentences)

    def unreachable_types(self, model: Any) -> set[str] | None:
        """The learned types that occur in no text, whatever its words; None if that cannot be told.

        What a segmenter with `by_itself` makes of a part of a word depends on no more than that part, once no
        token goes over its ends. So a type that is no token of its own spelling, after a character that is in
        no type unless it begins a word, is none of any text. (TokEval tries a few such contexts for any
        tokenizer.)

        Args:
            model: the model.
        """
        side, registered = self.side, SEGMENTERS[self.side.segmenter]
        if not registered.by_itself or not within_words(side) or side.sampled or model is None:
            return None
        types = sorted(registered.load().types(model, side))
        spelled = [text[1:] if text.startswith(BOUNDARY) else _STRANGE + text for text in types]
        if not types:
            return set()
        (cut,) = self.segment(model, [text.split(BOUNDARY) for text in spelled], [0])
        return {text for k, text in enumerate(types) if text not in cut.sentence(k)}

    def _fidelity(self, model: Any, cut: Segmentation, sentences: Sentences) -> dict[str, float]:
        """The measures `unknown_tokens` and `exact_sentences`."""
        segmenter, unknown = SEGMENTERS[self.side.segmenter].load(), None
        tokens = [cut.sentence(s) for s in range(len(cut))]
        if hasattr(segmenter, "library"):
            tokenizer = segmenter.library(model)
            if tokenizer is None or not tokens:
                return {"unknown_tokens": math.nan, "exact_sentences": math.nan}
            unknown = tokenizer.unknown
            decoded = [line.removeprefix(" ") for line in tokenizer.decode(tokens)]
            lines = [" ".join(words) for words in sentences]
        else:
            decoded = ["".join(of).replace(BOUNDARY, "") for of in tokens]
            lines = ["".join(words).replace(BOUNDARY, "") for words in sentences]
        exact = sum(map(str.__eq__, decoded, lines))
        strange = sum(of.count(unknown) for of in tokens) if unknown is not None else 0
        return {
            "unknown_tokens": strange / len(cut.ids) if len(cut.ids) else math.nan,
            "exact_sentences": exact / len(tokens) if tokens else math.nan,
        }

    @overload
    def segmenter_input(self, sentences: Sentences) -> Sentences: ...
    @overload
    def segmenter_input(self, sentences: Sentences | WordCounts) -> Sentences | WordCounts: ...
    def segmenter_input(self, sentences: Sentences | WordCounts) -> Sentences | WordCounts:
        """The text as the segmenter gets it: without spaces where they are hidden."""
        return without_spaces(uncounted(sentences)) if self._hides_spaces else sentences


def learn_model(
    sentences: Sequence[list[str]] | WordCounts,
    side: Side,
    tags: Tags | None = None,
    min_frequency: int | None = None,
) -> Any:
    """Learn the model of a segmentation on a text; None if the segmenter learns none.

    Args:
        sentences: the text, to which the side's case is applied; for a joint model, the texts of both sides,
            the source first. Its words may be counted if `learns_from_counts`.
        side: how it is segmented; without `merges` or `vocabulary`, the largest model is learned.
        tags: the part of speech of each word, for a segmenter that reads them.
        min_frequency: the smallest count of a pair that may become a merge, for `bpe` and `byte_bpe`.

    Raises:
        InputError: the segmenter reads tags, and there are none.
    """
    if not side.learns:
        return None
    size = 10**7 if side.merges is None else side.merges
    cased = apply_case(sentences, side.case)
    least = {} if min_frequency is None else {"min_frequency": min_frequency}
    return SideSegmenter(side).learn(cased, size, **_tagged(side, tags), **least)


def learns_from_counts(side: Side) -> bool:
    """Whether `learn_model` needs no more of a text than how often each of its words occurs."""
    return (
        SEGMENTERS[side.segmenter].counts
        and within_words(side)
        and side.case != "first"
        and side.supermerges in (None, "none")
        and side.balance in (None, "frequency")
    )


def _tagged(side: Side, tags: Tags | None) -> dict[str, Tags]:
    """The further arguments of a segmenter or learner that reads parts of speech."""
    if not SEGMENTERS[side.segmenter].tagged:
        return {}
    if tags is None:
        raise InputError(
            f"{side.segmenter} needs the parts of speech of the text",
            hint="seggrid tag writes them, and seggrid learn and segment take them with --tags",
        )
    return {"tags": tags}


def segment_text(
    sentences: Sequence[list[str]],
    side: Side,
    model: Any,
    seeds: Sequence[int],
    threads: int = 1,
    tags: Tags | None = None,
) -> list[Segmentation]:
    """Segment a text once for each seed, or once if nothing is sampled.

    Arguments and errors are as in `learn_model`.
    """
    own = seeds if side.sampled else seeds[:1]
    cased = apply_case(sentences, side.case)
    return SideSegmenter(side).segment(model, cased, own, threads, **_tagged(side, tags))


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
