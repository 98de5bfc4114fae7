"""`seggrid plan`: print what a run of the workflow would do, and why."""

from __future__ import annotations

import argparse

from seggrid.base.extras import check_installed
from seggrid.base.rational import read_time
from seggrid.cli.files import output_file
from seggrid.errors import InputError
from seggrid.workflow.run.call import call
from seggrid.workflow.run.planning import report_plan

OWN_OPTIONS = ("--builtin", "--config", "-C", "--cells", "--budget", "--write", "--help", "-h")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options: configs, overriding values."""
    parser.usage = (
        "seggrid plan [CONFIG ...] [--builtin] [--config KEY=VALUE ...] [--cells] "
        "[--budget TIME [--write FILE]] [OPTION of snakemake ...]"
    )
    add_configs(parser)
    parser.add_argument(
        "--config",
        "-C",
        nargs="+",
        default=[],
        metavar="KEY=VALUE",
        help="as for snakemake; overrides all config files",
    )
    parser.add_argument("--cells", action="store_true", help="name every cell")
    parser.add_argument(
        "--budget",
        metavar="TIME",
        help="choose cells within this CPU time (90s, 30m or 2h) that have as many values of axes, and "
        "pairs of values, as possible",
    )
    parser.add_argument(
        "--write",
        type=output_file,
        metavar="FILE",
        help="with --budget: write a config of these cells",
    )


def add_configs(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that choose the config, for `plan` and `run`."""
    parser.add_argument(
        "configs",
        nargs="*",
        metavar="CONFIG",
        help="config files; later ones override earlier ones "
        "(default: config.yaml or config/config.yaml of this folder)",
    )
    parser.add_argument(
        "--builtin", action="store_true", help="the grid of the built-in pair, in place of a config"
    )


def run(arguments: argparse.Namespace) -> None:
    """Plan and print."""
    check_installed("grid", user="seggrid plan")
    for option in arguments.passed_on:
        if (name := option.partition("=")[0]) in ("--cells", "--budget", "--write"):
            # Snakemake would print all its options.
            message = f"{name} comes after {arguments.passed_on[0]}, an option of snakemake"
            raise InputError(message, hint=f"give {name} first")
    if arguments.write and not arguments.budget:
        raise InputError("--write needs --budget", hint="say how much CPU time the cells may take")
    given = ["--config", *arguments.config] if arguments.config else []
    options = [*given, *arguments.passed_on]
    report_plan(
        call(arguments.configs, options, builtin=arguments.builtin),
        names=arguments.cells,
        budget=None if arguments.budget is None else read_time(arguments.budget),
        write=arguments.write,
    )
