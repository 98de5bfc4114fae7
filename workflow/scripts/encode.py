"""Encode the gold sentences of one segmented side: the vectors of the pieces of its tokens."""

from pathlib import Path

from seggrid.align.embeddings.encoded import write_encoded
from seggrid.align.embeddings.encoder import Encoder
from seggrid.align.embeddings.options import Options
from seggrid.base.arrays import read_arrays
from seggrid.grid.jobs.script import timed
from seggrid.segment.side import Side
from seggrid.text.gold import read_gold_lines
from seggrid.text.segmentation import unpack_segmentations
from seggrid.text.selection import gold_places


def main(
    segmentation: Path,
    gold_lines: Path,
    spec: Side,
    options: dict,
    layers: list[int],
    output: Path,
    threads: int = 1,
) -> None:
    """Encode a segmentation; `layers` are kept, all if there are none, and `options` are the aligner's."""
    places = gold_places(read_gold_lines(gold_lines), spec.sentences)
    samples = unpack_segmentations(read_arrays(segmentation))
    with timed():
        encoder = Encoder(Options.from_values(options), layers, threads)
        encoded = encoder.encode([sample.take(places) for sample in samples])
    write_encoded(output, encoded)
