"""Run Snakemake in a forked process that has loaded the package of a copy of the project.

What Snakemake loads is preloaded here, once for all forks, since loading it takes longer than planning a
small grid.
"""

import os
import pkgutil
import sys
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from importlib import import_module
from pathlib import Path

import pydantic  # noqa: F401
import requests  # noqa: F401
import smart_open  # noqa: F401
import snakemake.report.html_reporter
from snakemake.cli import main

COPY = "SEGGRID_COPY"
"""Name of the environment variable with the copy, in the process that is forked."""

if copy := os.environ.get(COPY):
    sys.path.insert(0, f"{copy}/src")
    rules = import_module("seggrid.grid.rules")
    for module in pkgutil.iter_modules(rules.__path__, rules.__name__ + "."):
        import_module(module.name)


def snakemake(folder: Path, calls: Sequence[tuple[Path, Sequence[str]]], anew: bool) -> None:
    """Run Snakemake in a folder with a copy of the project, using the package of that copy.

    Args:
        folder: the copy.
        calls: for each call, the file for its output, and its arguments. All calls share the package as the
        first one loaded it. A call that fails is the last one.
        anew: whether to load the package anew, since it has changed.
    """
    os.chdir(folder)
    sys.path.insert(0, str(folder / "src"))
    for name in [name for name in sys.modules if anew and name.partition(".")[0] == "seggrid"]:
        del sys.modules[name]
    for log, arguments in calls:
        with log.open("w") as file, redirect_stdout(file), redirect_stderr(file):
            try:
                main(arguments)
            except SystemExit as end:
                if end.code:
                    raise
