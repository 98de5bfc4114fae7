"""Run scripts: arguments from the signature of `main`, error messages, logged time and memory.

A script is one function `main`, which `workflow/scripts/job.py` calls. Each of its parameters is an option
of the same name: `gold_lines: Path` is `--gold-lines=FILE`. The type says how the option is read, and whether
it may be left out or empty.
"""

import argparse
import hashlib
import inspect
import os
import random
import re
import resource
import runpy
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

import numpy as np

from seggrid.base.errors import InputError, InputErrors, refusing
from seggrid.base.files import place_of
from seggrid.base.options import add_options, call_with_options


def run(script: str) -> None:
    """Call `main` of a script with the options of the command line. After an `InputError`, or an error of a
    file or disk, it prints one line instead of a traceback and ends with status 1."""
    with refusing(), _placing():
        _seed(sys.argv[1:])
        main = runpy.run_path(script)["main"]
        with _plugins():
            parser = argparse.ArgumentParser(description=inspect.getdoc(main))
            add_options(parser, main)
            call_with_options(main, vars(parser.parse_args()))


def _seed(arguments: Sequence[str]) -> None:
    """Seed the global generators from what the job makes, for plug-ins that draw from them: its outputs are
    the same in each run. (Hashes of texts are the same by PYTHONHASHSEED, see `environment.prepare_jobs`.)"""
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
