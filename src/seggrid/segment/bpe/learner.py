"""The learner of the segmenter `bpe`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seggrid.base.axis import required
from seggrid.data.segmentation import Sentences
from seggrid.data.words import WordCounts
from seggrid.errors import InputError
from seggrid.segment.bpe import learn as bpe
from seggrid.segment.bpe.model import BPEModel, write_model

if TYPE_CHECKING:
    from seggrid.segment.side import Side

__all__ = ["learn", "write_model"]


def learn(
    sentences: Sentences | WordCounts,
    size: int,
    side: Side,
    min_frequency: int = 2,
    marking: str = "start",
) -> BPEModel:
    """Learn `size` merges, or fewer if no pair is left that occurs `min_frequency` times.

    Raises:
        InputError: only merges of words, whose number is given, are marked in another way than `start`.
    """
    if marking != "start" and not (side.spaces is True and side.vocabulary is None):
        raise InputError(
            f"--marking {marking} is for merges within words, whose number is given",
            hint="leave it or the other settings out",
        )
    return bpe.learn(
        sentences,
        size,
        spaces=bool(side.spaces),
        scoring=required(side.scoring),
        min_frequency=min_frequency,
        marking=marking,
    )
