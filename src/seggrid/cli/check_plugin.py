"""`seggrid check-plugin`: whether a segmenter or aligner of the user does what it must."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from seggrid.plugins import load
from seggrid.plugins.contract import check_aligner, check_segmenter
from seggrid.segment import SEGMENTERS


def add_check_plugin(parser: argparse.ArgumentParser) -> None:
    """Add the option: the plug-in."""
    parser.epilog = "\n".join(
        filter(None, [parser.epilog, "Exit status: 0 if all checks hold, 1 if one does not."])
    )
    parser.add_argument("plugin", metavar="PLUGIN", help="a Python file, or the name of a module")


def run_check_plugin(arguments: argparse.Namespace) -> None:
    """Print one line for each check."""
    failed = False
    for name in load(arguments.plugin):
        with TemporaryDirectory() as folder:
            own = name in SEGMENTERS
            for what, wrong in check_segmenter(name, Path(folder)) if own else check_aligner(name):
                print(f"FAILED  {name}: {what}: {wrong}" if wrong else f"ok      {name}: {what}")
                failed |= wrong is not None
    if failed:
        sys.exit(1)
