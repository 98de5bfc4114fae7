"""Align two segmentations of a pair, sample by sample, in both directions.

The aligner sees the whole corpus; what is kept is what later stages need, the gold sentences: their
forward and reverse links, and their tokens.
"""

import argparse
import json
from pathlib import Path

from seggrid.align import ALIGNERS
from seggrid.align.store import save_alignments
from seggrid.arrays import load_arrays
from seggrid.corpus.gold import load_gold
from seggrid.script import run, timed
from seggrid.segment.store import unpack


def main() -> None:
    """Parse the arguments, align, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", type=Path, required=True)
    parser.add_argument("--target", type=Path, required=True)
    parser.add_argument("--gold", type=Path, required=True)
    parser.add_argument("--aligner", choices=list(ALIGNERS), required=True)
    parser.add_argument("--options", type=json.loads, default={}, help="the aligner's, as JSON")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    aligner = ALIGNERS[arguments.aligner].load()
    options = aligner.Options(**arguments.options)
    sources = unpack(load_arrays(arguments.source))
    targets = unpack(load_arrays(arguments.target))
    # A side without dropout has one segmentation, which meets every sample of the other.
    n = max(len(sources), len(targets))
    sources = sources * n if len(sources) == 1 else sources
    targets = targets * n if len(targets) == 1 else targets
    gold = load_gold(arguments.gold)
    samples = []
    with timed():
        for source, target in zip(sources, targets, strict=True):
            forward, reverse = aligner.align(
                source, target, options=options, threads=arguments.threads
            )
            kept = [part.take(gold.sentences) for part in (source, target, forward, reverse)]
            samples.append(tuple(kept))
    save_alignments(arguments.output, samples)


if __name__ == "__main__":
    run(main)
