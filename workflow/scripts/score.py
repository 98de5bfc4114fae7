"""Symmetrize and project the links of a cell's samples, aggregate them, and score the results."""

import argparse
from pathlib import Path

from seggrid.align import SYMMETRIZATIONS
from seggrid.align.project import project, project_posteriors
from seggrid.align.symmetrize import symmetrize
from seggrid.corpus.gold import read_gold
from seggrid.data.alignments import read_alignments, read_posteriors
from seggrid.score.aggregates import is_posterior
from seggrid.score.score_file import score_replicates, write_score_file
from seggrid.workflow.jobs.script import run, timed


def main() -> None:
    """Parse the arguments, symmetrize, project, score, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gold", type=Path, required=True)
    parser.add_argument(
        "--alignments", type=Path, nargs="+", action="append", help="a replicate's parts, in order"
    )
    parser.add_argument("--symmetrization", choices=SYMMETRIZATIONS, required=True)
    parser.add_argument("--samples", type=int, required=True, help="number of samples to use")
    parser.add_argument("--aggregates", nargs="+", required=True)
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    gold = read_gold(arguments.gold)
    replicates = [
        [sample for part in parts for sample in read_alignments(part)][: arguments.samples]
        for parts in arguments.alignments
    ]
    with timed():
        words = [
            [
                project(symmetrize(forward, reverse, arguments.symmetrization), source, target)
                for source, target, forward, reverse in samples
            ]
            for samples in replicates
        ]
        posteriors = []
        if any(map(is_posterior, arguments.aggregates)):
            for parts, samples in zip(arguments.alignments, replicates, strict=True):
                probabilities = [both for part in parts for both in read_posteriors(part)]
                posteriors.append(
                    [
                        project_posteriors(*both, source, target)
                        for both, (source, target, _, _) in zip(
                            probabilities, samples, strict=False
                        )
                    ]
                )
        source, target, _, _ = replicates[0][0]
        scored = score_replicates(gold, words, arguments.aggregates, (source, target), posteriors)
    write_score_file(arguments.output, scored)


if __name__ == "__main__":
    run(main)
