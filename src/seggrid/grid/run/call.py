"""What `seggrid run` and `seggrid plan` ask of Snakemake: config files, options, the folder."""

from __future__ import annotations

import getpass
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from seggrid.base.compiled import private_temporary
from seggrid.base.errors import InputError, RunError, raise_mistakes
from seggrid.base.extras import PROJECT
from seggrid.grid.finished.record import cores_here
from seggrid.grid.run.options import read_options

BUILTIN = PROJECT / "config/config.yaml"
"""The config of the built-in pair."""

_CONFIGS = ("config.yaml", "config/config.yaml")


class Call(NamedTuple):
    """What is asked of Snakemake.

    Attributes:
        configs: config files.
        overrides: `KEY=VALUE` that override them.
        options: options and targets.
        cores: number of cores.
        runs: whether jobs may run, as not in a dry run.
    """

    configs: list[str]
    overrides: list[str]
    options: list[str]
    cores: int
    runs: bool


def read_call(configs: Sequence[str], options: Sequence[str], *, builtin: bool = False) -> Call:
    """Read the arguments of a command (the config files that were given first, then those from the first
    option of Snakemake on), and enter the folder of `--directory`, in which all else happens. A target whose
    name ends in .yaml or .yml is a config file, since no job makes such a file."""
    named_user()
    given = read_options(options)
    for name in ("cores", "jobs"):
        if (number := getattr(given, name)) is not None and number < 1:
            hint = "give a number from 1 on, or all"
            raise InputError(f"--{name} {number}: no job could run", hint=hint)
    _check_overrides(given.config or ())
    own = [name for name in given.targets if name.endswith((".yaml", ".yml"))]
    configs, words = [*configs, *own], [word for word in options if word not in own]
    if builtin and configs:
        raise InputError("--builtin and a config", hint="give one of them")
    if given.directory:
        configs = [str(Path(config).expanduser().absolute()) for config in configs]
        try:
            if configs:
                os.makedirs(given.directory, exist_ok=True)
            os.chdir(given.directory)
        except OSError as error:
            message = f"--directory: {error.strerror}"
            raise InputError(message, file=given.directory, hint="name a folder") from None
        # Relative, it would lead elsewhere from there; of several, the last one counts.
        place = words.index("--") if "--" in words else len(words)
        words[place:place] = ["--directory", os.getcwd()]
    return Call(
        configs_of(configs, builtin=builtin),
        list(given.config or ()),
        words,
        given.cores if isinstance(given.cores, int) else cores_here(),
        not given.dryrun,
    )


def _check_overrides(entries: Sequence[str]) -> None:
    """Refuse what Snakemake does not take for `KEY=VALUE`, where it would show a traceback."""
    from snakemake.cli import parse_config

    for entry in entries:
        try:
            parse_config([entry])
        except ValueError:
            hint = "write a key of the config and its value, such as seed=3"
            raise InputError(f"--config {entry}: not KEY=VALUE", hint=hint) from None


def configs_of(given: Sequence[str], *, builtin: bool = False) -> list[str]:
    """The config files that are given, or that of the built-in pair, or else that of this folder."""
    if builtin:
        return [str(BUILTIN)]
    found = [*given] or [name for name in _CONFIGS if Path(name).is_file()][:1]
    if not found:
        hint = "name a config; seggrid new STUDY makes a folder with one; --builtin takes the built-in pair"
        raise InputError(f"no {_CONFIGS[0]} in {Path.cwd()}", hint=hint)
    return found


def as_overrides(values: Mapping[str, Any]) -> list[str]:
    """Settings of a caller in Python as `--config KEY=VALUE`."""
    words = [f"{name}={json.dumps(value)}" for name, value in values.items()]
    return ["--config", *words] if words else []


def run_command(words: Sequence[str], folder: str | os.PathLike[str] = ".") -> None:
    """Run `seggrid run` in a folder, in a process of its own; what it prints is printed on standard error.

    Raises:
        InputError: a mistake in an option, the config or a file that it names.
        RunError: a job failed, or the run was stopped.
    """
    # With -P, since modules of the folder, such as a json.py, would be imported in place of Python's.
    command = [sys.executable, "-P", "-m", "seggrid", "run", *words]
    mistakes = []
    with subprocess.Popen(
        command,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    ) as process:
        try:
            for line in process.stdout or ():
                if line.startswith("error: "):
                    mistakes.append(line.removeprefix("error: ").rstrip("\n"))
                else:
                    print(line, end="", file=sys.stderr)
        except KeyboardInterrupt:
            # In a notebook, only this process is interrupted; Snakemake then ends its jobs.
            process.send_signal(signal.SIGINT)
            process.wait()
            raise
    if process.returncode == 2:
        raise_mistakes(InputError(line) for line in mistakes)
    if process.returncode:
        raise RunError("; ".join(mistakes) or "a job failed, or the run was stopped: see above")


def named_user() -> None:
    """Give this process a user name, for which Snakemake asks, if it has none, as in a container."""
    try:
        getpass.getuser()
    except (KeyError, OSError):
        os.environ["LOGNAME"] = f"user-{os.getuid()}"


def ensure_cache() -> None:
    """Let Snakemake cache in a private temporary folder if the user's cache cannot be written. Refuse a
    folder that cannot be written, where Snakemake would end with a traceback."""
    try:
        Path(".snakemake").mkdir(exist_ok=True)
        tempfile.TemporaryFile(dir=".snakemake").close()
    except OSError as error:
        message, hint = f"cannot be written: {error.strerror}", "run it in a folder of your own"
        raise InputError(message, file=Path.cwd(), hint=hint) from None
    user = Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"))
    try:
        (user / "snakemake").mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=user / "snakemake").close()
    except OSError:
        if (private := private_temporary()) is not None:
            os.environ["XDG_CACHE_HOME"] = str(private)
