"""Evaluate a tokenizer, and its pruned variants, against a morphological reference."""

import argparse
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pandas as pd

from seggrid.corpus.text import read_text
from seggrid.data.files import atomic_write
from seggrid.morphology.evaluate import SUMS, evaluate, evaluate_ideal
from seggrid.morphology.frequencies import CODES, wordfreq_counts
from seggrid.morphology.published import beside, read_published
from seggrid.morphology.references import read_frequencies, read_reference
from seggrid.morphology.respelling import as_in_text
from seggrid.morphology.tokenizer import Tokenizer
from seggrid.morphology.variants import canonical_evaluation, canonical_knockout, parse_knockout
from seggrid.report.knockout import figure_table
from seggrid.segment.bpe.model import read_model
from seggrid.workflow.script import run, timed


def main() -> None:
    """Parse the arguments, evaluate, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--name", required=True, help="of the evaluation, for the table")
    parser.add_argument("--reference", type=Path, required=True)
    parser.add_argument("--format", choices=["surface", "celex"], required=True)
    parser.add_argument("--frequencies", type=Path, help="`word<TAB>count` lines")
    parser.add_argument("--wordfreq", choices=list(CODES), help="or wordfreq's, of a language")
    model = parser.add_mutually_exclusive_group(required=True)
    model.add_argument("--model", type=Path, help="a model that was learned here")
    model.add_argument("--tokenizer", type=Path, help="merges.txt or tokenizer.json")
    parser.add_argument("--vocabulary", type=Path, help="vocab.json, beside merges.txt")
    parser.add_argument("--merges", type=int, help="how many of a learned model's merges")
    parser.add_argument(
        "--corpus", type=Path, help="text of the model, in which `trim` counts types"
    )
    parser.add_argument("--case", default="keep", help="of that text")
    parser.add_argument("--knockout", action="extend", nargs="+", required=True)
    parser.add_argument("--evaluation", action="extend", nargs="+", required=True)
    parser.add_argument("--dropout", type=float, action="extend", nargs="+", default=[])
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--published", type=Path, help="published scores, to be set beside ours")
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--figures", type=Path, required=True, help="data of the figures")
    parser.add_argument("--sweep", action="store_true", help="compute that data; else it is empty")
    arguments = parser.parse_args()

    knockouts = [canonical_knockout(name) for name in arguments.knockout]
    evaluations = [canonical_evaluation(name) for name in arguments.evaluation]
    tokenizer = read_tokenizer(arguments)
    reference = read_reference(arguments.reference, arguments.format)
    if arguments.corpus:
        sentences, _ = read_text(arguments.corpus, "lines")
        words = {word for sentence in sentences for word in sentence}
        reference = as_in_text(reference, words, arguments.case)
    frequencies = read_frequencies(arguments.frequencies) if arguments.frequencies else None
    if arguments.wordfreq:
        frequencies = wordfreq_counts(reference.words, arguments.wordfreq)
    counts = None
    if any(parse_knockout(name).method == "trim" for name in knockouts):
        counts = count_types(tokenizer, arguments.corpus, reference.words)
    settings = [(knockout, evaluation, 0.0) for evaluation in evaluations for knockout in knockouts]
    settings += [("none", "full", rate) for rate in arguments.dropout]
    rows = []
    with timed():
        for knockout, evaluation, dropout in settings:
            rows += evaluate(
                tokenizer.model,
                reference,
                knockout,
                evaluation,
                frequencies=frequencies,
                counts=counts,
                dropout=dropout,
                repeats=arguments.repeats,
                seed=arguments.seed,
            )
        rows += evaluate_ideal(reference, frequencies)
        drawn = pd.DataFrame()
        if arguments.sweep:
            drawn = figure_table(
                tokenizer.model,
                reference,
                arguments.name,
                arguments.reference.name,
                repeats=arguments.repeats,
                seed=arguments.seed,
            )
    table = pd.DataFrame(
        beside(rows, read_published(arguments.published) if arguments.published else {})
    )
    # Whole numbers stay whole beside the empty sums of random runs.
    table[SUMS] = table[SUMS].astype("Int64")
    table.insert(0, "tokenizer", arguments.name)
    table.insert(1, "reference", arguments.reference.name)
    for path, rows_of in ((arguments.output, table), (arguments.figures, drawn)):
        with atomic_write(path) as file:
            file.write("" if rows_of.empty else rows_of.to_csv(index=False, lineterminator="\n"))


def read_tokenizer(arguments: argparse.Namespace) -> Tokenizer:
    """The tokenizer to evaluate, without dropout of its own."""
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


if __name__ == "__main__":
    run(main)
