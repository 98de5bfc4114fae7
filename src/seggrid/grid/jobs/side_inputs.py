"""The inputs of the scripts that process one side with its model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from seggrid.segment import SEGMENTERS
from seggrid.segment.side import Side
from seggrid.text.segmentation import Sentences
from seggrid.text.text_files import read_text


@dataclass(frozen=True, kw_only=True)
class SegmentationInputs:
    """How a text is segmented.

    Attributes:
        spec: its segmentation.
        model: the model or tokenizer for it.
        model_format: format of a tokenizer from elsewhere.
    """

    spec: Side
    model: Path | None = None
    model_format: str | None = None

    def read_model(self) -> Any:
        """The model, or None."""
        return read_side_model(self.spec, self.model, self.model_format)


@dataclass(frozen=True, kw_only=True)
class SideInputs(SegmentationInputs):
    """A text that the workflow wrote, and how it is segmented.

    Attributes:
        corpus: the text.
    """

    corpus: Path

    def sentences(self) -> list[list[str]]:
        """The words of the text."""
        return read_text(self.corpus, "lines")[0]


def read_side_model(side: Side, file: Path | None, format: str | None) -> Any:
    """The model of a segmenter; None without a file."""
    how = [format] if format else []
    return SEGMENTERS[side.segmenter].read(file, *how) if file else None


def read_learned_from(files: Sequence[Path], sentences: Sentences) -> Sentences:
    """The text from which a model was learned: the texts of a joint model, or else the side's own."""
    texts = [read_text(file, "lines")[0] for file in files]
    return [words for text in texts for words in text] or sentences
