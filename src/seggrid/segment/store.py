"""Segmentations on disk: several samples of one corpus in one file."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seggrid.arrays import Segmentation, narrow, offsets_of, save_arrays


def pack(samples: Sequence[Segmentation], prefix: str = "") -> dict[str, NDArray]:
    """Samples as named arrays of small numbers; token types as UTF-8 text, one a line.

    `steps` is how far each token's first word lies from that of the token before, `widths` how far
    its last word lies from its first.
    """
    arrays = {}
    for k, sample in enumerate(samples):
        name = f"{prefix}{k}/"
        arrays[name + "types"] = np.frombuffer("\n".join(sample.types).encode(), dtype=np.uint8)
        arrays[name + "ids"] = narrow(sample.ids)
        arrays[name + "lengths"] = narrow(sample.lengths)
        arrays[name + "steps"] = narrow(np.diff(sample.first, prepend=0))
        arrays[name + "widths"] = narrow(sample.last - sample.first)
    return arrays


def unpack(arrays: dict[str, NDArray], prefix: str = "") -> list[Segmentation]:
    """The samples that `pack` packed under that prefix, in their order."""
    samples = []
    while (name := f"{prefix}{len(samples)}/") + "types" in arrays:
        first = np.cumsum(arrays[name + "steps"], dtype=np.int32)
        samples.append(
            Segmentation(
                arrays[name + "types"].tobytes().decode().split("\n"),
                arrays[name + "ids"].astype(np.int32),
                offsets_of(arrays[name + "lengths"]),
                first,
                first + arrays[name + "widths"].astype(np.int32),
            )
        )
    return samples


def compact(sample: Segmentation) -> Segmentation:
    """The same segmentation with only the types that it uses, in their order."""
    used, ids = np.unique(sample.ids, return_inverse=True)
    types = [sample.types[i] for i in used]
    return Segmentation(types, ids.astype(np.int32), sample.offsets, sample.first, sample.last)


def save_segmentations(path: Path | str, samples: Sequence[Segmentation]) -> None:
    """Write all samples."""
    save_arrays(path, pack(samples))
