"""The text of a language model: held-out sentences, ids, sequences, batches."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seggrid.base.errors import InputError
from seggrid.studies.language_model.scores import SentenceScores
from seggrid.studies.language_model.vocabulary import BEGIN, END, PAD, UNKNOWN, Vocabulary
from seggrid.text.boundary import WORD_END
from seggrid.text.ragged import offsets_of
from seggrid.text.segmentation import Segmentation, Sentences
from seggrid.text.text_files import Text, TextFormat

FRAME = 2
"""Number of special tokens around the tokens of a sentence: begin and end."""

MOST_UNKNOWN = 0.5
"""If a larger share of the training tokens is unknown, the text does not fit the vocabulary."""


def read_training_text(path: str | Path, format: TextFormat) -> list[list[str]]:
    """The sentences of a training text, without empty lines, which separate documents."""
    return [words for words in Text.skipping(path, format).read_words().words if words]


def split(sentences: Sequence[Hashable], held_out: int) -> tuple[list[int], list[int]]:
    """Split a text into training and test sentences, as ascending indices; all are test sentences if fewer
    than `held_out`.

    The test sentences are evenly spaced and the same for every model of a text. Duplicates of test sentences
    are in neither list.

    >>> split("abcabd", 2)
    ([0, 2, 3, 5], [1, 4])
    >>> split("xyxzw", 1)
    ([1, 3, 4], [2])
    """
    total = len(sentences)
    held_out = min(held_out, total)
    test = [(2 * k + 1) * total // (2 * held_out) for k in range(held_out)]
    tested = {sentences[index] for index in test}
    return [index for index in range(total) if sentences[index] not in tested], test


def hold_out(sentences: Sequence[Hashable], held_out: int) -> tuple[list[int], list[int]]:
    """Split a text into training and test sentences, see `split`; some must be left to train on."""
    train, test = split(sentences, held_out)
    if not train:
        raise InputError(
            f"a text of {len(sentences):,} sentences has none to train on if {held_out:,} are held out",
            hint="hold out fewer (language_models.NAME.test), or give a longer text",
        )
    return train, test


@dataclass(frozen=True)
class EncodedText:
    """A text of S sentences as ids of a vocabulary, of which T are held out.

    Attributes:
        vocabulary: the vocabulary.
        ids: ids of the tokens of training.
        lengths: number of tokens of each sentence of training, shape (S - T,).
        test_ids: ids of the tokens of held-out sentences.
        test_lengths: number of tokens of each held-out sentence, shape (T,).
        test_words: number of words of each held-out sentence, shape (T,).
        test_characters: number of characters of each held-out sentence, including spaces between words, shape
            (T,).
    """

    vocabulary: Vocabulary
    ids: NDArray[np.int32]
    lengths: NDArray[np.int64]
    test_ids: NDArray[np.int32]
    test_lengths: NDArray[np.int64]
    test_words: NDArray[np.int64]
    test_characters: NDArray[np.int64]

    @classmethod
    def from_segmentation(
        cls,
        sentences: Sentences,
        tokens: Segmentation,
        held_out: int,
        vocabulary: Vocabulary | None = None,
        types: Collection[str] | None = None,
    ) -> EncodedText:
        """Encode a segmented text, of which `held_out` sentences are for tests.

        Without the vocabulary of an earlier model, one is made of the types that the segmenter can make; by
        default, of those in the training sentences.
        """
        train, test = hold_out([tuple(words) for words in sentences], held_out)
        train_tokens, test_tokens = tokens.take(train), tokens.take(test)
        if vocabulary is None:
            characters = {c for index in train for word in sentences[index] for c in word}
            if types is None:
                types = {train_tokens.types[id] for id in np.unique(train_tokens.ids)}
            ends = any(text.endswith(WORD_END) for text in tokens.types)
            vocabulary = Vocabulary.from_types(types, characters, ends)
        ids = vocabulary.encode(train_tokens)
        unknown = (ids == UNKNOWN).mean() if len(ids) else 0
        if unknown > MOST_UNKNOWN:
            raise InputError(
                f"{unknown:.0%} of the tokens are not in the vocabulary of the model that is continued",
                hint="continue it with a segmentation whose types it has, or train a new model",
            )
        tested = [sentences[index] for index in test]
        return cls(
            vocabulary,
            ids,
            train_tokens.lengths,
            vocabulary.encode(test_tokens),
            test_tokens.lengths,
            np.array([len(words) for words in tested], dtype=np.int64),
            np.array([len(" ".join(words)) for words in tested], dtype=np.int64),
        )

    def scores(self, pll: Sequence[float] | NDArray[np.float64]) -> SentenceScores:
        """The scores of the held-out sentences, from their pseudo-log-likelihoods, shape (S,)."""
        sentence = np.repeat(np.arange(len(self.test_lengths)), self.test_lengths)
        unknown = np.bincount(sentence[self.test_ids == UNKNOWN], minlength=len(self.test_lengths))
        return SentenceScores(
            np.asarray(pll, dtype=np.float64),
            self.test_lengths,
            self.test_characters,
            self.test_words,
            unknown,
        )


def piece_sizes(lengths: NDArray[np.integer], longest: int) -> NDArray[np.int64]:
    """Cut sentences into pieces of at most `longest` tokens; return the sizes of the pieces, shape (P,).
    A sentence without tokens has no piece.

    >>> piece_sizes(np.array([2, 5, 0]), 3).tolist()
    [2, 3, 2]
    """
    counts = -(-lengths // longest)
    sentence = np.repeat(np.arange(len(lengths)), counts)
    number = np.arange(len(sentence)) - np.repeat(np.cumsum(counts) - counts, counts)
    return np.asarray(np.minimum(longest, lengths[sentence] - number * longest), dtype=np.int64)


def pack(ids: NDArray[np.int32], lengths: NDArray[np.integer], length: int) -> NDArray[np.int32]:
    """Pack whole sentences, each between begin and end, into sequences of `length` tokens in order (RoBERTa's
    FULL-SENTENCES, Liu et al. 2019, section 4.2); longer sentences are cut. Returns ids, shape (N, length),
    padded at the end."""
    sizes = piece_sizes(lengths, length - FRAME)
    offsets = offsets_of(sizes)
    rows: list[list[int]] = [[]]
    room = length
    for piece, size in enumerate(sizes):
        if size + FRAME > room:
            rows.append([])
            room = length
        rows[-1].append(piece)
        room -= size + FRAME
    packed = np.full((len(rows), length), PAD, dtype=np.int32)
    for row, members in zip(packed, rows, strict=True):
        at = 0
        for piece in members:
            own = ids[offsets[piece] : offsets[piece + 1]]
            row[at] = BEGIN
            row[at + 1 : at + 1 + len(own)] = own
            row[at + 1 + len(own)] = END
            at += len(own) + FRAME
    return packed[: len(rows) if rows[0] else 0]
