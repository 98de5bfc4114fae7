"""Steps of long computations, which the command shows on a terminal."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO

WIDTH = 30
"""Width of the bar in characters."""

_INTERVAL = 0.1

CLEAR = "\r\x1b[2K"
"""What a terminal is told to clear the line."""

_watcher: Callable[[str, int, int], None] | None = None


def step(name: str, done: int, total: int) -> None:
    """Report to the progress bar, if one is shown, how many of what `name` counts are done, such as sweeps;
    of a `total` of 0, which is not known, the number alone is shown."""
    if _watcher is not None:
        _watcher(name, done, total)


@contextmanager
def shown(stream: IO[str]) -> Iterator[None]:
    """Show steps as a bar in the last line of a stream, if it is a terminal."""
    global _watcher
    if not stream.isatty():
        yield
        return
    drawn = 0.0

    def draw(name: str, done: int, total: int) -> None:
        nonlocal drawn
        now = time.monotonic()
        if done < total and now - drawn < _INTERVAL:
            return
        drawn = now
        if not total:
            stream.write(f"{CLEAR}{name} {done:,}")
            stream.flush()
            return
        filled = WIDTH * done // max(total, 1)
        bar = f"[{'#' * filled}{' ' * (WIDTH - filled)}] {name} {done:,} of {total:,}"
        stream.write(CLEAR + (bar if done < total else ""))
        stream.flush()

    _watcher = draw
    try:
        yield
    finally:
        _watcher = None
        if drawn:
            stream.write(CLEAR)
