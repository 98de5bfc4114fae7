"""What the command-line scripts share."""

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
    """Log how long the work itself took, without the job's start, reading and writing."""
    start, cpu = time.perf_counter(), time.process_time()
    yield
    wall, cpu = time.perf_counter() - start, time.process_time() - cpu
    print(f"{what} took {wall:.3f} s, {cpu:.3f} s of CPU", file=sys.stderr)
