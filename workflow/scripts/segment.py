"""Segment one side of a pair: all samples of one part, or once if nothing is sampled."""

from pathlib import Path
from typing import Literal

from seggrid.grid.jobs.script import timed
from seggrid.grid.jobs.side_inputs import SideInputs
from seggrid.grid.samples import Part, sample_seeds
from seggrid.segment.side_segmenter import segment_cased
from seggrid.text.segmentation import write_segmentations
from seggrid.text.sides import SIDES


def main(
    text: SideInputs,
    pair: str,
    side: Literal[*SIDES],
    part: Part,
    seed: int,
    output: Path,
    threads: int = 1,
) -> None:
    """Segment `text`."""
    sentences, model = text.sentences(), text.read_model()
    seeds = sample_seeds(seed, [pair, side, text.spec.seed_spec], part)
    with timed():
        samples = segment_cased(text.spec, model, sentences, seeds, threads)
    write_segmentations(output, samples)
