"""One sample of a pair by any of the aligners: its links and, where they are wanted, what comes beside.

What an aligner learned on each of several samples lies in a folder, a file a sample.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from seggrid.align import ALIGNERS
from seggrid.data.links import Links
from seggrid.data.posteriors import Posteriors
from seggrid.data.segmentation import Segmentation


class AlignedSample(NamedTuple):
    """What an aligner makes of one sample.

    Attributes:
        links: forward and reverse, between tokens.
        posteriors: the probabilities of either direction's links; None if not asked for.
        model: what was learned, for `align_sample` of other text; None if it was not to be kept.
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
        name: the aligner's, in `seggrid.align.ALIGNERS`.
        source, target: segmentations of the same sentences.
        options, threads: as the aligner's `align` takes them.
        seed: for an aligner that takes one.
        probabilities: give those of the links as well; only of an aligner that has them.
        keep: keep what is learned; only of an aligner that can.
        model: what it learned on other text; likewise.
        axes: those of the cell that it reads.
    """
    entry = ALIGNERS[name]
    aligner: Any = entry.load()
    given = {"options": options, "threads": threads, **axes}
    given |= {"seed": seed} if entry.seeded else {}
    if probabilities:
        # An aligner that keeps no model knows no priors.
        given |= {"priors": model} if entry.keeps else {}
        links, posteriors = aligner.align_with_posteriors(source, target, **given)
        kept = aligner.keep(source, target, links, options) if keep else None
        return AlignedSample(links, posteriors, kept)
    if model is not None:
        return AlignedSample(aligner.align_with_model(model, source, target, **given))
    if keep:
        links, kept = aligner.align_and_keep(source, target, **given)
        return AlignedSample(links, None, kept)
    return AlignedSample(aligner.align(source, target, **given))


MODELS = "aligner-"
"""How the names of the files of models begin; the number of the sample follows."""


def write_aligners(folder: Path, name: str, models: Sequence[Any], first: int = 0) -> None:
    """Write what an aligner learned on each sample into a folder that is there.

    Args:
        folder: the folder.
        name: the aligner's.
        models: of each sample, as `align_sample` gives them.
        first: the number of the first sample.
    """
    aligner: Any = ALIGNERS[name].load()
    for k, model in enumerate(models, first):
        aligner.write_model(model, folder / f"{MODELS}{k}{aligner.MODEL_SUFFIX}")


def read_aligners(folder: Path, name: str, samples: int) -> list[Any]:
    """What `write_aligners` wrote of the first samples.

    Raises:
        InputError: a file is missing or damaged.
    """
    aligner: Any = ALIGNERS[name].load()
    files = (folder / f"{MODELS}{k}{aligner.MODEL_SUFFIX}" for k in range(samples))
    return [aligner.read_model(file) for file in files]
