"""Arguments of the scripts that prune or evaluate a tokenizer by a morphological reference."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from seggrid.corpus.text import read_text
from seggrid.errors import InputError
from seggrid.morphology.frequencies import (
    CODES,
    read_frequencies,
    respelled_counts,
    wordfreq_counts,
)
from seggrid.morphology.references import Reference, as_in_text, read_reference
from seggrid.morphology.tokenizer import Tokenizer
from seggrid.segment.bpe.model import read_model


def add_reference_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of a reference and of its frequencies."""
    parser.add_argument("--reference", type=Path, required=True)
    parser.add_argument("--format", choices=["surface", "celex"], required=True)
    parser.add_argument("--frequencies", type=Path, help="`word<TAB>count` lines")
    parser.add_argument(
        "--wordfreq", choices=list(CODES), help="or the language of frequencies from wordfreq"
    )


def add_tokenizer_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of a reference with its frequencies, and of a tokenizer, or a model with its text."""
    add_reference_arguments(parser)
    model = parser.add_mutually_exclusive_group(required=True)
    model.add_argument("--model", type=Path, help="a model that was learned by seggrid")
    model.add_argument("--tokenizer", type=Path, help="merges.txt or tokenizer.json")
    parser.add_argument("--vocabulary", type=Path, help="vocab.json that belongs to merges.txt")
    parser.add_argument("--merges", type=int, help="number of merges of a learned model to use")
    parser.add_argument(
        "--corpus", type=Path, help="text of the model, in which `trim` counts types"
    )
    parser.add_argument("--case", default="keep", help="case of that text")


class Evaluated(NamedTuple):
    """A tokenizer to evaluate, and what it is evaluated against.

    Attributes:
        tokenizer: the tokenizer, without dropout.
        reference: the reference, respelled as in the text.
        frequencies: frequencies of the reference's words; None if not given.
        words: occurrences of the words of the text; None without a text.
    """

    tokenizer: Tokenizer
    reference: Reference
    frequencies: dict[str, int] | None
    words: Counter[str] | None


def read_evaluated(arguments: argparse.Namespace) -> Evaluated:
    """Read the tokenizer, the text, the reference and the frequencies of its words."""
    tokenizer, words = read_tokenizer(arguments), None
    if arguments.corpus:
        sentences, _ = read_text(arguments.corpus, "lines")
        words = Counter(word for sentence in sentences for word in sentence)
    reference = read_reference_arguments(arguments, words, arguments.case)
    return Evaluated(tokenizer, *reference, words)


def read_reference_arguments(
    arguments: argparse.Namespace, words: Collection[str] | None, case: str
) -> tuple[Reference, dict[str, int] | None]:
    """The reference and the frequencies of its words. If there is a text, the reference is respelled like its
    words, in its case."""
    written = reference = read_reference(arguments.reference, arguments.format)
    if words is not None:
        reference = as_in_text(reference, words, case)
    frequencies = None
    if arguments.frequencies:
        frequencies = read_frequencies(arguments.frequencies)
        frequencies = respelled_counts(frequencies, written.words, reference.words)
    if arguments.wordfreq:
        frequencies = wordfreq_counts(reference.words, arguments.wordfreq)
    return reference, frequencies


def read_tokenizer(arguments: argparse.Namespace) -> Tokenizer:
    """Read the tokenizer to evaluate, and set its rate of dropout to 0."""
    if arguments.model:
        return Tokenizer(read_model(arguments.model).prefix(arguments.merges))
    tokenizer = Tokenizer.read(arguments.tokenizer, arguments.vocabulary)
    if tokenizer.model.dropout:
        print(
            f"{arguments.tokenizer} sets a dropout of {tokenizer.model.dropout:g}, which is for "
            "training: it is not applied (morphology.NAME.dropout evaluates with dropout)",
            file=sys.stderr,
        )
    return Tokenizer(replace(tokenizer.model, dropout=0.0))


def count_types(evaluated: Evaluated) -> Counter[str]:
    """Occurrences of each type in the text or, without a text, in words weighted by their frequencies.

    Raises:
        InputError: there is neither text nor frequencies. A reference has each lemma only once, so nearly all
            types would seem rare.
    """
    occurrences = evaluated.frequencies if evaluated.words is None else evaluated.words
    if occurrences is None:
        raise InputError(
            "trim counts types in a text, and there is neither a text nor frequencies of words",
            hint="give frequencies of the reference's words",
        )
    return evaluated.tokenizer.count(occurrences)
