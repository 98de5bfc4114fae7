"""Measure one side's segmentation; of several samples, the first."""

import argparse
from pathlib import Path

from seggrid.corpus.text import read_text
from seggrid.data.npz import read_arrays
from seggrid.data.segmentation import unpack_segmentations
from seggrid.segment import SEGMENTERS
from seggrid.segment.measures import measure, vocabulary_size, write_measures
from seggrid.segment.side import parse_spec
from seggrid.workflow.script import run, timed


def main() -> None:
    """Parse the arguments, measure, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--model", type=Path, help="where the segmenter learns one")
    parser.add_argument("--spec", required=True, help="the segmentation, as in the output's path")
    parser.add_argument("--segmentation", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    side = parse_spec(arguments.spec)
    segmenter = SEGMENTERS[side.segmenter].load()
    model = segmenter.read_model(arguments.model) if arguments.model else None
    sentences, _ = read_text(arguments.corpus, "lines")
    segmentation = unpack_segmentations(read_arrays(arguments.segmentation))[0]
    with timed():
        size = None
        if model is not None:
            types = segmenter.types(model, side)
            size = vocabulary_size(sentences, types, side.spaces is not False)
        measures = measure(segmentation, sentences, size)
        if model is not None and not side.pruned:
            measures["merges"] = min(side.merges, segmenter.learned(model))
    write_measures(arguments.output, measures)


if __name__ == "__main__":
    run(main)
