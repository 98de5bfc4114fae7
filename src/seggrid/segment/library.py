"""The family of segmenters that are applied by a library: a tokenizer as a model."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seggrid.base.files import atomic_write
from seggrid.segment.sampling import Sampling, parse_sampling
from seggrid.segment.segmenter import Segmenter

if TYPE_CHECKING:
    from seggrid.data.segmentation import Segmentation, Sentences
    from seggrid.segment.side import Side


class Library(Segmenter):
    """A tokenizer: one of the classes in `seggrid.segment.external`."""

    def __init__(self, tokenizer: Any) -> None:
        self.tokenizer = tokenizer

    def segment(
        self, sentences: Sentences, side: Side, seeds: Sequence[int], threads: int
    ) -> list[Segmentation]:
        """Tokenize each sentence, its words joined by spaces; when sampled, once for each seed."""
        self.check(side)
        if (sampling := sampling_of(side)) is not None:
            drawn: list[Segmentation] = self.tokenizer.draw(sentences, sampling, seeds)
            return drawn
        return [self.tokenizer.segment(sentences, threads)]

    def segment_words(
        self, words: Sequence[str], side: Side, seeds: Sequence[int]
    ) -> list[Segmentation]:
        """Tokenize each word as it stands in a text, and map its tokens to its characters."""
        self.check(side)
        if (sampling := sampling_of(side)) is not None:
            drawn: list[Segmentation] = self.tokenizer.draw_words(words, sampling, seeds)
            return drawn
        return [self.tokenizer.segment_words(words)]

    @property
    def library(self) -> Any:
        """The tokenizer; None for a tokenized text, which has no decoder."""
        return self.tokenizer if self.tokenizer.decodes else None

    def spelled(self, text: str) -> bytes:
        """The bytes of a type."""
        spelled: bytes = self.tokenizer.spelled(text)
        return spelled

    @property
    def declared(self) -> int | None:
        """The size of the vocabulary; None if it is not declared."""
        vocabulary = self.tokenizer.vocabulary
        return None if vocabulary is None else len(vocabulary)

    def write(self, path: str | Path) -> None:
        """Write the library's own file, atomically."""
        with atomic_write(path, "wb") as file:
            file.write(self.tokenizer.data)


def sampling_of(side: Side) -> Sampling | None:
    """The sampling that a side asks for: dropout of a BPE, or sampling from a unigram model; None for
    neither."""
    return Sampling(float(side.dropout)) if side.dropout else parse_sampling(side.sampling)
