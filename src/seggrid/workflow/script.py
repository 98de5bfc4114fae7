"""What the command-line scripts share."""

import os
import re
import resource
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from seggrid.errors import InputError, Refusal


def run(main: Callable[[], None]) -> None:
    """Run a script; a user's mistake, or a file or disk that cannot be used, ends it with one line and
    status 1, not with a traceback."""
    try:
        main()
    except InputError as error:
        raise Refusal(error) from None
    except OSError as error:
        # What reads or writes files names the temporary file that it writes first.
        file = error.filename2 or error.filename
        message = f"cannot be used: {error.strerror or error}"
        raise Refusal(InputError(message, file=file and os.fsdecode(file))) from error


@contextmanager
def timed(what: str = "algorithm") -> Iterator[None]:
    """Log what the work itself took, without the job's start, reading and writing.

    The CPU time is that of all threads and of programs that were called. The memory is the most
    that the process, or one of these programs, has had meanwhile; nothing is said of it where the
    system does not tell (other than Linux).
    """
    measured = _reset_peak()
    start, cpu = time.perf_counter(), _cpu_time()
    yield
    wall, cpu = time.perf_counter() - start, _cpu_time() - cpu
    memory = f", {_peak_mb():.0f} MB at most" if measured else ""
    print(f"{what} took {wall:.3f} s, {cpu:.3f} s of CPU{memory}", file=sys.stderr)


TOOK = re.compile(r" took ([\d.]+) s, ([\d.]+) s of CPU(?:, (\d+) MB)?")
"""What `timed` logs: seconds, seconds of CPU, MB (or nothing)."""


def _cpu_time() -> float:
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


# `ru_maxrss` of a process begins with what its parent had, of which a fork or exec is made; the
# peak that belongs to the memory itself can be set back (proc(5), `clear_refs`).
def _reset_peak() -> bool:
    """Set the process's peak of memory to what it has now; whether the system can."""
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return False
    return True


def _peak_mb() -> float:
    """The peak of memory of the process since then, or of a program that it has called."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    own = int(re.search(r"VmHWM:\s*(\d+) kB", status)[1])
    return max(own, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss) * 1024 / 1e6
