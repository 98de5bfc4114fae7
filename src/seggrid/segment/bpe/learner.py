"""The learner of the segmenter `bpe`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from seggrid.base.axis import required
from seggrid.data.segmentation import Sentences
from seggrid.data.words import WordCounts, uncounted
from seggrid.errors import InputError
from seggrid.segment import parity
from seggrid.segment.bpe import learn as bpe
from seggrid.segment.bpe import model as merging
from seggrid.segment.bpe.model import BPEModel
from seggrid.segment.combinations import refuse
from seggrid.segment.picky import learn as picky
from seggrid.segment.picky import model as removing
from seggrid.segment.picky.model import PickyModel
from seggrid.segment.picky.removal import parse_removal
from seggrid.segment.superbpe import learn as superbpe
from seggrid.segment.superbpe import model as joining
from seggrid.segment.superbpe.model import SuperModel
from seggrid.segment.superbpe.transition import parse_supermerges

if TYPE_CHECKING:
    from seggrid.segment.side import Side

__all__ = ["learn", "write_model"]


def learn(
    sentences: Sentences | WordCounts,
    size: int,
    side: Side,
    min_frequency: int = 2,
    marking: str = "start",
) -> BPEModel | PickyModel | SuperModel:
    """Learn `size` merges, or fewer if no pair is left that occurs `min_frequency` times.

    With the axis `removal`, merging ends when `size` types are present; with `supermerges`, merges are within
    words and across them.

    Raises:
        InputError: values of the side cannot be combined, or only plain merges of words, whose number is
            given, are marked in another way than `start`.
    """
    refuse(side)
    removal, spaces = parse_removal(side.removal or "none"), bool(side.spaces)
    transition = parse_supermerges(side.supermerges or "none")
    plain = removal is None and transition is None and side.balance != "parity"
    if marking != "start" and not (plain and spaces and side.vocabulary is None):
        raise InputError(
            f"--marking {marking} is for plain merges within words, whose number is given",
            hint="leave it or the other settings out",
        )
    if transition is not None:
        return superbpe.learn(uncounted(sentences), size, transition, min_frequency=min_frequency)
    if side.balance == "parity":
        # The sentences of a joint model are those of one text, then as many of the other.
        both = uncounted(sentences)
        return parity.learn(
            both, size, (len(both) + 1) // 2, spaces=spaces, min_frequency=min_frequency
        )
    if removal is not None:
        return picky.learn(sentences, size, removal, spaces=spaces, min_frequency=min_frequency)
    return bpe.learn(
        sentences,
        size,
        spaces=spaces,
        scoring=required(side.scoring),
        min_frequency=min_frequency,
        marking=marking,
    )


def write_model(model: BPEModel | PickyModel | SuperModel, path: str | Path) -> None:
    """Write a model, atomically, in the format of its kind."""
    if isinstance(model, PickyModel):
        removing.write_model(model, path)
    elif isinstance(model, SuperModel):
        joining.write_model(model, path)
    else:
        merging.write_model(model, path)
