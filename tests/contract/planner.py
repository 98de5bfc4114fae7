"""Runs Snakemake in a process of its own, which has loaded nothing of the package yet.

What Snakemake loads as it runs is loaded here already, once for all processes forked from this one:
that takes longer than planning a small grid.
"""

import os
import sys
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pydantic  # noqa: F401
import requests  # noqa: F401
import smart_open  # noqa: F401
import snakemake.report.html_reporter
from snakemake.cli import main


def snakemake(folder: Path, calls: Sequence[tuple[Path, Sequence[str]]]) -> None:
    """Run Snakemake in a folder that holds a copy of the project, with that copy's package.

    Args:
        folder: the copy.
        calls: for each call, where its output goes, and its arguments. The calls share the package
            as the first one loaded it. One that fails is the last.
    """
    os.chdir(folder)
    sys.path.insert(0, str(folder / "src"))
    for log, arguments in calls:
        with log.open("w") as file, redirect_stdout(file), redirect_stderr(file):
            try:
                main(arguments)
            except SystemExit as end:
                if end.code:
                    raise
