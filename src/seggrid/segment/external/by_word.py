"""Cut each distinct word once, where a tokenizer cuts each word by itself."""

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
        texts: what the tokenizer gets, shape (U,).
        occurrences: which of them each word of the corpus is, int32, shape (N,).
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
            spaced: whether a word that is not the first of its sentence is told from one that is,
                by a space before it.
            never: texts that a tokenizer looks for before it cuts words.

        Returns:
            None if a word has one of those texts or a space of any kind in it: then what is cut may
            not be the word alone.
        """
        words = dict.fromkeys(chain.from_iterable(sentences))
        joined = "\n".join(words)
        # Every space but the line ends between them.
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

    def map_tokens(
        self, ids: NDArray[np.int32], counts: NDArray[np.int64], boundary: NDArray[np.bool_]
    ) -> MappedTokens:
        """The tokens of the corpus.

        Args:
            ids: types of the tokens of the distinct words, one after another, shape (T,).
            counts: how many each word has, shape (U,).
            boundary: by type, whether it stands for nothing but a space, shape (V,).
        """
        tokens = ids[ragged_rows(offsets_of(counts), self.occurrences)]
        words = offsets_of(self.lengths)
        position = np.arange(len(self.occurrences)) - np.repeat(words[:-1], self.lengths)
        of_word = counts[self.occurrences]
        first = np.repeat(position.astype(np.int32), of_word)
        last = (first - boundary[tokens]).astype(np.int32)
        return MappedTokens(tokens, np.diff(offsets_of(of_word)[words]), first, last)
