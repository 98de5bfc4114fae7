"""Symmetrize and project the links of a cell's samples, aggregate them, and score the results."""

from itertools import groupby
from pathlib import Path
from typing import Literal

from seggrid.align import SYMMETRIZATIONS
from seggrid.align.alignability import one_to_one
from seggrid.align.project import project, project_posteriors
from seggrid.align.symmetrize import combine_directions
from seggrid.grid.jobs.script import timed
from seggrid.score.counts import score_replicates, write_score_file
from seggrid.score.votes import is_posterior
from seggrid.text.gold import read_gold_file
from seggrid.text.links import read_alignments, read_posteriors


def main(
    gold: Path,
    alignments: list[Path],
    symmetrization: Literal[*SYMMETRIZATIONS],
    samples: int,
    aggregates: list[str],
    output: Path,
) -> None:
    """Score a cell from the parts of its replicates, each in a folder of its own; they may have more."""
    by_replicate = [list(parts) for _, parts in groupby(alignments, lambda part: part.parent)]
    replicates = [
        [sample for part in parts for sample in read_alignments(part)][:samples]
        for parts in by_replicate
    ]
    with timed():
        words = [
            [
                project(combine_directions(forward, reverse, symmetrization), source, target)
                for source, target, forward, reverse in own
            ]
            for own in replicates
        ]
        posteriors = []
        if any(map(is_posterior, aggregates)):
            for parts, own in zip(by_replicate, replicates, strict=True):
                probabilities = [both for part in parts for both in read_posteriors(part)]
                drawn = zip(probabilities, own, strict=False)
                posteriors.append([project_posteriors(*both, *one[:2]) for both, one in drawn])
        source, target, _, _ = replicates[0][0]
        pairs = sum(
            one_to_one(forward, reverse, *tokens)
            for own in replicates
            for *tokens, forward, reverse in own
        )
        scored = score_replicates(
            read_gold_file(gold), words, aggregates, (source, target), posteriors, pairs
        )
    write_score_file(output, scored)
