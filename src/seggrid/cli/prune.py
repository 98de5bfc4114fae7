"""`seggrid prune`: remove the merges of a BPE that a morphological reference blames."""

from __future__ import annotations

import argparse
from collections import Counter

from seggrid.cli.arguments import LARGEST_SEED, read_counted, whole_number
from seggrid.cli.outputs import check_outputs
from seggrid.errors import InputError
from seggrid.morphology.knockout import prune
from seggrid.morphology.references import read_reference
from seggrid.morphology.tokenizer import Tokenizer, write_tokenizer_files


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options: model, reference, variant, outputs."""
    parser.add_argument(
        "model", help="a model of seggrid learn, or a byte-level tokenizer.json or merges.txt"
    )
    parser.add_argument(
        "--vocabulary", metavar="FILE", help="vocab.json that belongs to merges.txt"
    )
    parser.add_argument(
        "--knockout", default="blame-0.5", help="the variant of pruning; see docs/knockout.md"
    )
    parser.add_argument("--morphemes", metavar="FILE", help="the reference")
    parser.add_argument("--format", choices=("surface", "celex"), default="surface")
    parser.add_argument(
        "--text", help="a text whose words are counted, for variants that need counts"
    )
    parser.add_argument(
        "--seed", type=whole_number(0, LARGEST_SEED), default=1, help="seed of random pruning"
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="the pruned model, in a format that seggrid reads"
    )
    parser.add_argument(
        "--folder",
        metavar="DIR",
        help="folder for tokenizer.json, merges.txt and vocab.json, in which types keep their ids; Hugging "
        "Face tokenizers loads them unless a merge has more than two parts (--knockout reify-0.5x1 leaves "
        "few)",
    )


def run(arguments: argparse.Namespace) -> None:
    """Prune and write."""
    if not (arguments.output or arguments.folder):
        raise InputError("no output is given", hint="give -o FILE, --folder DIR, or both")
    check_outputs(arguments, "model", "vocabulary", "morphemes", "text")
    tokenizer = Tokenizer.read(arguments.model, arguments.vocabulary)
    reference = (
        read_reference(arguments.morphemes, arguments.format) if arguments.morphemes else None
    )
    sentences = read_counted(arguments.text)
    words = Counter(word for sentence in sentences for word in sentence)
    pruned = prune(
        tokenizer.model, arguments.knockout, reference, frequencies=words, seed=arguments.seed
    )
    if arguments.output:
        Tokenizer(pruned).write(arguments.output)
    if arguments.folder:
        alphabet = {character for word in words for character in word}
        print(*write_tokenizer_files(pruned, tokenizer.model, arguments.folder, alphabet), sep="\n")
