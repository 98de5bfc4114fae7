"""Links on disk: several samples of the same sentences in one file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from seggrid.data.links import Links, pack_links, unpack_links
from seggrid.data.npz import read_arrays, write_arrays
from seggrid.data.segmentation import (
    Segmentation,
    compact,
    pack_segmentations,
    unpack_segmentations,
)

Alignment = tuple[Segmentation, Segmentation, Links, Links]
"""Source, target, forward links, reverse links, all of the same sentences."""


def write_alignments(path: str | Path, samples: Sequence[Alignment]) -> None:
    """Write both directions of each sample, and the tokens that they link."""
    sources, targets, forward, reverse = zip(*samples, strict=True)
    write_arrays(
        path,
        pack_segmentations([compact(source) for source in sources], "source/")
        | pack_segmentations([compact(target) for target in targets], "target/")
        | pack_links(forward, "forward/")
        | pack_links(reverse, "reverse/"),
    )


def read_alignments(path: str | Path) -> list[Alignment]:
    """Read what `write_alignments` wrote.

    Raises:
        InputError: the file is damaged.
    """
    arrays = read_arrays(path)
    sides = unpack_segmentations(arrays, "source/"), unpack_segmentations(arrays, "target/")
    directions = unpack_links(arrays, "forward/"), unpack_links(arrays, "reverse/")
    lengths = [[len(sample) for sample in part] for part in (*sides, *directions)]
    if not lengths[0] or any(other != lengths[0] for other in lengths):
        raise arrays.damaged("parts of unlike lengths")
    alignments = list(zip(*sides, *directions, strict=True))
    for source, target, *links in alignments:
        if not all(of_direction.lie_in(source, target) for of_direction in links):
            raise arrays.damaged("links lead out of the sentences")
    return alignments
