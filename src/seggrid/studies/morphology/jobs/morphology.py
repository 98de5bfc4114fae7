"""Evaluate a tokenizer, and its pruned variants, against a morphological reference."""

from fractions import Fraction
from pathlib import Path

import pandas as pd

from seggrid.grid.jobs.script import timed
from seggrid.morphology.evaluate import evaluate, evaluate_ideal
from seggrid.morphology.names import canonical_evaluation
from seggrid.score.table import write_table
from seggrid.segment.variants import canonical_knockout, parse_knockout
from seggrid.studies.morphology.evaluations import BoundaryTable, TokenizerInputs
from seggrid.studies.morphology.sweeps import figure_table


def main(
    table: BoundaryTable,
    inputs: TokenizerInputs,
    knockout: list[str],
    evaluation: list[str],
    seed: int,
    figures: Path,
    dropout: list[Fraction] = [],
    repeats: int = 10,
    sweep: bool = False,
) -> None:
    """Evaluate a tokenizer. The table of the figures is empty unless `sweep`."""
    # Equal settings give one row, even if they are written differently.
    knockouts = dict.fromkeys(map(canonical_knockout, knockout))
    evaluations = dict.fromkeys(map(canonical_evaluation, evaluation))
    rates = dict.fromkeys(float(rate) for rate in dropout if rate)
    evaluated = inputs.read_all()
    model, reference, frequencies, words = evaluated
    counts = None
    if any(parse_knockout(name).needs_counts for name in knockouts):
        counts = evaluated.count_types()
    settings = [(variant, way, 0.0) for way in evaluations for variant in knockouts]
    settings += [("none", "full", rate) for rate in rates]
    rows = []
    with timed():
        for variant, way, rate in settings:
            rows += evaluate(
                model,
                reference,
                variant,
                way,
                frequencies=frequencies,
                counts=counts,
                dropout=rate,
                repeats=repeats,
                seed=seed,
                text=words or (),
            )
        rows += evaluate_ideal(reference, frequencies)
        drawn = pd.DataFrame()
        if sweep:
            drawn = figure_table(
                model, reference, table.name, inputs.reference.name, repeats=repeats, seed=seed
            )
    remark, had = "", len(model.merges)
    if inputs.merges is not None and had < inputs.merges:
        remark = f"{had} of {inputs.merges} merges, all that its text has"
    table.write(rows, inputs.reference, remark)
    write_table(figures, drawn)
