"""Segmentations on disk: several samples of one corpus in one file."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seggrid.arrays import Segmentation


def pack(samples: Sequence[Segmentation], prefix: str = "") -> dict[str, NDArray]:
    """Samples as named arrays; token types as UTF-8 text, one a line."""
    arrays = {}
    for k, sample in enumerate(samples):
        name = f"{prefix}{k}/"
        arrays[name + "types"] = np.frombuffer("\n".join(sample.types).encode(), dtype=np.uint8)
        for field in ("ids", "offsets", "first", "last"):
            arrays[name + field] = getattr(sample, field)
    return arrays


def unpack(arrays: dict[str, NDArray], prefix: str = "") -> list[Segmentation]:
    """The samples that `pack` packed under that prefix, in their order."""
    samples = []
    while (name := f"{prefix}{len(samples)}/") + "types" in arrays:
        samples.append(
            Segmentation(
                arrays[name + "types"].tobytes().decode().split("\n"),
                *(arrays[name + field] for field in ("ids", "offsets", "first", "last")),
            )
        )
    return samples


def compact(sample: Segmentation) -> Segmentation:
    """The same segmentation with only the types that it uses, in their order."""
    used, ids = np.unique(sample.ids, return_inverse=True)
    types = [sample.types[i] for i in used]
    return Segmentation(types, ids.astype(np.int32), sample.offsets, sample.first, sample.last)


def save_segmentations(path: Path | str, samples: Sequence[Segmentation]) -> None:
    """Write samples uncompressed: the file lives only until the alignments are made."""
    from seggrid.files import atomic_write

    with atomic_write(path, "wb") as file:
        np.savez(file, allow_pickle=False, **pack(samples))
