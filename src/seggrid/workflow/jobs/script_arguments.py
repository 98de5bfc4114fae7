"""Arguments of several command-line scripts."""

import argparse
from pathlib import Path

import pandas as pd

from seggrid.score.table import read_results


def tables_parser(description: str | None) -> argparse.ArgumentParser:
    """A parser with an argument for the tables of results that a script reads; see `given_tables`."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument(
        "--given",
        nargs="+",
        required=True,
        metavar="NAME=FILE",
        help="tables of results, by their names in seggrid.data.result_tables",
    )
    return parser


def given_tables(arguments: argparse.Namespace) -> dict[str, pd.DataFrame]:
    """The tables named by the arguments of `tables_parser`, by name, without tables that have no rows."""
    files = (named.partition("=") for named in arguments.given)
    return read_results({name: file for name, _, file in files})


def named_file(arguments: argparse.Namespace, name: str) -> Path:
    """The file of one of these tables."""
    return Path(dict(named.split("=", 1) for named in arguments.given)[name])


def resampling_parser(description: str | None) -> argparse.ArgumentParser:
    """A parser with arguments for the counts and scores to resample, and for the output."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--scores", type=Path, required=True)
    parser.add_argument("--counts", type=Path, required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--resamples", type=int, default=2000)
    parser.add_argument("--output", type=Path, required=True)
    return parser
