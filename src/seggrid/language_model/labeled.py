"""Labeled sequences of ids, on which a language model is fine-tuned.

The label of a word is at its first token (Devlin et al. 2019, section 5.3); its other tokens have none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seggrid.data.ragged import offsets_of
from seggrid.data.segmentation import Segmentation
from seggrid.language_model.tasks import Labels
from seggrid.language_model.text import FRAME, piece_sizes
from seggrid.language_model.vocabulary import BEGIN, END, PAD, Vocabulary

NONE = -100
"""The value for no label; losses ignore it."""


@dataclass(frozen=True)
class Labeled:
    """Sequences of ids, some of which have labels; all arrays have the shape (N, L).

    Attributes:
        ids: padded at the end.
        labels: the label of each id, `NONE` if it has none.
        words: the number of the labeled word, counted over all sentences, or of the labeled example; else -1.
    """

    ids: NDArray[np.int32]
    labels: NDArray[np.int64]
    words: NDArray[np.int64]

    @classmethod
    def empty(cls, sequences: int, length: int) -> Labeled:
        """Padded sequences without labels."""
        shape = (sequences, length)
        return cls(
            np.full(shape, PAD, dtype=np.int32),
            np.full(shape, NONE, dtype=np.int64),
            np.full(shape, -1, dtype=np.int64),
        )


def first_tokens(tokens: Segmentation, words: Sequence[int]) -> NDArray[np.int64]:
    """The first token of each word, counted over all sentences with these numbers of words; -1 for a word
    without tokens; shape (W,)."""
    starts = offsets_of(words)
    sentence = np.repeat(np.arange(len(tokens)), tokens.lengths)
    found = np.full(int(starts[-1]), -1, dtype=np.int64)
    # A boundary token belongs to no word.
    within = np.flatnonzero(tokens.last >= tokens.first)[::-1]
    # Of several values for a place, the last is kept; in reversed order, this is the word's first token.
    found[starts[sentence[within]] + tokens.first[within]] = within
    return found


def label_tokens(
    texts: Sequence[Segmentation],
    vocabulary: Vocabulary,
    labels: Labels,
    numbers: dict[str, int],
    longest: int,
) -> Labeled:
    """Sentences, whose segmentation within words is the only one of `texts`, as sequences with the label of
    each word at its first token. Labels without a number become `NONE` and are never predicted; sequences of
    more than `longest` tokens, including special ones, are cut off."""
    (tokens,) = texts
    first = first_tokens(tokens, [len(own) for own in labels])
    flat = np.array([numbers.get(label, NONE) for own in labels for label in own], dtype=np.int64)
    ids = vocabulary.encode(tokens)
    label_at, word_at = np.full(len(ids), NONE), np.full(len(ids), -1)
    present = np.flatnonzero(first >= 0)
    label_at[first[present]] = flat[present]
    word_at[first[present]] = present
    sizes = piece_sizes(tokens.lengths, longest - FRAME)
    made = Labeled.empty(len(sizes), int(sizes.max(initial=0)) + FRAME)
    offsets = offsets_of(sizes)
    for row, size in enumerate(sizes):
        piece, inside = slice(offsets[row], offsets[row + 1]), slice(1, size + 1)
        made.ids[row, 0], made.ids[row, size + 1] = BEGIN, END
        made.ids[row, inside] = ids[piece]
        made.labels[row, inside] = label_at[piece]
        made.words[row, inside] = word_at[piece]
    return made


def label_examples(
    texts: Sequence[Segmentation],
    vocabulary: Vocabulary,
    labels: Labels,
    numbers: dict[str, int],
    longest: int,
) -> Labeled:
    """Examples as sequences with their label at the first token, `<s>`; `texts` are the segmentations of the
    first and, if there are any, the second texts.

    A second text follows as in RoBERTa: `<s> … </s></s> … </s>`. If two texts together are too long, tokens
    are removed from the end of the longer one until they fit.
    """
    encoded = [vocabulary.encode(text) for text in texts]
    rows = []
    for example in range(len(labels)):
        parts = [
            ids[text.offsets[example] : text.offsets[example + 1]]
            for text, ids in zip(texts, encoded, strict=True)
        ]
        sizes = _fitted([len(part) for part in parts], longest - FRAME * len(parts))
        row: list[int] = []
        for part, size in zip(parts, sizes, strict=True):
            row += [END if row else BEGIN, *part[:size].tolist(), END]
        rows.append(row)
    made = Labeled.empty(len(rows), max(map(len, rows), default=0))
    for number, (row, own) in enumerate(zip(rows, labels, strict=True)):
        made.ids[number, : len(row)] = row
        made.labels[number, 0], made.words[number, 0] = numbers.get(own[0], NONE), number
    return made


def _fitted(sizes: list[int], most: int) -> list[int]:
    """The sizes of texts after shortening the longest until together they have at most `most` tokens.

    >>> _fitted([7, 3], 8), _fitted([7, 6], 8), _fitted([3, 2], 8)
    ([5, 3], [4, 4], [3, 2])
    """
    sizes = list(sizes)
    while sum(sizes) > most:
        sizes[sizes.index(max(sizes))] -= 1
    return sizes
