"""Run kernels that release the interpreter lock on ranges of rows, in threads."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from seggrid.base.errors import InputError

T = TypeVar("T")


def split_rows(load: NDArray[np.int64], parts: int) -> list[tuple[int, int]]:
    """Divide rows, whose cumulative load is given, shape (rows + 1,), into at most `parts` ranges with about
    equal loads."""
    shares = np.linspace(load[0], load[-1], parts + 1)[1:-1]
    edges = [0, *np.searchsorted(load[:-1], shares).tolist(), len(load) - 1]
    return [(a, b) for a, b in pairwise(edges) if a < b]


class Workers:
    """A fixed number of threads; a context manager."""

    def __init__(self, threads: int) -> None:
        if threads < 1:
            raise InputError(f"threads is {threads}", hint="give 1 or more")
        self.threads = threads
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool:
            self._pool.shutdown()

    def split(self, load: NDArray[np.int64]) -> list[tuple[int, int]]:
        """Divide rows into at most one range for each thread, with about equal loads."""
        return split_rows(load, self.threads)

    def run(
        self, kernel: Callable[..., T], ranges: list[tuple[int, int]], *arguments: object
    ) -> list[T]:
        """The results of `kernel(begin, end, *arguments)` for each range, in order."""
        if self._pool is None or len(ranges) < 2:
            return [kernel(begin, end, *arguments) for begin, end in ranges]
        futures = [self._pool.submit(kernel, begin, end, *arguments) for begin, end in ranges]
        return [future.result() for future in futures]
