"""Evaluate a tokenizer, and its pruned variants, against a morphological reference."""

import argparse
from pathlib import Path

import pandas as pd

from seggrid.base.rational import read_rational
from seggrid.morphology.evaluate import evaluate, evaluate_ideal
from seggrid.morphology.published import canonical_evaluation
from seggrid.morphology.sweeps import figure_table
from seggrid.score.table import write_table
from seggrid.segment.pruning import canonical_knockout, parse_knockout
from seggrid.workflow.jobs.boundary_table import write_boundary_table
from seggrid.workflow.jobs.script import run, timed
from seggrid.workflow.jobs.tokenizer_arguments import (
    add_tokenizer_arguments,
    count_types,
    read_evaluated,
)


def main() -> None:
    """Parse the arguments, evaluate, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--name", required=True, help="name of the evaluation, for the table")
    add_tokenizer_arguments(parser)
    parser.add_argument("--knockout", action="extend", nargs="+", required=True)
    parser.add_argument("--evaluation", action="extend", nargs="+", required=True)
    parser.add_argument("--dropout", action="extend", nargs="+", default=[])
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--published", type=Path, help="published scores, to compare with ours")
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--figures", type=Path, required=True, help="data of the figures")
    parser.add_argument("--sweep", action="store_true", help="compute that data; else it is empty")
    arguments = parser.parse_args()

    # Equal settings give one row, even if they are written differently.
    knockouts = dict.fromkeys(map(canonical_knockout, arguments.knockout))
    evaluations = dict.fromkeys(map(canonical_evaluation, arguments.evaluation))
    rates = dict.fromkeys(float(rate) for rate in map(read_rational, arguments.dropout) if rate)
    evaluated = read_evaluated(arguments)
    tokenizer, reference, frequencies, words = evaluated
    counts = None
    if any(parse_knockout(name).method == "trim" for name in knockouts):
        counts = count_types(evaluated)
    settings = [(knockout, evaluation, 0.0) for evaluation in evaluations for knockout in knockouts]
    settings += [("none", "full", rate) for rate in rates]
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
                text=words or (),
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
    name, reference_name = arguments.name, arguments.reference.name
    remark = ""
    if arguments.merges is not None and len(tokenizer.model.merges) < arguments.merges:
        remark = (
            f"{len(tokenizer.model.merges)} of {arguments.merges} merges, all that its text has"
        )
    write_boundary_table(arguments.output, rows, name, reference_name, arguments.published, remark)
    write_table(arguments.figures, drawn)


if __name__ == "__main__":
    run(main)
