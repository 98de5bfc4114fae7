"""Arguments of the scripts that prune or evaluate a tokenizer by a morphological reference."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

from seggrid.corpus.text import read_text
from seggrid.data.segmentation import Sentences
from seggrid.morphology.frequencies import CODES, wordfreq_counts
from seggrid.morphology.references import Reference, read_frequencies, read_reference
from seggrid.morphology.respelling import as_in_text, respelled_counts
from seggrid.morphology.tokenizer import Tokenizer
from seggrid.segment.bpe.model import read_model


def add_reference_arguments(parser: argparse.ArgumentParser) -> None:
    """A reference with its frequencies."""
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


def read_evaluated(
    arguments: argparse.Namespace,
) -> tuple[Tokenizer, Reference, dict[str, int] | None]:
    """Read the tokenizer, the reference, respelled as in the text, and the frequencies of its words."""
    tokenizer = read_tokenizer(arguments)
    sentences = read_text(arguments.corpus, "lines")[0] if arguments.corpus else None
    return tokenizer, *read_reference_arguments(arguments, sentences, arguments.case)


def read_reference_arguments(
    arguments: argparse.Namespace, sentences: Sentences | None, case: str
) -> tuple[Reference, dict[str, int] | None]:
    """The reference as a text of some case spells it, if there is one, and its frequencies."""
    written = reference = read_reference(arguments.reference, arguments.format)
    if sentences is not None:
        words = {word for sentence in sentences for word in sentence}
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


def text_words(corpus: Path | None) -> list[str]:
    """The distinct words of a text, in the order of their first occurrence; none without a text."""
    if corpus is None:
        return []
    sentences, _ = read_text(corpus, "lines")
    return list(dict.fromkeys(word for sentence in sentences for word in sentence))


def count_types(tokenizer: Tokenizer, corpus: Path | None, words: list[str]) -> Counter[str]:
    """Occurrences of each type in a text, or in the reference's words where there is no text."""
    if corpus is None:
        return Counter(token for tokens in tokenizer.tokenize(words) for token in tokens)
    sentences, _ = read_text(corpus, "lines")
    occurrences = Counter(word for sentence in sentences for word in sentence)
    counts: Counter[str] = Counter()
    for tokens, n in zip(tokenizer.tokenize(list(occurrences)), occurrences.values(), strict=True):
        for token in tokens:
            counts[token] += n
    return counts
