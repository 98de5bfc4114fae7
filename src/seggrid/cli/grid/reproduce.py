"""`seggrid reproduce`: run a packed run again, and compare its tables."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from seggrid.base.extras import check_installed
from seggrid.base.folders import fresh_folder
from seggrid.cli.files import input_file, output_folder
from seggrid.workflow.finished.repeat import repeat, same_tables, unpack


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options: the crate, the new folder, cores."""
    parser.epilog = (
        "Exit status: 0 if all tables but cost.csv have the same bytes, 1 if one does not or the run "
        "failed, 2 after a mistake."
    )
    parser.add_argument(
        "crate", type=input_file, metavar="CRATE", help="a folder that seggrid crate wrote"
    )
    parser.add_argument(
        "-o",
        "--output",
        type=output_folder,
        required=True,
        metavar="FOLDER",
        help="a new folder, in which the grid runs",
    )
    parser.add_argument(
        "--trust",
        action="store_true",
        help="run the code of the crate's plug-ins, which you have read",
    )
    parser.add_argument("--cores", "-c", default="all", metavar="N", help="number of cores")


def run(arguments: argparse.Namespace) -> None:
    """Run again and compare."""
    check_installed("grid", user="seggrid reproduce")
    with fresh_folder(arguments.output) as folder:
        record, others = unpack(Path(arguments.crate), folder, trust=arguments.trust)
    for name, (before, now) in others.items():
        print(f"note: {name} was {before or 'absent'}, is {now or 'absent'}", file=sys.stderr)
    repeat(Path(arguments.output), arguments.cores)
    found = same_tables(Path(arguments.output), record)
    for name, is_same in found.items():
        print(f"{'same' if is_same else 'differs'}  {name}")
    if not all(found.values()):
        print(
            f"seggrid diff {arguments.crate} {arguments.output} says what differs", file=sys.stderr
        )
        sys.exit(1)
