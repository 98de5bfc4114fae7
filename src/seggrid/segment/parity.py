"""Parity-aware BPE: merges that leave two parallel texts with equally many tokens.

After Foroutan et al. 2025 (arXiv 2508.04796), algorithm 1, with the training texts as development set.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from seggrid.base.errors import InputError
from seggrid.segment.bpe.model import BPEModel
from seggrid.segment.pair_index import Pair, PairIndex

if TYPE_CHECKING:
    from seggrid.segment.side import Side
    from seggrid.text.segmentation import Sentences


class Parity(BPEModel):
    """Merges that are learned on both texts. The model is that of a BPE, and so is its file."""

    name = "parity"
    label = "parity-aware BPE"
    axes = tuple(axis for axis in BPEModel.axes if axis != "scoring")
    own_axes = ()
    always_joint = True
    from_counts = False
    given = ""

    @classmethod
    def learn(  # type: ignore[override]
        cls, sentences: Sentences, size: int, side: Side, min_frequency: int = 2
    ) -> BPEModel:
        """Learn merges from two texts, the sentences of the first and then as many of the second.

        Each step takes the text with more tokens (the first text if they have equally many). The most
        frequent pair of that text alone is merged in both texts; ties are broken as in
        `seggrid.segment.bpe.learn`. Learning stops when the pair occurs less than `min_frequency` times.
        """
        spaces = bool(side.spaces)
        indexes = [PairIndex.of_text(text, spaces) for text in two_texts(sentences)]
        tokens = [index.frequency.total() for index in indexes]
        merges: list[Pair] = []
        while len(merges) < size:
            pair = indexes[tokens[1] > tokens[0]].best(min_frequency)
            if pair is None:
                break
            merges.append(pair)
            for which, index in enumerate(indexes):
                tokens[which] -= index.merge(pair)
        return BPEModel([*merges], spaces)

    @classmethod
    def read(cls, path: str | Path) -> BPEModel:  # type: ignore[override]
        return BPEModel.read(path)


def two_texts(sentences: Sentences) -> tuple[Sentences, Sentences]:
    """The first and the second half of sentences, two parallel texts."""
    half = (len(sentences) + 1) // 2
    first, second = sentences[:half], sentences[half:]
    if len(first) != len(second):
        raise InputError(
            f"two texts of {len(first):,} and {len(second):,} sentences",
            hint="give two texts that are parallel sentence by sentence",
        )
    return first, second
