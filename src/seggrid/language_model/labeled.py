"""Labeled sequences: what a language model is fine-tuned on, and the result of doing so.

A word has its label at its first token (Devlin et al. 2019, section 5.3); its other tokens have none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seggrid.data.ragged import offsets_of
from seggrid.data.segmentation import Segmentation, Sentences
from seggrid.language_model.sequences import FRAME, pieces
from seggrid.language_model.vocabulary import BEGIN, END, PAD, Vocabulary

Labels = Sequence[Sequence[str]]
"""The label of each word of each sentence."""

NONE = -100
"""The number of no label, which losses ignore."""


@dataclass(frozen=True)
class Labeled:
    """Sequences of ids with labels at some of them.

    Attributes:
        ids: padded at the end, shape (N, L).
        labels: the label at each id, `NONE` where there is none, shape (N, L).
        words: number of the word that is labeled there, all sentences counted through, shape (N, L);
            -1 where there is none.
    """

    ids: NDArray[np.int32]
    labels: NDArray[np.int64]
    words: NDArray[np.int64]


def first_tokens(tokens: Segmentation, words: Sequence[int]) -> NDArray[np.int64]:
    """The first token of each word, all tokens counted through, or -1 of a word without any; shape (W,).

    Args:
        tokens: of the sentences, within words.
        words: number of words of each sentence.
    """
    starts = offsets_of(words)
    sentence = np.repeat(np.arange(len(tokens)), tokens.lengths)
    found = np.full(int(starts[-1]), -1, dtype=np.int64)
    # A token of nothing but a boundary is of no word.
    own = np.flatnonzero(tokens.last >= tokens.first)[::-1]
    # Of several values for one place the last one stays: here, the first token of a word.
    found[starts[sentence[own]] + tokens.first[own]] = own
    return found


def label_tokens(
    texts: Sequence[Segmentation],
    vocabulary: Vocabulary,
    labels: Labels,
    numbers: dict[str, int],
    longest: int,
) -> Labeled:
    """Sentences as sequences with the label of each word at its first token.

    Args:
        texts: the sentences, as the only text; tokens within words.
        vocabulary: of the model.
        labels: of their words.
        numbers: of the labels; a label that it lacks is `NONE`, and so never predicted.
        longest: tokens of a sequence at most, special ones included; longer sentences are cut in pieces.
    """
    (tokens,) = texts
    first = first_tokens(tokens, [len(own) for own in labels])
    flat = np.array([numbers.get(label, NONE) for own in labels for label in own], dtype=np.int64)
    ids = vocabulary.encode(tokens)
    at_token = np.full((2, len(ids)), NONE, dtype=np.int64)
    at_token[1] = -1
    present = np.flatnonzero(first >= 0)
    at_token[0, first[present]] = flat[present]
    at_token[1, first[present]] = present
    _, sizes = pieces(tokens.lengths, longest - FRAME)
    length = int(sizes.max(initial=0)) + FRAME
    rows = np.full((len(sizes), length), PAD, dtype=np.int32)
    values = np.full((2, len(sizes), length), NONE, dtype=np.int64)
    values[1] = -1
    offsets = offsets_of(sizes)
    for row, size in enumerate(sizes):
        part = slice(offsets[row], offsets[row + 1])
        rows[row, 0], rows[row, size + 1] = BEGIN, END
        rows[row, 1 : size + 1] = ids[part]
        values[:, row, 1 : size + 1] = at_token[:, part]
    return Labeled(rows, values[0], values[1])


def label_examples(
    texts: Sequence[Segmentation],
    vocabulary: Vocabulary,
    labels: Labels,
    numbers: dict[str, int],
    longest: int,
) -> Labeled:
    """Examples as sequences with their label at the first token, `<s>`.

    A second text follows as in RoBERTa: `<s> … </s></s> … </s>`. Of texts that are too long together, the
    longer one loses tokens at its end first.

    Args:
        texts: one or two of each example.
        vocabulary, numbers, longest: as for `label_tokens`.
        labels: one of each example.
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
    length = max(map(len, rows))
    ids = np.full((len(rows), length), PAD, dtype=np.int32)
    values = np.full((2, len(rows), length), NONE, dtype=np.int64)
    values[1] = -1
    for number, (row, own) in enumerate(zip(rows, labels, strict=True)):
        ids[number, : len(row)] = row
        values[:, number, 0] = numbers.get(own[0], NONE), number
    return Labeled(ids, values[0], values[1])


def _fitted(sizes: list[int], most: int) -> list[int]:
    """Sizes of texts so that they have `most` tokens together, at most.

    >>> _fitted([7, 3], 8), _fitted([7, 6], 8), _fitted([3, 2], 8)
    ([5, 3], [4, 4], [3, 2])
    """
    sizes = list(sizes)
    while sum(sizes) > most:
        sizes[sizes.index(max(sizes))] -= 1
    return sizes


def number_labels(labels: Labels) -> dict[str, int]:
    """Labels numbered in the order of code points."""
    return {label: n for n, label in enumerate(sorted({label for own in labels for label in own}))}


def most_frequent_labels(train: Sentences, labels: Labels, test: Sentences) -> list[list[str]]:
    """The baseline without a model: each word gets the label that it has most often in the training
    sentences; a word that is not among them, the label that is most frequent of all. Of equally frequent
    labels, the first in the order of code points.

    >>> most_frequent_labels([["a", "b", "a"]], [["X", "Y", "X"]], [["b", "c"]])
    [['Y', 'X']]
    """
    counts: dict[str, Counter[str]] = {}
    total: Counter[str] = Counter()
    for words, own in zip(train, labels, strict=True):
        for word, label in zip(words, own, strict=True):
            counts.setdefault(word, Counter())[label] += 1
            total[label] += 1
    commonest = _commonest(total)
    best = {word: _commonest(own) for word, own in counts.items()}
    return [[best.get(word, commonest) for word in words] for words in test]


def count_labels(given: Labels, predicted: Labels) -> list[tuple[int, int, int]]:
    """Of each example: labels that are predicted rightly, labels given, and labels predicted (as many).

    >>> count_labels([["X", "Y"], ["X"]], [["X", "X"], ["Y"]])
    [(1, 2, 2), (0, 1, 1)]
    """
    return [
        (sum(map(str.__eq__, own, found)), len(own), len(found))
        for own, found in zip(given, predicted, strict=True)
    ]


def _commonest(counts: Counter[str]) -> str:
    return min(counts, key=lambda label: (-counts[label], label))
