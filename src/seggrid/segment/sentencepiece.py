"""sentencepiece's own learners of BPE and of unigram language models (Kudo and Richardson 2018).

The library runs on one thread, since the rounding of sums depends on the number of threads.
"""

from __future__ import annotations

import io
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Self

from seggrid.base.extras import import_installed
from seggrid.data.segmentation import Sentences
from seggrid.errors import InputError
from seggrid.segment.library import Library

if TYPE_CHECKING:
    from seggrid.segment.side import Side

_LONGEST = 10**6
"""The most bytes of a sentence; the library ignores longer ones."""


class SentencePieceBPE(Library):
    """A `.model` that the library learned."""

    name = "sentencepiece_bpe"
    label = "sentencepiece BPE"
    axes = ("glossary", "spaces", "joint", "vocabulary", "merges", "dropout")
    learns = True
    nested = False
    requires = ("sentencepiece", "google.protobuf")
    kind: ClassVar[str] = "bpe"
    """The library's name of the model."""

    @classmethod
    def learn(cls, sentences: Sentences, size: int, side: Side) -> Self:
        """Learn a vocabulary of `size` types besides single characters, fewer if the text has fewer.

        All settings are the library's defaults, except that text is not normalized and rare characters are
        kept.

        Raises:
            InputError: the library is not installed, or reports an error.
        """
        from seggrid.segment.external.sentencepiece import SentencePiece

        library = import_installed(
            "tokenizers", "sentencepiece", user="the segmenter sentencepiece"
        )
        file = io.BytesIO()
        try:
            library.SentencePieceTrainer.train(
                sentence_iterator=(" ".join(words) for words in sentences),
                model_writer=file,
                model_type=cls.kind,
                vocab_size=size + cls.alphabet_size(sentences, side),
                hard_vocab_limit=False,
                character_coverage=1.0,
                normalization_rule_name="identity",
                split_by_whitespace=bool(side.spaces),
                max_sentence_length=_LONGEST,
                bos_id=-1,
                eos_id=-1,
                num_threads=1,
                minloglevel=2,
            )
        except RuntimeError as error:
            raise InputError(
                f"sentencepiece learns no model: {error}", hint="ask for fewer types"
            ) from None
        return cls(SentencePiece(file.getvalue()))

    @classmethod
    def alphabet_size(cls, sentences: Sentences, side: Side) -> int:
        """The number of types that each model of a text has: its characters, `▁` and the unknown token."""
        return len(set(chain.from_iterable(chain.from_iterable(sentences)))) + 2

    @classmethod
    def read(cls, path: str | Path) -> Self:
        """Read a `.model`."""
        from seggrid.segment.external.sentencepiece import SentencePiece

        return cls(SentencePiece.read(path))

    @property
    def learned(self) -> int:
        """The number of types besides single characters and the unknown token."""
        return sum(len(text) > 1 for text in self.tokenizer.vocabulary) - 1

    def types(self, side: Side) -> set[str]:
        """The types besides single characters."""
        return {text for text in self.tokenizer.vocabulary if len(text) > 1}


class SentencePieceUnigram(SentencePieceBPE):
    """The same for a unigram language model."""

    name = "sentencepiece_unigram"
    label = "sentencepiece Unigram"
    axes = ("glossary", "spaces", "joint", "vocabulary", "merges", "sampling")
    kind = "unigram"
