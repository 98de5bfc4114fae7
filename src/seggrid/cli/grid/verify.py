"""`seggrid verify`: name the outputs that something other than the workflow has changed."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from seggrid.errors import InputError
from seggrid.workflow.run.records import RECORDS, changed_outputs


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options: the folder, how thoroughly to look."""
    parser.add_argument(
        "folder", nargs="?", default=".", metavar="FOLDER", help="where the grid ran"
    )
    parser.add_argument(
        "--contents",
        action="store_true",
        help="read every file, not only those whose date has changed",
    )


def run(arguments: argparse.Namespace) -> None:
    """Print the names, one on a line; end with status 1 if there are any.

    Raises:
        InputError: no run has recorded its outputs in this folder.
    """
    if not Path(arguments.folder, RECORDS).is_dir():
        raise InputError(
            "no records of a run",
            file=Path(arguments.folder, RECORDS),
            hint="name the folder in which the grid ran",
        )
    changed = changed_outputs(Path(arguments.folder), arguments.contents)
    print(*changed, sep="\n", end="\n" if changed else "")
    if changed:
        sys.exit(1)
