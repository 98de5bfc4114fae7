"""The texts of one side of a pair, and which of their lines are aligned sentence pairs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seggrid.corpus.pair import kept_lines
from seggrid.corpus.text import Text


@dataclass(frozen=True)
class Layout:
    """The text and the training text of one side, as far as its lines matter; and those of the other side, if
    empty sentence pairs are left out."""

    text: Text | None = None
    other_text: Text | None = None
    training: Text | None = None
    other_training: Text | None = None

    def both(self) -> list[tuple[Text, Text | None]]:
        """The texts that are given, each with that of the other side."""
        both = ((self.text, self.other_text), (self.training, self.other_training))
        return [(text, other) for text, other in both if text is not None]

    def kept(self) -> NDArray[np.bool_] | None:
        """Whether each line of the texts is an aligned sentence pair, shape (L,); None if all lines are."""
        kept = [kept_lines(text, other) for text, other in self.both()]
        return np.concatenate(kept) if kept else None
