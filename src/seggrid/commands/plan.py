"""`seggrid plan`: what a run of the grid of a config would do, and why."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import chdir
from os import fspath
from typing import Annotated, Any

from annotated_types import Interval

from seggrid.base.errors import InputError
from seggrid.base.extras import check_installed
from seggrid.base.parameters import (
    AnyPath,
    Files,
    Help,
    OutputFile,
    PassedOn,
    checked,
    paths_of,
)
from seggrid.base.rational import read_time
from seggrid.commands.options import Json, write_json_lines
from seggrid.grid.run.call import as_overrides, read_call
from seggrid.grid.run.planning import RunPlan, plan_run

Configs = Annotated[
    tuple[str, ...],
    Help(
        "config files; later ones override earlier ones (default: config.yaml or config/config.yaml of this "
        "folder)",
        metavar="CONFIG",
    ),
]
Builtin = Annotated[bool, Help("the grid of the built-in pair, in place of a config")]
ForSnakemake = Annotated[tuple[str, ...], PassedOn("OPTION of snakemake")]


@checked
def plan(
    configs: Files = (),
    *,
    config: Mapping[str, Any] | None = None,
    builtin: Builtin = False,
    budget: Annotated[float, Interval(ge=0)] | None = None,
    write: AnyPath | None = None,
    folder: AnyPath = ".",
    options: tuple[str, ...] = (),
) -> RunPlan:
    """Say what a run of the grid of a config would do, and why, as `seggrid plan` does. Nothing is run.

    Args:
        configs: the config file, or several, of which later ones override earlier ones; by default,
            config.yaml or config/config.yaml of this folder.
        config: values that override those of the files, such as `{"seed": 2}`.
        builtin: the grid of the built-in pair, in place of a config.
        budget: CPU seconds within which cells are chosen that have as many values of axes, and pairs of
            values, as possible.
        write: write a config of these cells to this file.
        folder: the folder in which the grid would run, to which all paths are relative.
        options: options of snakemake, such as `("--cores", "4")`.

    Returns:
        What would run: `pandas.DataFrame(plan.cells)` is a table of the cells with `state` and `why`, and
        `print(plan)` prints what the command does.
    """
    check_installed("grid", user="seggrid plan")
    if write and budget is None:
        raise InputError("--write needs --budget", hint="say how much CPU time the cells may take")
    words = [*as_overrides(config or {}), *options]
    with chdir(folder):
        asked = read_call(paths_of(configs), words, builtin=builtin)
        return plan_run(asked, budget=budget, write=None if write is None else fspath(write))


def command(
    configs: Configs = (),
    /,
    *,
    builtin: Builtin = False,
    config: Annotated[
        tuple[str, ...],
        Help("as for snakemake; overrides all config files", ("-C", "--config"), "KEY=VALUE"),
    ] = (),
    cells: Annotated[bool, Help("name every cell")] = False,
    budget: Annotated[
        str | None,
        Help(
            "choose cells within this CPU time (90s, 30m or 2h) that have as many values of axes, and pairs "
            "of values, as possible",
            metavar="TIME",
        ),
    ] = None,
    write: Annotated[
        OutputFile | None, Help("with --budget: write a config of these cells")
    ] = None,
    json: Json = False,
    options: ForSnakemake = (),
) -> None:
    """Plan and print."""
    for option in options:
        name = option.partition("=")[0]
        if name in ("--cells", "--budget", "--write", "--json"):
            # Snakemake would print all its options.
            message = f"{name} comes after {options[0]}, an option of snakemake"
            raise InputError(message, hint=f"give {name} first")
    made = plan(
        configs,
        builtin=builtin,
        budget=None if budget is None else read_time(budget),
        write=write,
        options=(*(("--config", *config) if config else ()), *options),
    )
    if json:
        write_json_lines(None, made.as_dict())
        return
    print(*made.lines(names=cells), sep="\n")
    if write:
        print(f"written: seggrid run {write}")
