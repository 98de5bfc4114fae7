"""Align two segmentations of a pair, sample by sample, in both directions.

The aligner sees the whole corpus. Later stages need only the gold sentences; for these, forward and reverse
links, tokens and, if the aligner gives them, probabilities of links are kept. For exports, all sentences
are kept, in a folder, with the model if the aligner has one.
"""

import argparse
import json
from pathlib import Path

from seggrid.align import ALIGNERS, read_alignment
from seggrid.align.sample import align_sample, write_aligners
from seggrid.base.folders import fresh_folder
from seggrid.base.npz import read_arrays
from seggrid.corpus.gold import read_gold_lines
from seggrid.corpus.selection import gold_places
from seggrid.data.alignments import IN_FOLDER, meet, write_alignments
from seggrid.data.segmentation import unpack_segmentations
from seggrid.grid.samples import alignment_names, parse_part, sample_seeds
from seggrid.segment.side import parse_spec
from seggrid.workflow.jobs.script import run, timed


def main() -> None:
    """Parse the arguments, align, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", type=Path, required=True)
    parser.add_argument("--target", type=Path, required=True)
    parser.add_argument(
        "--gold-lines", type=Path, help="the sentences that are kept; by default, all are"
    )
    parser.add_argument("--aligner", required=True, help="with its axes, as in the path")
    parser.add_argument("--options", type=json.loads, default={}, help="the aligner's, as JSON")
    parser.add_argument("--pair", required=True)
    parser.add_argument("--source-spec", required=True, help="the segmentation, as in the path")
    parser.add_argument("--target-spec", required=True)
    parser.add_argument("--replicate", type=int, required=True)
    parser.add_argument("--part", required=True, help="range of samples, such as 0-4")
    parser.add_argument("--seed", type=int, required=True, help="for aligners that take one")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    aligner, axes = read_alignment(arguments.aligner)
    entry = ALIGNERS[aligner]
    options = entry.load_options().from_values(arguments.options)
    sources, targets = meet(
        unpack_segmentations(read_arrays(arguments.source)),
        unpack_segmentations(read_arrays(arguments.target)),
    )
    whole = arguments.gold_lines is None
    if not whole:
        kept_sentences = parse_spec(arguments.source_spec).sentences
        places = gold_places(read_gold_lines(arguments.gold_lines), kept_sentences)
    names = alignment_names(
        arguments.pair,
        arguments.source_spec,
        arguments.target_spec,
        arguments.aligner,
        arguments.replicate,
    )
    seeds = sample_seeds(arguments.seed, names, parse_part(arguments.part))
    keep = whole and entry.keeps
    samples, posteriors, models = [], [], []
    with timed():
        for source, target, seed in zip(sources, targets, seeds, strict=True):
            found = align_sample(
                aligner,
                source,
                target,
                options=options,
                threads=arguments.threads,
                seed=seed,
                probabilities=entry.posteriors,
                keep=keep,
                **axes,
            )
            parts = (source, target, *found.links)
            samples.append(parts if whole else tuple(part.take(places) for part in parts))
            if found.posteriors is not None:
                both = found.posteriors
                posteriors.append(both if whole else tuple(part.take(places) for part in both))
            models.append(found.model)
    if not whole:
        write_alignments(arguments.output, samples, posteriors)
        return
    with fresh_folder(arguments.output) as folder:
        write_alignments(folder / IN_FOLDER, samples, posteriors)
        if keep:
            first, _ = parse_part(arguments.part)
            write_aligners(folder, aligner, models, first)


if __name__ == "__main__":
    run(main)
