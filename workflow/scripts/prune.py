"""Prune a learned model by a morphological reference (BPE-knockout), and compute the weights of its merges in
dropout."""

import argparse
from collections import Counter
from dataclasses import replace
from pathlib import Path

from seggrid.corpus.text import read_text
from seggrid.data.sides import SIDES
from seggrid.grid.samples import sample_seeds
from seggrid.morphology.blame import dropout_weights
from seggrid.morphology.knockout import prune
from seggrid.morphology.references import as_in_text, read_reference
from seggrid.segment.bpe.apply import apply
from seggrid.segment.bpe.model import read_model, write_model
from seggrid.segment.pruning import parse_knockout
from seggrid.segment.side import parse_spec
from seggrid.segment.side_segmenter import SideSegmenter
from seggrid.workflow.jobs.script import run, timed


def main() -> None:
    """Parse the arguments, prune, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--corpus", type=Path, required=True, help="text whose words are counted")
    parser.add_argument("--morphemes", type=Path, help="the reference, if the variant needs one")
    parser.add_argument("--format", choices=["surface", "celex"], default="surface")
    parser.add_argument("--pair", required=True)
    parser.add_argument("--side", choices=SIDES, required=True)
    parser.add_argument("--spec", required=True, help="the side, as in the output's path")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    side = parse_spec(arguments.spec)
    variant = parse_knockout(side.knockout)
    model = read_model(arguments.model).prefix(side.merges)
    reference = (
        read_reference(arguments.morphemes, arguments.format) if arguments.morphemes else None
    )
    sentences, _ = read_text(arguments.corpus, "lines")
    words = Counter(word for sentence in sentences for word in sentence)
    if reference is not None:
        reference = as_in_text(reference, words.keys(), side.case)
    visible = SideSegmenter(side).learned_text(sentences)
    types = None
    if variant.method == "trim":
        segmented = apply(model, visible)
        types = Counter(segmented.types[i] for i in segmented.ids)
    (seed,) = sample_seeds(arguments.seed, [arguments.pair, arguments.side, arguments.spec], (0, 0))
    with timed():
        pruned = prune(model, variant, reference, frequencies=words, counts=types, seed=seed)
        if side.weighted:
            weights = dropout_weights(pruned, side.dropout_weight, visible, reference)
            pruned = replace(pruned, weights=weights)
    write_model(pruned, arguments.output)


if __name__ == "__main__":
    run(main)
