"""Cut each distinct word only once, if a tokenizer cuts each word by itself.

On the thesis's 10,508 German sentences this reduces the CPU time of a byte-level BPE of 8,000 types from 0.67
s to 0.25 s, and that of a BPE of sentencepiece from 0.59 s to 0.15 s.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seggrid.data.ragged import offsets_of, ragged_rows
from seggrid.data.segmentation import Segmentation, Sentences
from seggrid.data.words import Words
from seggrid.segment.by_type import WordTypes
from seggrid.segment.token_offsets import MappedTokens, join_parts


def distinct_words(
    sentences: Sentences, spaced: bool, never: Sequence[str] = ()
) -> WordTypes | None:
    """The distinct words of a corpus as a tokenizer sees them.

    Args:
        sentences: the corpus.
        spaced: whether each word except the first of a sentence gets a space before it, and so differs from
            the same word at the start of a sentence.
        never: texts that the tokenizer looks for before it cuts words.

    Returns:
        None if a word contains one of those texts or a space of any kind, because the tokenizer may then cut
        the word differently in context than by itself.
    """
    text = Words.of(sentences)
    words = text.types
    joined = "\n".join(words)
    # If a word contains a space of any kind, there are more parts than words.
    if len(joined.split()) != len(words) or any(text in joined for text in never):
        return None
    if spaced:
        text = text.with_types([" " + word for word in words], words)
    return WordTypes(text.types, text.ids, text.offsets)


def segment_distinct(
    words: WordTypes,
    types: Sequence[str],
    ids: NDArray[np.int32],
    counts: NDArray[np.int64],
    boundary: NDArray[np.bool_],
    file: str | Path,
) -> Segmentation:
    """The segmentation of a corpus, from the tokens of its distinct words.

    Args:
        words: the corpus.
        types: types of the tokenizer, shape (V,).
        ids: type of each token of the distinct words, one word after another, shape (T,).
        counts: tokens of each distinct word, shape (U,).
        boundary: whether each type stands for a space alone, shape (V,).
        file: file of the tokenizer, for messages.

    Raises:
        InputError: a sentence has no token.
    """
    tokens = ids[ragged_rows(offsets_of(counts), words.occurrences)]
    tokens_of_word = counts[words.occurrences]
    lengths = np.diff(words.offsets)
    position = np.arange(len(tokens_of_word)) - np.repeat(words.offsets[:-1], lengths)
    first = np.repeat(position.astype(np.int32), tokens_of_word)
    last = (first - boundary[tokens]).astype(np.int32)
    tokens_of_sentence = np.diff(offsets_of(tokens_of_word)[words.offsets])
    return join_parts(types, [MappedTokens(tokens, tokens_of_sentence, first, last)], file)
