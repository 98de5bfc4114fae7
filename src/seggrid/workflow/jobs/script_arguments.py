"""Arguments of several command-line scripts."""

import argparse
from pathlib import Path

TABLES = (
    *("significance", "published", "claims", "morphology", "knockout", "language-models"),
    *("language-model-probes", "language-model-tasks"),
)
"""The tables, beside the scores, of both the figures and the page."""


def scores_parser(description: str | None, *tables: str) -> argparse.ArgumentParser:
    """A parser with the argument of the scores and optional arguments of other tables."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--scores", type=Path, required=True)
    for name in tables:
        parser.add_argument(f"--{name}", type=Path)
    return parser


def resampling_parser(description: str | None) -> argparse.ArgumentParser:
    """A parser with the arguments of counts and scores to resample, and of the output."""
    parser = scores_parser(description)
    parser.add_argument("--counts", type=Path, required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--resamples", type=int, default=2000)
    parser.add_argument("--output", type=Path, required=True)
    return parser
