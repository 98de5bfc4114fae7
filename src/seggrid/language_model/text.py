"""A text encoded for a language model, with held-out sentences."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seggrid.corpus.text import Text, TextFormat
from seggrid.data.segmentation import Segmentation, Sentences
from seggrid.errors import InputError
from seggrid.language_model.sentence_scores import SentenceScores
from seggrid.language_model.sequences import pack, split
from seggrid.language_model.vocabulary import UNKNOWN, Vocabulary

MOST_UNKNOWN = 0.5
"""A larger share of unknown training tokens is taken for another vocabulary than the model's."""


def read_training_text(path: str | Path, format: TextFormat) -> list[list[str]]:
    """The sentences of a text that a model is trained on, without empty lines, which separate documents.

    Raises:
        InputError: as for `seggrid.corpus.text.read_text`.
    """
    return [words for words in Text((path,), format, empty_lines="skip").read().words() if words]


def hold_out(sentences: Sequence[Hashable], held_out: int) -> tuple[list[int], list[int]]:
    """Split a text into training and test sentences, see `seggrid.language_model.sequences.split`.

    Raises:
        InputError: no sentence is left to train on.
    """
    train, test = split(sentences, min(held_out, len(sentences)))
    if not train:
        raise InputError(
            f"a text of {len(sentences):,} sentences has none to train on if {held_out:,} are held out",
            hint="hold out fewer (language_models.NAME.test), or give a longer text",
        )
    return train, test


@dataclass(frozen=True)
class EncodedText:
    """A text as ids of a vocabulary.

    Attributes:
        vocabulary: the vocabulary.
        ids: ids of the tokens of training sentences, shape (T,).
        lengths: tokens of each training sentence, shape (S,).
        test_ids, test_lengths: the same for held-out sentences.
        test_words, test_characters: words of each held-out sentence, and its characters, including spaces
            between words.
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
        """Encode a segmented text.

        Args:
            sentences: words of the text.
            tokens: segmentation of the text.
            held_out: number of sentences to test on.
            vocabulary: vocabulary of an earlier model; None to make one from the training sentences.
            types: all types that the segmenter can make; by default, those in the training sentences.

        Raises:
            InputError: no sentence is left to train on, or most tokens are unknown.
        """
        train, test = hold_out([tuple(words) for words in sentences], held_out)
        if vocabulary is None:
            characters = {c for index in train for word in sentences[index] for c in word}
            own = tokens.take(train)
            made = {own.types[i] for i in np.unique(own.ids)} if types is None else types
            vocabulary = Vocabulary.from_types(made, characters)
        of_train, of_test = tokens.take(train), tokens.take(test)
        ids = vocabulary.encode(of_train)
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
            of_train.lengths,
            vocabulary.encode(of_test),
            of_test.lengths,
            np.array([len(words) for words in tested], dtype=np.int64),
            np.array([len(" ".join(words)) for words in tested], dtype=np.int64),
        )

    def sequences(self, length: int) -> NDArray[np.int32]:
        """The training sequences, see `pack`."""
        return pack(self.ids, self.lengths, length)

    def test_sequences(self, length: int) -> NDArray[np.int32]:
        """The sequences of the held-out sentences."""
        return pack(self.test_ids, self.test_lengths, length)

    def scores(self, pll: Sequence[float] | NDArray[np.float64]) -> SentenceScores:
        """The held-out sentences with their pseudo-log-likelihoods, shape (S,)."""
        sentence = np.repeat(np.arange(len(self.test_lengths)), self.test_lengths)
        unknown = np.bincount(sentence[self.test_ids == UNKNOWN], minlength=len(self.test_lengths))
        return SentenceScores(
            np.asarray(pll, dtype=np.float64),
            self.test_lengths,
            self.test_characters,
            self.test_words,
            unknown,
        )
