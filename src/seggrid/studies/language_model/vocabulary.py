"""The types of a language model and their ids."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seggrid.base.lines import read_lines
from seggrid.text.boundary import BOUNDARY, WORD_END
from seggrid.text.segmentation import Segmentation

SPECIAL = ("<s>", "<pad>", "</s>", "<unk>", "<mask>")
"""The special types, with the first ids as in RoBERTa: begin, padding, end, unknown, mask."""

BEGIN, PAD, END, UNKNOWN, MASK = range(len(SPECIAL))


@dataclass(frozen=True)
class Vocabulary:
    """The text of every id, shape (V,): special types (`SPECIAL`), then types of a text."""

    types: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.types)

    @classmethod
    def from_types(
        cls, types: Iterable[str], characters: Iterable[str], ends: bool = False
    ) -> Vocabulary:
        """Number the types that a segmenter can make. Each character of the training text is a type, both
        without and with the mark of a word (`</w>` at its end if `ends`, else `▁` before it), so that every
        word of these characters can be spelled."""
        single = sorted({*characters} - {BOUNDARY})
        before, after = ("", WORD_END) if ends else (BOUNDARY, "")
        spelled = [BOUNDARY, *single, *(before + character + after for character in single)]
        known = dict.fromkeys([*SPECIAL, *spelled, *sorted(types)])
        return cls(tuple(known))

    @cached_property
    def _ids(self) -> dict[str, int]:
        # A type of the text that is spelled like a special type counts as unknown.
        return {text: id for id, text in enumerate(self.types) if id >= len(SPECIAL)}

    def encode(self, tokens: Segmentation) -> NDArray[np.int32]:
        """The id of each token, shape (T,); `UNKNOWN` for types that are not in the vocabulary."""
        id_of_type = [self._ids.get(text, UNKNOWN) for text in tokens.types]
        return np.array(id_of_type, dtype=np.int32)[tokens.ids]


def read_vocabulary(path: str | Path) -> Vocabulary:
    """Read the types of a model's folder; the type with id k is on line k + 1."""
    return Vocabulary(tuple(read_lines(path)))
