"""Align two segmentations of a pair, sample by sample, in both directions, and keep the gold sentences.

The aligner sees the whole corpus. Later stages need only the gold sentences; for these, forward and reverse
links, tokens and, if the aligner gives them, probabilities of links are kept. Without their numbers, all
sentences are kept, in a folder, with the model if the aligner has one. An aligner that is tuned is first
trained on the whole corpus; if that is killed, it goes on from the folder OUTPUT.tuning.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seggrid.align import ALIGNERS, gives_probabilities, read_alignment
from seggrid.align.aligner import Keeps
from seggrid.align.sample import write_aligners
from seggrid.base.arrays import read_arrays
from seggrid.base.folders import fresh_folder
from seggrid.grid.jobs.script import timed
from seggrid.grid.samples import Part, alignment_names, sample_seeds
from seggrid.segment.side import Side
from seggrid.text.gold import read_gold_lines
from seggrid.text.links import IN_FOLDER, meet, write_alignments
from seggrid.text.segmentation import unpack_segmentations
from seggrid.text.selection import gold_places


@dataclass(frozen=True)
class Alignment:
    """An alignment of the grid."""

    pair: str
    source_spec: Side
    target_spec: Side
    aligner: str
    replicate: int

    def names(self) -> Sequence[str]:
        """The names on which its seeds depend."""
        sides = str(self.source_spec), str(self.target_spec)
        return alignment_names(self.pair, *sides, self.aligner, self.replicate)


def main(
    source: Path,
    target: Path,
    alignment: Alignment,
    part: Part,
    seed: int,
    output: Path,
    options: dict = {},
    gold_lines: Path | None = None,
    threads: int = 1,
) -> None:
    """Align two segmentations; without `gold_lines`, write a folder with the links of all sentences."""
    name, axes = read_alignment(alignment.aligner)
    entry = ALIGNERS[name]
    own_aligner = entry(entry.settings.from_values(options), **axes)
    sources, targets = meet(
        unpack_segmentations(read_arrays(source)), unpack_segmentations(read_arrays(target))
    )
    places = None
    if gold_lines is not None:
        places = gold_places(read_gold_lines(gold_lines), alignment.source_spec.sentences)
    keep = gold_lines is None and issubclass(entry, Keeps)
    asked = {"threads": threads, "probabilities": gives_probabilities(name), "keep": keep}
    samples, posteriors, models = [], [], []
    # By name, since a change of it concerns only the rule `tune`.
    tuning = import_module("seggrid.score.tuning") if own_aligner.tuned else None
    tell = partial(print, file=sys.stderr, flush=True)
    with timed():
        for own, other, drawn in zip(
            sources, targets, sample_seeds(seed, alignment.names(), part), strict=True
        ):
            chosen = places
            if tuning:
                how = {"seed": drawn, "threads": threads, "state": Path(f"{output}.tuning")}
                asked["model"] = tuning.tune(own_aligner, own, other, progress=tell, **how)
                # Then each sentence pair is aligned by itself.
                own, other, chosen = own.take(places), other.take(places), None
            found = own_aligner.align_sample(own, other, seed=drawn, **asked)
            samples.append(_of_gold((own, other, *found.links), chosen))
            if found.posteriors is not None:
                posteriors.append(_of_gold(found.posteriors, chosen))
            models.append(found.model)
    if gold_lines is not None:
        write_alignments(output, samples, posteriors)
        return
    with fresh_folder(output) as folder:
        write_alignments(folder / IN_FOLDER, samples, posteriors)
        if keep:
            write_aligners(folder, name, models, part.first)


def _of_gold(parts: tuple, places: NDArray[np.integer] | None) -> tuple:
    """What each of some arrays has for the gold sentences; None stands for all sentences."""
    return parts if places is None else tuple(part.take(places) for part in parts)
