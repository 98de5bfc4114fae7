"""What the command-line scripts share."""

import re
import resource
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from seggrid.errors import InputError


def run(main: Callable[[], None]) -> None:
    """Run a script; a user's mistake ends it with one line and status 1, not with a traceback."""
    try:
        main()
    except InputError as error:
        sys.exit(f"error: {error}")


@contextmanager
def timed(what: str = "algorithm") -> Iterator[None]:
    """Log what the work itself took, without the job's start, reading and writing.

    The CPU time is that of all threads and of programs that were called; the memory is the most
    that the process, or one of these programs, has had.
    """
    start, cpu = time.perf_counter(), _cpu_time()
    yield
    wall, cpu = time.perf_counter() - start, _cpu_time() - cpu
    memory = max(usage.ru_maxrss for usage in _usages()) * _MAXRSS_UNIT / 1e6
    print(f"{what} took {wall:.3f} s, {cpu:.3f} s of CPU, {memory:.0f} MB at most", file=sys.stderr)


# Bytes on macOS, kilobytes elsewhere.
_MAXRSS_UNIT = 1 if sys.platform == "darwin" else 1024


def _cpu_time() -> float:
    return sum(usage.ru_utime + usage.ru_stime for usage in _usages())


def _usages() -> list[resource.struct_rusage]:
    return [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]


TOOK = re.compile(r" took ([\d.]+) s, ([\d.]+) s of CPU, (\d+) MB")
"""What `timed` logs: seconds, seconds of CPU, MB."""
