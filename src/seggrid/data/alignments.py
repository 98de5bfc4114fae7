"""Files of links, with or without probabilities, of several samples of the same sentences."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from seggrid.base.arrays import read_arrays, write_arrays
from seggrid.data.links import (
    Links,
    Posteriors,
    pack_links,
    pack_posteriors,
    unpack_links,
    unpack_posteriors,
)
from seggrid.data.segmentation import (
    Segmentation,
    compact,
    pack_segmentations,
    unpack_segmentations,
)

Alignment = tuple[Segmentation, Segmentation, Links, Links]
"""Source, target, forward links, reverse links, all of the same sentences."""

IN_FOLDER = "links.npz"
"""Name of the file of links in a folder that also has other parts of an alignment."""

BothPosteriors = tuple[Posteriors, Posteriors]
"""Forward and reverse probabilities of links, between the tokens of an alignment."""


T = TypeVar("T")


def meet(sources: Sequence[T], targets: Sequence[T]) -> tuple[list[T], list[T]]:
    """Pair the samples of two sides for alignment: the only sample of a side without dropout is paired with
    every sample of the other.

    >>> meet(["a"], ["x", "y"])
    (['a', 'a'], ['x', 'y'])
    """
    n = max(len(sources), len(targets))
    source, target = (
        list(side) * n if len(side) == 1 else list(side) for side in (sources, targets)
    )
    return source, target


def write_alignments(
    path: str | Path, samples: Sequence[Alignment], posteriors: Sequence[BothPosteriors] = ()
) -> None:
    """Write both directions of each sample, the tokens that they link and, if there are any, the
    probabilities of their links, one entry for each sample."""
    sources, targets, forward, reverse = zip(*samples, strict=True)
    arrays = (
        pack_segmentations([compact(source) for source in sources], "source/")
        | pack_segmentations([compact(target) for target in targets], "target/")
        | pack_links(forward, "forward/")
        | pack_links(reverse, "reverse/")
    )
    for way, direction in enumerate(_POSTERIORS) if posteriors else ():
        arrays |= pack_posteriors([both[way] for both in posteriors], direction)
    write_arrays(path, arrays)


_POSTERIORS = ("posteriors/forward/", "posteriors/reverse/")


def read_alignments(path: str | Path) -> list[Alignment]:
    """Read what `write_alignments` wrote, except the probabilities."""
    arrays = read_arrays(path)
    sides = unpack_segmentations(arrays, "source/"), unpack_segmentations(arrays, "target/")
    directions = unpack_links(arrays, "forward/"), unpack_links(arrays, "reverse/")
    return list(zip(*sides, *directions, strict=True))


def read_posteriors(path: str | Path) -> list[BothPosteriors]:
    """Read the probabilities that `write_alignments` wrote, one entry for each sample."""
    arrays = read_arrays(path)
    forward, reverse = (unpack_posteriors(arrays, direction) for direction in _POSTERIORS)
    return list(zip(forward, reverse, strict=True))
