"""Run Snakemake in a forked process that has not loaded the package.

The modules that Snakemake loads are preloaded here, once for all forks, since loading them takes longer than
planning a small grid.
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
    """Run Snakemake in a folder with a copy of the project, using the package of that copy.

    Args:
        folder: the copy.
        calls: for each call, the file for its output, and its arguments. All calls share the package as the
        first one loaded it. A call that fails is the last one.
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
