"""Align one sample of a pair with any aligner, and read and write the models and counts of each sample."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from seggrid.align import ALIGNERS
from seggrid.data.links import Links
from seggrid.data.posteriors import Posteriors
from seggrid.data.segmentation import Segmentation


class AlignedSample(NamedTuple):
    """The alignment of one sample.

    Attributes:
        links: forward and reverse links between tokens.
        posteriors: probabilities of the links of each direction; None if not asked for.
        model: the learned model, with which `align_sample` can align other text; None unless `keep`.
    """

    links: tuple[Links, Links]
    posteriors: tuple[Posteriors, Posteriors] | None = None
    model: Any = None


def align_sample(
    name: str,
    source: Segmentation,
    target: Segmentation,
    *,
    options: Any,
    threads: int,
    seed: int,
    probabilities: bool = False,
    keep: bool = False,
    model: Any = None,
    **axes: Any,
) -> AlignedSample:
    """Align one sample.

    Args:
        name: name of the aligner, in `seggrid.align.ALIGNERS`.
        source, target: segmentations of the same sentences.
        options, threads: as for the aligner's `align`.
        seed: random seed; ignored if the aligner takes none.
        probabilities: whether to return probabilities of links; only for an aligner that has them.
        keep: whether to return the learned model; only for an aligner that can keep it.
        model: a model that was learned on other text; only for an aligner that can keep one.
        axes: values of the cell's axes that the aligner reads.
    """
    entry = ALIGNERS[name]
    aligner: Any = entry.load()
    given = {"options": options, "threads": threads, **axes}
    given |= {"seed": seed} if entry.seeded else {}
    if probabilities:
        # Only aligners that keep a model have the arguments `priors` and `keep`.
        given |= {"priors": model, "keep": keep} if entry.keeps else {}
        return AlignedSample(*aligner.align_with_posteriors(source, target, **given))
    if model is not None:
        return AlignedSample(aligner.align_with_model(model, source, target, **given))
    if keep:
        links, kept = aligner.align_and_keep(source, target, **given)
        return AlignedSample(links, None, kept)
    return AlignedSample(aligner.align(source, target, **given))


MODELS = "aligner-"
"""The beginning of the names of model files, before the number of the sample."""


def write_aligners(folder: Path, name: str, models: Sequence[Any], first: int = 0) -> None:
    """Write the models that an aligner learned on several samples into an existing folder.

    Args:
        folder: the folder.
        name: name of the aligner.
        models: the model of each sample, from `align_sample`.
        first: number of the first sample.
    """
    aligner: Any = ALIGNERS[name].load()
    for k, model in enumerate(models if ALIGNERS[name].keeps else (), first):
        aligner.write_model(model, folder / f"{MODELS}{k}{aligner.MODEL_SUFFIX}")


def read_aligners(folder: Path, name: str, samples: int) -> list[Any]:
    """Read the models of samples 0 to `samples` - 1, which `write_aligners` wrote."""
    if not ALIGNERS[name].keeps:
        return [None] * samples
    aligner: Any = ALIGNERS[name].load()
    files = (folder / f"{MODELS}{k}{aligner.MODEL_SUFFIX}" for k in range(samples))
    return [aligner.read_model(file) for file in files]


def counts_files(folder: Path, samples: int) -> list[Path]:
    """The files with an aligner's counts for each sample, of one part of a text or summed over all parts."""
    return [folder / f"counts-{k}.npz" for k in range(samples)]


def write_counts(folder: Path, name: str, models: Sequence[Any]) -> None:
    """Write the counts of each sample of a part into an existing folder; only for an aligner that
    `shares`."""
    aligner: Any = ALIGNERS[name].load()
    for file, model in zip(counts_files(folder, len(models)), models, strict=True):
        aligner.write_counts(model, file)


def sum_counts(parts: Sequence[Path], name: str, samples: int, folder: Path) -> None:
    """For each sample, add the counts that `write_counts` wrote for each part, and write the sums.

    Args:
        parts: folders of the parts.
        name: name of the aligner.
        samples: number of samples.
        folder: an existing folder for the sums.
    """
    aligner: Any = ALIGNERS[name].load()
    of_samples = zip(*(counts_files(part, samples) for part in parts), strict=True)
    for file, files in zip(counts_files(folder, samples), of_samples, strict=True):
        aligner.sum_counts(files, file)


def others(every: Path, own: Path, name: str, samples: int) -> list[Any]:
    """For each sample, the model with which a part is aligned again: the counts of all other parts.

    Args:
        every: folder of the sum of all parts.
        own: folder of this part.
        name: name of the aligner.
        samples: number of samples.
    """
    aligner: Any = ALIGNERS[name].load()
    files = zip(counts_files(every, samples), counts_files(own, samples), strict=True)
    return [aligner.Others(*both) for both in files]
