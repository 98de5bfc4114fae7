"""Encode the gold sentences of one segmented side: the vectors of the pieces of its tokens."""

import argparse
import json
from pathlib import Path

from seggrid.align.embeddings.encoded import write_encoded
from seggrid.align.embeddings.encoder import Encoder
from seggrid.align.embeddings_options import Options
from seggrid.base.npz import read_arrays
from seggrid.corpus.gold import read_gold_lines
from seggrid.corpus.selection import gold_places
from seggrid.data.segmentation import unpack_segmentations
from seggrid.segment.side import parse_spec
from seggrid.workflow.jobs.script import run, timed


def main() -> None:
    """Parse the arguments, encode, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--segmentation", type=Path, required=True)
    parser.add_argument("--gold-lines", type=Path, required=True)
    parser.add_argument("--spec", required=True, help="the segmentation, as in the path")
    parser.add_argument(
        "--options", type=json.loads, default={}, help="options of the aligner, as JSON"
    )
    parser.add_argument(
        "--layers", type=int, nargs="*", default=[], help="layers to keep; by default, all"
    )
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    options = Options.from_values(arguments.options)
    kept = parse_spec(arguments.spec).sentences
    places = gold_places(read_gold_lines(arguments.gold_lines), kept)
    samples = unpack_segmentations(read_arrays(arguments.segmentation))
    with timed():
        encoder = Encoder(options, arguments.layers, arguments.threads)
        encoded = encoder.encode([sample.take(places) for sample in samples])
    write_encoded(arguments.output, encoded)


if __name__ == "__main__":
    run(main)
