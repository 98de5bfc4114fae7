"""`seggrid prune`: a learned BPE without the merges that a morphological reference blames."""

from __future__ import annotations

import argparse
from collections import Counter

from seggrid.cli.arguments import LARGEST_SEED, read_sentences, whole_number
from seggrid.morphology.knockout import prune
from seggrid.morphology.references import read_reference
from seggrid.segment.bpe.model import read_model, write_model


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """A model, a reference, how it is pruned."""
    parser.add_argument("model", help="what seggrid learn wrote")
    parser.add_argument("--knockout", default="blame-0.5", help="how; see docs/knockout.md")
    parser.add_argument("--morphemes", metavar="FILE", help="the reference")
    parser.add_argument("--format", choices=("surface", "celex"), default="surface")
    parser.add_argument("--text", help="whose words are counted, for variants that weigh by them")
    parser.add_argument(
        "--seed", type=whole_number(0, LARGEST_SEED), default=1, help="of random pruning"
    )
    parser.add_argument("-o", "--output", metavar="FILE", required=True, help="the pruned model")


def run(arguments: argparse.Namespace) -> None:
    """Prune and write."""
    model = read_model(arguments.model)
    reference = (
        read_reference(arguments.morphemes, arguments.format) if arguments.morphemes else None
    )
    sentences = read_sentences(arguments.text) if arguments.text else []
    words = Counter(word for sentence in sentences for word in sentence)
    pruned = prune(model, arguments.knockout, reference, frequencies=words, seed=arguments.seed)
    write_model(pruned, arguments.output)
