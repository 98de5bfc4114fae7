"""Segment each distinct word once, for segmenters that segment each word without its context."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seggrid.data.boundary import BOUNDARY
from seggrid.data.ragged import narrow, offsets_of, ragged_rows
from seggrid.data.segmentation import Segmentation
from seggrid.data.words import distinct_words, number_distinct, places_of
from seggrid.segment.units import check_words, sentence_units

_PIECE = 1 << 20
"""About as many words are looked up at a time, since intermediate arrays are larger than those of tokens."""


@dataclass(frozen=True)
class WordTypes:
    """A corpus as occurrences of distinct words, or of distinct sentences if units are sentences.

    Attributes:
        words: the distinct words, in order of appearance, shape (W,).
        occurrences: index in `words` of each word of the corpus, int32, shape (N,).
        offsets: first word of each sentence, int64, shape (S + 1,).
        spaces: whether the units are words; if not, each is a sentence with `▁` between its words.
    """

    words: list[str]
    occurrences: NDArray[np.int32]
    offsets: NDArray[np.int64]
    spaces: bool = True

    @classmethod
    def from_sentences(
        cls, sentences: Sequence[Sequence[str]], *, spaces: bool = True
    ) -> WordTypes:
        """Number the words of a corpus, or its sentences with `▁` between their words if not `spaces`."""
        if spaces:
            words, occurrences, offsets = number_distinct(sentences)
            check_words(words)
        else:
            check_words(distinct_words(sentences))
            words, occurrences, offsets = number_distinct([[u] for u in sentence_units(sentences)])
        return cls(words, occurrences, offsets, spaces)

    @property
    def counts(self) -> NDArray[np.int64]:
        """How often each distinct word occurs, shape (W,)."""
        return np.bincount(self.occurrences, minlength=len(self.words)).astype(np.int64)

    def segmentation_of_words(self, tokens: Iterable[Sequence[str]]) -> Segmentation:
        """The segmentation that cuts all occurrences of a word in the same way."""
        types, ids, offsets = number_distinct(list(tokens))
        return self.segmentation_of_types(types, ids, np.diff(offsets))

    def segmentation_of_types(
        self, types: Sequence[str], tokens: NDArray[np.integer], counts: NDArray[np.integer]
    ) -> Segmentation:
        """The same, from the types of the tokens of all distinct words, one word after another, and the
        number of tokens of each word, shape (W,)."""
        begins, used = offsets_of(counts), narrow(np.asarray(counts))[self.occurrences]
        ids = np.empty(int(used.sum(dtype=np.int64)), dtype=np.int32)
        end = 0
        for first in range(0, len(used), _PIECE):
            rows = ragged_rows(begins, self.occurrences[first : first + _PIECE])
            ids[end : end + len(rows)] = tokens[rows]
            end += len(rows)
        return self.segmentation(types, ids, used)

    def segmentation(
        self, types: Sequence[str], tokens: NDArray[np.integer], counts: NDArray[np.integer]
    ) -> Segmentation:
        """The segmentation with the types of the tokens of all occurrences, one after another, shape (T,),
        and the number of tokens of each occurrence, shape (N,)."""
        ids = np.asarray(tokens, dtype=np.int32)
        places = places_of(self.offsets)
        word, end = np.empty(len(ids), dtype=places.dtype), 0
        before = np.zeros(len(self.offsets), dtype=np.int64)
        for first in range(0, len(self.offsets) - 1, _PIECE >> 5):
            ends = self.offsets[first : first + (_PIECE >> 5) + 1]
            own = counts[ends[0] : ends[-1]]
            before[first : first + len(ends)] = end + offsets_of(own)[ends - ends[0]]
            word[end : before[first + len(ends) - 1]] = np.repeat(places[ends[0] : ends[-1]], own)
            end = before[first + len(ends) - 1]
        found = Segmentation(list(types), ids, before, word, word).in_order()
        return found if self.spaces else count_words(found)


def count_words(sentences: Segmentation) -> Segmentation:
    """Add to a segmentation of whole sentences the words that each token overlaps, by counting `▁` before
    each token and inside it (thesis, section 5.5). A `▁` at its start or end begins no word inside it."""
    types, ids = sentences.types, sentences.ids
    begins = np.array([text.count(BOUNDARY) for text in types], dtype=np.int32)[ids]
    leading = np.array([text.startswith(BOUNDARY) for text in types], dtype=np.int32)[ids]
    trailing = np.array([text.endswith(BOUNDARY) for text in types], dtype=np.int32)[ids]
    words_before = offsets_of(begins)
    before = words_before[:-1] - np.repeat(words_before[sentences.offsets[:-1]], sentences.lengths)
    first = (before + leading).astype(np.int32)
    last = (before + begins - trailing).astype(np.int32)
    return Segmentation(types, ids, sentences.offsets, first, last)
