"""How much memory an aligner will take, said before it starts.

What takes it grows with the pairs of tokens of sentence pairs, or with tokens, and with types.
"""

from __future__ import annotations

import resource
import sys
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from seggrid.align import ALIGNERS
from seggrid.data.segmentation import Segmentation
from seggrid.errors import InputError, note


class Need(NamedTuple):
    """Bytes that an aligner takes beside the text.

    Attributes:
        pair: for each pair of tokens of a sentence pair.
        token: for each token of either side.
        more: what the second thread adds, as a share.
        any: for any text.
    """

    pair: float
    token: float
    more: float = 0.0
    any: float = 0.0


NEEDS = {
    "fast_align": Need(0, 17, 0.1, 120e6),
    "gibbs": Need(9.5, 20, 0.3, 100e6),
    "gibbs, large": Need(0, 17, 0.3, 160e6),
}
"""From the peak of `seggrid align`, less what was held when the aligner started (`VmRSS`), recipes words and
words-fast_align, on one thread: of 30,000 real pairs of English and German (24 million pairs of tokens, 1.5
million tokens) fast_align took 149 MB more and gibbs 414; of 100,000 pairs as `benchmarks/align.py growth`
generates them (66 and 5 million) gibbs 776; of 120,000 (79 and 6 million) fast_align 202 and gibbs, as a
large text, 262; of 300,000 (199 and 15 million) 345 and 413. Measure again what changes an aligner's
arrays."""

ENOUGH = 0.8
"""The share of an estimate from which on it is remarked that the machine has less free: estimates may be a
fifth too high."""


def needed(name: str, source: Segmentation, target: Segmentation, threads: int = 1) -> int | None:
    """Bytes that an aligner takes in addition to what is held before it starts; None if that is not known.

    Args:
        name: the aligner.
        source, target: what is aligned.
        threads: number of threads.
    """
    if name not in NEEDS or not len(source):
        return None
    need = NEEDS[name]
    if name == "gibbs" and len(source) > ALIGNERS["gibbs"].load().LARGE:
        need = NEEDS["gibbs, large"]
    pairs = float(source.lengths @ target.lengths)
    tokens = len(source.ids) + len(target.ids)
    of_text = need.pair * pairs + need.token * tokens
    return int((of_text + need.any) * (1 + need.more * (threads > 1)))


def check_memory(
    name: str,
    source: Segmentation,
    target: Segmentation,
    *,
    threads: int = 1,
    limit: int | None = None,
) -> None:
    """Refuse to align what would take more memory than is allowed, and warn if the machine has less.

    Args:
        name, source, target, threads: as for `needed`.
        limit: bytes that the process may take in all; None: any number.

    Raises:
        InputError: it is likely to take more.
    """
    found = needed(name, source, target, threads)
    if found is None:
        return
    total = held() + found
    what = f"{name} needs about {_gb(total)} for {len(source):,} sentence pairs"
    if limit is not None and total > limit:
        raise InputError(
            f"{what}, where {_gb(limit)} are allowed", hint=_advice(name, source, target, limit)
        )
    free = available()
    if free is not None and ENOUGH * found > free:
        note(
            [
                f"{what}, and the machine has {_gb(held() + free)}: {_advice(name, source, target, free)}"
            ]
        )


def _advice(name: str, source: Segmentation, target: Segmentation, limit: int) -> str:
    """What else can be done with so many bytes."""
    fitting = [
        f"{_gb(held() + took)} with --aligner {other}"
        for other in NEEDS
        if other != name and (took := needed(other, source, target)) and held() + took <= limit
    ]
    return " or ".join([*fitting, "align in parts, as docs/outcome.md says"])


def held() -> int:
    """Bytes of memory that this process holds."""
    with suppress(OSError, ValueError, IndexError):
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
        return pages * resource.getpagesize()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def available() -> int | None:
    """Bytes of memory that the machine, or this process's share of it, still has; None if it does not say."""
    found = []
    with suppress(OSError, ValueError, IndexError, StopIteration):
        lines = Path("/proc/meminfo").read_text("ascii").splitlines()
        line = next(line for line in lines if line.startswith("MemAvailable:"))
        found.append(int(line.split()[1]) * 1024)
    with suppress(OSError, ValueError):
        # The limit of a container.
        most, used = (
            int(Path(f"/sys/fs/cgroup/memory.{name}").read_text("ascii"))
            for name in ("max", "current")
        )
        found.append(most - used)
    return max(0, min(found)) if found else None


def _gb(count: float) -> str:
    return f"{count / 1e9:.1f} GB"
