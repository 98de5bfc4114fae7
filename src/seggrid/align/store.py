"""Links on disk: several samples of the same sentences in one file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seggrid.arrays import Links, Segmentation, load_arrays, narrow, offsets_of, save_arrays
from seggrid.segment.store import compact, pack, unpack

Alignment = tuple[Segmentation, Segmentation, Links, Links]
"""Source, target, forward links, reverse links, all of the same sentences."""


def pack_links(samples: Sequence[Links], prefix: str = "") -> dict[str, NDArray]:
    """Sets of links as named arrays of small numbers."""
    arrays = {}
    for k, links in enumerate(samples):
        arrays[f"{prefix}{k}/lengths"] = narrow(np.diff(links.offsets))
        arrays[f"{prefix}{k}/pairs"] = narrow(links.pairs)
    return arrays


def unpack_links(arrays: dict[str, NDArray], prefix: str = "") -> list[Links]:
    """The sets of links that `pack_links` packed under that prefix, in their order."""
    samples: list[Links] = []
    while (name := f"{prefix}{len(samples)}/") + "pairs" in arrays:
        pairs = arrays[name + "pairs"].astype(np.int32)
        samples.append(Links(offsets_of(arrays[name + "lengths"]), pairs))
    return samples


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
