"""Cut each distinct word once, where a tokenizer cuts each word by itself.

Cutting every occurrence takes a byte-level BPE of 8,000 types 3.7 times as much CPU time on 10,000 English
sentences and on 300,000, and a BPE of sentencepiece 3.6 times (`benchmarks/external.py` makes the texts).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from seggrid.data.ragged import offsets_of, ragged_rows
from seggrid.data.segmentation import Sentences
from seggrid.segment.token_offsets import MappedTokens


@dataclass(frozen=True)
class DistinctWords:
    """A corpus as occurrences of distinct words.

    Attributes:
        texts: the distinct words as the tokenizer gets them, shape (U,).
        occurrences: index in `texts` of each word of the corpus, int32, shape (N,).
        lengths: words of each sentence, int64, shape (S,).
    """

    texts: list[str]
    occurrences: NDArray[np.int32]
    lengths: NDArray[np.int64]

    @classmethod
    def from_sentences(
        cls, sentences: Sentences, spaced: bool, never: Sequence[str] = ()
    ) -> DistinctWords | None:
        """Number the words of a corpus.

        Args:
            sentences: the corpus.
            spaced: whether words after the first of a sentence get a space before them, which makes them
                distinct from the same words at the start of a sentence.
            never: texts that the tokenizer finds before it cuts words.

        Returns:
            None if a word contains one of those texts or a space of any kind: the tokenizer may then cut
            it otherwise than by itself.
        """
        words = dict.fromkeys(chain.from_iterable(sentences))
        joined = "\n".join(words)
        # Splitting finds more parts than words if a word contains a space of any kind.
        if len(joined.split()) != len(words) or any(text in joined for text in never):
            return None
        first: dict[str, int] = {}
        later: dict[str, int] = {} if spaced else first
        occurrences: list[int] = []
        for sentence in sentences:
            table = first
            for word in sentence:
                place = table.get(word)
                if place is None:
                    place = len(first) + len(later) if spaced else len(first)
                    table[word] = place
                occurrences.append(place)
                table = later
        texts = [""] * (len(first) + len(later) if spaced else len(first))
        for table, before in ((first, ""), (later, " ")) if spaced else ((first, ""),):
            for word, place in table.items():
                texts[place] = before + word
        lengths = np.fromiter(map(len, sentences), dtype=np.int64, count=len(sentences))
        return cls(texts, np.array(occurrences, dtype=np.int32), lengths)

    def in_sentences(self, chosen: NDArray[np.bool_]) -> DistinctWords:
        """The corpus of the sentences that are chosen, with the same distinct words.

        Args:
            chosen: shape (S,).
        """
        rows = ragged_rows(offsets_of(self.lengths), np.flatnonzero(chosen))
        return DistinctWords(self.texts, self.occurrences[rows], self.lengths[chosen])

    def map_tokens(
        self, ids: NDArray[np.int32], counts: NDArray[np.int64], boundary: NDArray[np.bool_]
    ) -> MappedTokens:
        """The tokens of the corpus, from those of the distinct words.

        Args:
            ids: type of each token of the distinct words, one word after another, shape (T,).
            counts: tokens of each distinct word, shape (U,).
            boundary: whether each type stands for a space alone, shape (V,).
        """
        tokens = ids[ragged_rows(offsets_of(counts), self.occurrences)]
        words = offsets_of(self.lengths)
        position = np.arange(len(self.occurrences)) - np.repeat(words[:-1], self.lengths)
        of_word = counts[self.occurrences]
        first = np.repeat(position.astype(np.int32), of_word)
        last = (first - boundary[tokens]).astype(np.int32)
        return MappedTokens(tokens, np.diff(offsets_of(of_word)[words]), first, last)
