"""Links on disk: several samples of the same sentences in one file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from seggrid.arrays import (
    Links,
    Segmentation,
    load_arrays,
    pack_links,
    save_arrays,
    unpack_links,
)
from seggrid.segment.store import compact, pack, unpack

Alignment = tuple[Segmentation, Segmentation, Links, Links]
"""Source, target, forward links, reverse links, all of the same sentences."""


def save_alignments(path: str | Path, samples: Sequence[Alignment]) -> None:
    """Write both directions of each sample, and the tokens that they link."""
    sources, targets, forward, reverse = zip(*samples, strict=True)
    save_arrays(
        path,
        pack([compact(source) for source in sources], "source/")
        | pack([compact(target) for target in targets], "target/")
        | pack_links(forward, "forward/")
        | pack_links(reverse, "reverse/"),
    )


def load_alignments(path: str | Path) -> list[Alignment]:
    """Read what `save_alignments` wrote."""
    arrays = load_arrays(path)
    sides = unpack(arrays, "source/"), unpack(arrays, "target/")
    directions = unpack_links(arrays, "forward/"), unpack_links(arrays, "reverse/")
    return list(zip(*sides, *directions, strict=True))
