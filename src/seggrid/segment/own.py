"""A model that seggrid learned, or pruned, where a tokenizer from elsewhere may stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seggrid.text.boundary import unmarked
from seggrid.text.segmentation import Segmentation, Sentences

if TYPE_CHECKING:
    from seggrid.segment.segmenter import Segmenter
    from seggrid.segment.side import Side


@dataclass(frozen=True)
class OwnModel:
    """A model with the default settings of its segmenter, all its merges or types, and the text as it is."""

    model: Segmenter
    side: Side
    file: str | Path
    bpe = unigram = decodes = False

    @classmethod
    def read(cls, path: str | Path, name: str) -> OwnModel:
        from seggrid.segment import SEGMENTERS

        return cls.of(SEGMENTERS[name].read(path), path)

    @classmethod
    def of(cls, model: Segmenter, path: str | Path) -> OwnModel:
        """A model that was read from a file."""
        from seggrid.segment.axes import AXES
        from seggrid.segment.side import Side

        values: dict[str, Any] = {axis: AXES[axis].default for axis in AXES}
        values |= {"segmenter": model.name, "merges": None, "case": "keep"}
        if "spaces" in model.axes and model.spaces is not None:
            values["spaces"] = "hidden" if model.hidden else model.spaces
        return cls(model, Side.from_values(values), path)

    @property
    def vocabulary(self) -> set[str] | None:
        return self.model.types(self.side)

    def declared(self, sentences: Sentences) -> int | None:
        """The declared size of the vocabulary on a text."""
        return self.model.vocabulary_size(sentences, self.side)

    def as_learned(self) -> OwnModel:
        return self

    def segment(self, sentences: Sentences, threads: int = 1) -> Segmentation:
        """Cut each sentence."""
        from seggrid.segment.side_segmenter import segment_cased

        return segment_cased(self.side, self.model, sentences, [0], threads)[0]

    def segment_words(self, words: Sequence[str]) -> Segmentation:
        """Cut each word by itself."""
        from seggrid.segment.side_segmenter import segment_words

        return segment_words(self.side, self.model, words, [0])[0]

    def spelled(self, text: str) -> bytes:
        return unmarked(text).encode()
