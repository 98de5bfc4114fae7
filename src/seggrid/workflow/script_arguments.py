"""Arguments that several command-line scripts have."""

import argparse
from pathlib import Path

TABLES = ("significance", "published", "claims", "morphology", "knockout", "language-models")
"""The tables beside the scores that the figures and the page both show."""


def scores_parser(description: str | None, *tables: str) -> argparse.ArgumentParser:
    """A parser of the file of scores and of other tables, none of which must be given."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--scores", type=Path, required=True)
    for name in tables:
        parser.add_argument(f"--{name}", type=Path)
    return parser


def resampling_parser(description: str | None) -> argparse.ArgumentParser:
    """A parser of what is resampled, and of the file that the intervals are written to."""
    parser = scores_parser(description)
    parser.add_argument("--counts", type=Path, required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--resamples", type=int, default=2000)
    parser.add_argument("--output", type=Path, required=True)
    return parser
