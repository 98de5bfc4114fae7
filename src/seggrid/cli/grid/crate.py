"""`seggrid crate`: pack a finished run with its config and inputs."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from seggrid.base.folders import fresh_folder
from seggrid.cli.files import input_file, output_folder
from seggrid.grid.axes import tables_folder
from seggrid.workflow.finished.crate import write_crate


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options: where the grid ran, its study, the new folder, the licence."""
    parser.add_argument(
        "folder",
        nargs="?",
        default=".",
        type=input_file,
        metavar="FOLDER",
        help="where the grid ran",
    )
    parser.add_argument("--study", metavar="NAME", help="the config's study, if it has one")
    parser.add_argument(
        "-o",
        "--output",
        type=output_folder,
        required=True,
        metavar="CRATE",
        help="a new folder, outside of the first",
    )
    parser.add_argument(
        "--license",
        default="Not stated: ask who gave you these files.",
        metavar="TEXT",
        help="licence of tables and inputs: a URL or a sentence",
    )


def run(arguments: argparse.Namespace) -> None:
    """Pack."""
    folder = Path(arguments.folder)
    with fresh_folder(arguments.output) as crate:
        write_crate(folder / tables_folder(arguments.study), folder, crate, arguments.license)
    print(f"Packed: {arguments.output}", file=sys.stderr)
