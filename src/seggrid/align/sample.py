"""Files with what an aligner learned on the samples of a pair: models, and counts of links."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from seggrid.align import ALIGNERS
from seggrid.align.aligner import CountingAligner, Saves

MODELS = "aligner-"
"""The beginning of the names of model files, before the number of the sample."""


def write_aligners(folder: Path, name: str, models: Sequence[Any], first: int = 0) -> None:
    """Write the models of an aligner's samples, from number `first` on, into an existing folder."""
    aligner = ALIGNERS[name]
    if issubclass(aligner, Saves):
        for k, model in enumerate(models, first):
            if model is not None:
                aligner.write_model(model, folder / f"{MODELS}{k}{aligner.suffix}")


def read_aligners(folder: Path, name: str, samples: int) -> list[Any]:
    """Read the models of samples 0 to `samples` - 1, which `write_aligners` wrote; None for an aligner that
    learned none."""
    aligner = ALIGNERS[name]
    if not issubclass(aligner, Saves):
        return [None] * samples
    files = [folder / f"{MODELS}{k}{aligner.suffix}" for k in range(samples)]
    if aligner.encodes and not files[0].exists():
        return [None] * samples
    return [aligner.read_model(file) for file in files]


def _counts_files(folder: Path, samples: int) -> list[Path]:
    """The files with an aligner's counts for each sample, of one part of a text or summed over all parts."""
    return [folder / f"counts-{k}.npz" for k in range(samples)]


def _counting(name: str) -> type[CountingAligner]:
    aligner = ALIGNERS[name]
    assert issubclass(aligner, CountingAligner)
    return aligner


def write_sample_counts(folder: Path, name: str, models: Sequence[Any]) -> None:
    """Write the counts of each sample of a part into an existing folder."""
    for file, model in zip(_counts_files(folder, len(models)), models, strict=True):
        _counting(name).write_counts(model, file)


def sum_counts(parts: Sequence[Path], name: str, samples: int, folder: Path) -> None:
    """For each sample, add the counts in the folders of all parts, and write the sums into another folder."""
    of_samples = zip(*(_counts_files(part, samples) for part in parts), strict=True)
    for file, files in zip(_counts_files(folder, samples), of_samples, strict=True):
        _counting(name).sum_counts(files, file)


def others(every: Path, own: Path, name: str, samples: int) -> list[Any]:
    """For each sample, the model with which a part is aligned again: the counts of all other parts, from the
    folders of the sum of all parts and of this one."""
    files = zip(_counts_files(every, samples), _counts_files(own, samples), strict=True)
    return [_counting(name).others(*both) for both in files]
