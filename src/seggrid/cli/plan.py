"""`seggrid plan`: print what a run of the workflow would do, and why."""

from __future__ import annotations

import argparse
from pathlib import Path

from seggrid.base.extras import check_installed
from seggrid.workflow.run.planning import add_plan_arguments, find_snakefile, report_plan


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options: configs, Snakefile."""
    parser.add_argument(
        "configs",
        nargs="+",
        type=Path,
        metavar="CONFIG",
        help="config files; later ones override earlier ones",
    )
    add_plan_arguments(parser)
    parser.add_argument(
        "--snakefile",
        type=Path,
        help="by default, workflow/Snakefile of this folder, or of the checkout of seggrid",
    )


def run(arguments: argparse.Namespace) -> None:
    """Plan and print."""
    check_installed("grid", user="seggrid plan")
    snakefile = find_snakefile(arguments.snakefile)
    report_plan(snakefile, arguments.configs, arguments.config, names=arguments.cells)
