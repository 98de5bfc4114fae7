"""Align two segmentations of a pair, sample by sample, by an encoder that is tuned on them, for the gold
sentences."""

import sys
from functools import partial
from pathlib import Path

from seggrid.align import read_alignment
from seggrid.align.embeddings import Embeddings, Options
from seggrid.base.arrays import read_arrays
from seggrid.corpus.gold import read_gold_lines
from seggrid.corpus.selection import gold_places
from seggrid.data.links import meet, write_alignments
from seggrid.data.segmentation import unpack_segmentations
from seggrid.grid.samples import Part, alignment_names, sample_seeds
from seggrid.language_model.tuning import tune
from seggrid.segment.side import Side
from seggrid.workflow.jobs.script import timed


def main(
    source: Path,
    target: Path,
    aligner: str,
    pair: str,
    source_spec: Side,
    target_spec: Side,
    replicate: int,
    part: Part,
    seed: int,
    output: Path,
    options: dict,
    gold_lines: Path,
    threads: int = 1,
) -> None:
    """Tune and align, as the script align does; a killed tuning goes on from the folder OUTPUT.tuning."""
    own_aligner = Embeddings(Options.from_values(options), **read_alignment(aligner)[1])
    sources, targets = meet(
        unpack_segmentations(read_arrays(source)), unpack_segmentations(read_arrays(target))
    )
    places = gold_places(read_gold_lines(gold_lines), source_spec.sentences)
    names = alignment_names(pair, str(source_spec), str(target_spec), aligner, replicate)
    state, progress = Path(f"{output}.tuning"), partial(print, file=sys.stderr, flush=True)
    samples, posteriors = [], []
    with timed():
        for own, other, drawn in zip(
            sources, targets, sample_seeds(seed, names, part), strict=True
        ):
            how = {"seed": drawn, "threads": threads, "state": state, "progress": progress}
            model = tune(own_aligner, own, other, **how)
            kept = own.take(places), other.take(places)
            found = own_aligner.align_sample(*kept, threads=threads, model=model)
            samples.append((*kept, *found.links))
            posteriors.append(found.posteriors)
    write_alignments(output, samples, posteriors)
