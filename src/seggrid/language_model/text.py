"""A text encoded for a language model, with held-out sentences."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seggrid.data.segmentation import Segmentation, Sentences
from seggrid.errors import InputError
from seggrid.language_model.sentence_scores import SentenceScores
from seggrid.language_model.sequences import pack, split
from seggrid.language_model.vocabulary import UNKNOWN, Vocabulary


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
            InputError: no sentence is left to train on.
        """
        train, test = split([tuple(words) for words in sentences], min(held_out, len(sentences)))
        if not train:
            raise InputError(
                f"a text of {len(sentences):,} sentences has none to train on if {held_out:,} are "
                "held out",
                hint="hold out fewer (language_models.NAME.test), or give a longer text",
            )
        if vocabulary is None:
            characters = {c for index in train for word in sentences[index] for c in word}
            own = tokens.take(train)
            made = {own.types[i] for i in np.unique(own.ids)} if types is None else types
            vocabulary = Vocabulary.from_types(made, characters)
        of_train, of_test = tokens.take(train), tokens.take(test)
        tested = [sentences[index] for index in test]
        return cls(
            vocabulary,
            vocabulary.encode(of_train),
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
