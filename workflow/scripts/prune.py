"""Prune a learned model by a morphological reference (BPE-knockout), and compute the weights of its merges in
dropout."""

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Literal

from seggrid.grid.jobs.script import timed
from seggrid.grid.samples import ONE, sample_seeds
from seggrid.morphology.knockout import dropout_weights, prune_model
from seggrid.morphology.references import read_reference
from seggrid.morphology.respelling import as_in_text
from seggrid.segment.bpe.apply import apply
from seggrid.segment.bpe.model import BPEModel
from seggrid.segment.side import Side
from seggrid.segment.side_segmenter import learned_text
from seggrid.segment.variants import parse_knockout
from seggrid.text.sides import SIDES
from seggrid.text.text_files import read_text


def main(
    model: Path,
    corpus: Path,
    spec: Side,
    pair: str,
    side: Literal[*SIDES],
    seed: int,
    output: Path,
    morphemes: Path | None = None,
    format: Literal["surface", "celex"] | None = "surface",
) -> None:
    """Prune a learned model; the words of the corpus are counted, and some variants need morphemes."""
    variant = parse_knockout(spec.knockout)
    learned = BPEModel.read(model).prefix(spec.merges)
    reference = read_reference(morphemes, format) if morphemes else None
    sentences, _ = read_text(corpus, "lines")
    words = Counter(word for sentence in sentences for word in sentence)
    if reference is not None:
        reference = as_in_text(reference, words.keys(), spec.case)
    visible = learned_text(spec, sentences)
    types = None
    if variant.needs_counts:
        segmented = apply(learned, visible)
        types = Counter(segmented.types[i] for i in segmented.ids)
    (drawn,) = sample_seeds(seed, [pair, side, spec.spec("prune")], ONE)
    with timed():
        pruned = prune_model(
            learned, variant, reference, frequencies=words, counts=types, seed=drawn
        )
        if spec.weighted:
            weights = dropout_weights(pruned, spec.dropout_weight, visible, reference)
            pruned = replace(pruned, weights=weights)
    pruned.write(output)
