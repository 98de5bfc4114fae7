"""Segment each distinct word once, for segmenters that segment each word without its context."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from seggrid.data.ragged import offsets_of, ragged_rows
from seggrid.data.segmentation import Segmentation
from seggrid.segment.bpe.units import check_words, sentence_units


@dataclass(frozen=True)
class WordTypes:
    """A corpus as occurrences of distinct words, or of distinct sentences where these are the units.

    Attributes:
        words: the distinct words, in order of appearance, shape (W,).
        occurrences: index in `words` of each word of the corpus, int32, shape (N,).
        offsets: first word of each sentence, int64, shape (S + 1,).
    """

    words: list[str]
    occurrences: NDArray[np.int32]
    offsets: NDArray[np.int64]

    @classmethod
    def from_sentences(
        cls, sentences: Sequence[Sequence[str]], *, spaces: bool = True
    ) -> WordTypes:
        """Number the words of a corpus, or its sentences with `▁` between their words if not `spaces`.

        Raises:
            InputError: a word is empty or has a `▁`, a `</w>`, a space or a line end in it.
        """
        number: dict[str, int] = {}
        occurrences = [
            number.setdefault(word, len(number)) for words in sentences for word in words
        ]
        words = list(number)
        check_words(words)
        if not spaces:
            number = {}
            occurrences = [number.setdefault(u, len(number)) for u in sentence_units(sentences)]
            words = list(number)
        offsets = offsets_of([len(words) if spaces else 1 for words in sentences])
        return cls(words, np.array(occurrences, dtype=np.int32), offsets)

    @property
    def counts(self) -> NDArray[np.int64]:
        """How often each distinct word occurs, shape (W,)."""
        return np.bincount(self.occurrences, minlength=len(self.words)).astype(np.int64)

    def segmentation_of_words(self, tokens: Iterable[Sequence[str]]) -> Segmentation:
        """The segmentation that cuts all occurrences of a word in the same way.

        Args:
            tokens: tokens of each distinct word, W of them.
        """
        rows = list(tokens)
        number: dict[str, int] = {}
        ids = [number.setdefault(token, len(number)) for token in chain.from_iterable(rows)]
        offsets = offsets_of([len(row) for row in rows])
        flat = np.array(ids, dtype=np.int32)[ragged_rows(offsets, self.occurrences)]
        return self.segmentation(list(number), flat, np.diff(offsets)[self.occurrences])

    def segmentation(
        self, types: Sequence[str], tokens: NDArray[np.integer], counts: NDArray[np.integer]
    ) -> Segmentation:
        """The segmentation with given tokens, its types in order of appearance.

        Args:
            types: texts that `tokens` index, shape (V,); some may not occur.
            tokens: tokens of all occurrences, one after another, shape (T,).
            counts: tokens of each occurrence, shape (N,).
        """
        lengths = np.diff(self.offsets)
        positions = np.arange(len(counts)) - np.repeat(self.offsets[:-1], lengths)
        word = np.repeat(positions.astype(np.int32), counts)
        of_sentence = offsets_of(counts)[self.offsets]
        ids = np.asarray(tokens, dtype=np.int32)
        return Segmentation(list(types), ids, of_sentence, word, word).in_order()
