"""Align two segmentations of a pair, sample by sample, in both directions.

The aligner sees the whole corpus; what is kept is what later stages need, the gold sentences: their
forward and reverse links, their tokens, and, if asked for, how probable links are.
"""

import argparse
import json
from pathlib import Path

from seggrid.align import ALIGNERS
from seggrid.corpus.gold import read_gold
from seggrid.corpus.selection import gold_places
from seggrid.data.alignments import meet, write_alignments
from seggrid.data.npz import read_arrays
from seggrid.data.segmentation import unpack_segmentations
from seggrid.grid.samples import alignment_names, parse_part, sample_seeds
from seggrid.segment.side import parse_spec
from seggrid.workflow.script import run, timed


def main() -> None:
    """Parse the arguments, align, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", type=Path, required=True)
    parser.add_argument("--target", type=Path, required=True)
    parser.add_argument("--gold", type=Path, required=True)
    parser.add_argument("--aligner", choices=list(ALIGNERS), required=True)
    parser.add_argument("--options", type=json.loads, default={}, help="the aligner's, as JSON")
    parser.add_argument("--pair", required=True)
    parser.add_argument("--source-spec", required=True, help="the segmentation, as in the path")
    parser.add_argument("--target-spec", required=True)
    parser.add_argument("--replicate", type=int, required=True)
    parser.add_argument("--part", required=True, help="which samples, such as 0-4")
    parser.add_argument("--seed", type=int, required=True, help="for aligners that take one")
    parser.add_argument("--posteriors", action="store_true", help="keep probabilities of links")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    entry = ALIGNERS[arguments.aligner]
    aligner = entry.load()
    options = aligner.Options.from_values(arguments.options)
    sources, targets = meet(
        unpack_segmentations(read_arrays(arguments.source)),
        unpack_segmentations(read_arrays(arguments.target)),
    )
    kept_sentences = parse_spec(arguments.source_spec).sentences
    places = gold_places(read_gold(arguments.gold).sentences, kept_sentences)
    names = alignment_names(
        arguments.pair,
        arguments.source_spec,
        arguments.target_spec,
        arguments.aligner,
        arguments.replicate,
    )
    seeds = sample_seeds(arguments.seed, names, parse_part(arguments.part))
    align = aligner.align_with_posteriors if arguments.posteriors else aligner.align
    samples, posteriors = [], []
    with timed():
        for source, target, seed in zip(sources, targets, seeds, strict=True):
            drawn = {"seed": seed} if entry.seeded else {}
            links = align(source, target, options=options, threads=arguments.threads, **drawn)
            if arguments.posteriors:
                links, probable = links
                posteriors.append(tuple(part.take(places) for part in probable))
            samples.append(tuple(part.take(places) for part in (source, target, *links)))
    write_alignments(arguments.output, samples, posteriors)


if __name__ == "__main__":
    run(main)
