"""Run scripts: arguments from the signature of `main`, error messages, logged time and memory.

A script is one function `main`, which `workflow/scripts/job.py` calls. Each of its parameters is an option
of the same name: `gold_lines: Path` is `--gold-lines=FILE`. The type says how the option is read, and whether
it may be left out or empty.
"""

import argparse
import hashlib
import inspect
import json
import os
import random
import re
import resource
import runpy
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import is_dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from types import NoneType
from typing import Any, Literal, get_args, get_origin, get_type_hints

import numpy as np

from seggrid.base.errors import InputError, InputErrors, refusing
from seggrid.base.files import place_of


def run(script: str) -> None:
    """Call `main` of a script with the options of the command line. After an `InputError`, or an error of a
    file or disk, it prints one line instead of a traceback and ends with status 1."""
    with refusing(), _placing():
        _seed(sys.argv[1:])
        main = runpy.run_path(script)["main"]
        with _plugins():
            parser = argparse.ArgumentParser(description=inspect.getdoc(main))
            add_options(parser, main)
            main(**values_of(main, vars(parser.parse_args())))


def _seed(arguments: Sequence[str]) -> None:
    """Seed the global generators from what the job makes, for plug-ins that draw from them: its outputs are
    the same in each run. (Hashes of texts are the same by PYTHONHASHSEED, see `environment.prepare`.)"""
    made = "".join(word for word in arguments if word.startswith(("--output", "--seed")))
    seed = int(hashlib.sha256(made.encode()).hexdigest()[:8], 16)
    random.seed(seed)
    np.random.seed(seed)


@contextmanager
def _placing() -> Iterator[None]:
    """Name the file of a mistake by the place that the user knows."""
    try:
        yield
    except InputErrors as errors:
        raise InputErrors([_placed(one) for one in errors.errors]) from None
    except InputError as error:
        raise _placed(error) from None


def _placed(error: InputError) -> InputError:
    return error if error.file is None else error.at(place_of(error.file))


@contextmanager
def _plugins() -> Iterator[None]:
    """Load the plug-ins of the grid, and report mistakes in them. They are imported by name, since jobs
    without plug-ins do not depend on that code."""
    if "SEGGRID_PLUGINS" not in os.environ:
        yield
        return
    plugins = import_module("seggrid.grid.plugins")
    plugins.load_passed_on()
    with plugins.blamed():
        yield


def add_options(parser: argparse.ArgumentParser, function: Callable[..., Any]) -> None:
    """Add an option for each parameter of a function; for one that is a data class, one for each field.

    `T | None` takes an empty text as None; `list[T]` takes any number of values; a `bool` is given alone or
    with True or False; `dict` and `list[tuple]` are JSON, or `@FILE` that has it; a class with `from_text`,
    such as `Side` or `Part`, is written as in paths.
    """
    for parameter in _parameters(function):
        kind, name = parameter.annotation, f"--{parameter.name.replace('_', '-')}"
        required = parameter.default is parameter.empty
        if _is_group(kind):
            add_options(parser, kind)
            continue
        given: dict[str, Any] = {} if required else {"default": parameter.default}
        if kind is bool:
            given |= {"nargs": "?", "const": True, "type": "True".__eq__, "default": False}
            required = False
        elif get_origin(kind) is list and get_args(kind)[0] is not tuple:
            (kind,) = get_args(kind)
            given |= {"action": "extend", "nargs": "*", "type": _reader(kind)}
            if not required:
                given["default"] = list(parameter.default)
        else:
            given["type"] = _reader(kind)
        parser.add_argument(name, required=required, metavar=parameter.name.upper(), **given)


def values_of(function: Callable[..., Any], read: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a function, from the values of all options."""
    return {
        own.name: own.annotation(**values_of(own.annotation, read))
        if _is_group(own.annotation)
        else read[own.name]
        for own in _parameters(function)
    }


def _parameters(function: Callable[..., Any]) -> list[inspect.Parameter]:
    """The parameters, with their types; those of a data class may be inherited from another module."""
    types = get_type_hints(function)
    found = inspect.signature(function).parameters.values()
    return [own.replace(annotation=types[own.name]) for own in found]


def _is_group(kind: Any) -> bool:
    return is_dataclass(kind) and not hasattr(kind, "from_text")


def _reader(kind: Any) -> Callable[[str], Any]:
    """The function that reads the text of one value of a type."""
    if NoneType in get_args(kind):
        (kind,) = (each for each in get_args(kind) if each is not NoneType)
        read_value = _reader(kind)
        return lambda text: read_value(text) if text else None
    if get_origin(kind) is Literal:
        return partial(_choose, get_args(kind))
    if kind is dict or get_args(kind) == (tuple,):
        return _json
    read: Callable[[str], Any] = getattr(kind, "from_text", kind)
    return read


def _json(text: str) -> Any:
    return json.loads(Path(text[1:]).read_text("utf-8") if text.startswith("@") else text)


def _choose(choices: tuple[Any, ...], text: str) -> Any:
    """The one of some numbers or words that a text spells."""
    for choice in choices:
        if str(choice) == text:
            return choice
    raise argparse.ArgumentTypeError(f"{text!r} is none of {', '.join(map(str, choices))}")


@contextmanager
def timed(what: str = "algorithm") -> Iterator[None]:
    """Log the time and memory of the work itself, without starting the job, reading and writing.

    The CPU time is that of all threads and called programs. The memory is the peak, during this time, of the
    process or of one of these programs. It is left out on systems other than Linux, where it is not known.
    """
    measured = _reset_peak()
    start, cpu = time.perf_counter(), _cpu_time()
    yield
    wall, cpu = time.perf_counter() - start, _cpu_time() - cpu
    memory = f", {_peak_mb():.0f} MB at most" if measured else ""
    print(f"{what} took {wall:.3f} s, {cpu:.3f} s of CPU{memory}", file=sys.stderr)


TOOK = re.compile(r" took ([\d.]+) s, ([\d.]+) s of CPU(?:, (\d+) MB)?")
"""The line that `timed` logs: seconds, seconds of CPU, MB if known."""


def _cpu_time() -> float:
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


# `ru_maxrss` of a process starts from the value of its parent, across fork and exec. So the peak is read from
# /proc, where it can be reset (proc(5), `clear_refs`).
def _reset_peak() -> bool:
    """Reset the process's peak of memory to its current memory. Returns whether the system can do this."""
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return False
    return True


def _peak_mb() -> float:
    """The peak memory, in MB, of the process since the reset, or of a program that it has called."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    (own,) = map(int, re.findall(r"VmHWM:\s*(\d+) kB", status))
    return max(own, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss) * 1024 / 1e6
