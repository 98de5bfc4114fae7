"""Functions that all scripts use: error messages, and logging of time and memory."""

import re
import resource
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from seggrid.errors import InputError, Refusal, of_system


def run(main: Callable[[], None]) -> None:
    """Run a script. After an `InputError`, or an error of a file or disk, it prints one line instead of a
    traceback and ends with status 1."""
    try:
        main()
    except InputError as error:
        raise Refusal(error) from None
    except OSError as error:
        raise Refusal(of_system(error)) from error


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
