"""Measure one side's segmentation, or the first of several samples."""

import argparse
from pathlib import Path

from seggrid.data.segmentation import read_first
from seggrid.segment.measures import (
    segmentation_digest,
    words_without_tokens,
    write_measures,
)
from seggrid.segment.side_segmenter import SideSegmenter
from seggrid.workflow.jobs.script import run, timed
from seggrid.workflow.jobs.side_arguments import (
    add_learned_from_argument,
    add_side_arguments,
    read_learned_from,
    read_side,
)


def main() -> None:
    """Parse the arguments, measure, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_side_arguments(parser)
    parser.add_argument("--segmentation", type=Path, required=True)
    add_learned_from_argument(parser)
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    side, _, model, sentences = read_side(arguments)
    segmentation = read_first(arguments.segmentation)
    with timed():
        text = read_learned_from(arguments, sentences)
        segmented = SideSegmenter(side)
        measures = segmented.measures(model, segmentation, sentences, text)
        if bare := words_without_tokens(segmentation, sentences):
            measures["words_without_tokens"] = bare
        measures |= segmented.model_size(model, text)
        digest = segmentation_digest(segmentation, side, measures)
    write_measures(arguments.output, measures, digest)


if __name__ == "__main__":
    run(main)
