"""Segment one side of a pair: all samples of one part, or once if nothing is sampled."""

import argparse
from pathlib import Path

from seggrid.data.segmentation import write_segmentations
from seggrid.data.sides import SIDES
from seggrid.grid.samples import parse_part, sample_seeds
from seggrid.segment.side_segmenter import SideSegmenter
from seggrid.workflow.jobs.script import run, timed
from seggrid.workflow.jobs.side_arguments import (
    add_side_arguments,
    add_tags_argument,
    read_side,
    read_tagged,
)


def main() -> None:
    """Parse the arguments, segment, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_side_arguments(parser)
    add_tags_argument(parser)
    parser.add_argument("--pair", required=True)
    parser.add_argument("--side", choices=SIDES, required=True)
    parser.add_argument("--part", required=True, help="range of samples, such as 0-4")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    side, _, model, sentences = read_side(arguments)
    names = [arguments.pair, arguments.side, side.seed_spec]
    seeds = sample_seeds(arguments.seed, names, parse_part(arguments.part))
    tagged = read_tagged(arguments, sentences)
    with timed():
        samples = SideSegmenter(side).segment(model, sentences, seeds, arguments.threads, **tagged)
    write_segmentations(arguments.output, samples)


if __name__ == "__main__":
    run(main)
