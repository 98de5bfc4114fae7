"""Parts: ranges of samples that one job computes; and the seed of each sample.

Samples are computed in parts, so that starting a job does not take longer than its work. Parts of an earlier
run are reused: if the number of samples is raised, only the new samples are computed.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

_PART = re.compile(r"\d+-\d+")


class Part(NamedTuple):
    """A range of samples or lines, first and last included. Files are named after it, such as `4-7`."""

    first: int
    last: int

    @classmethod
    def from_text(cls, text: str) -> Part:
        """Read the name of a part.

        >>> Part.from_text("4-7").size, str(Part(4, 7))
        (4, '4-7')
        """
        first, _, last = text.partition("-")
        return cls(int(first), int(last))

    @property
    def size(self) -> int:
        """The number of samples or lines."""
        return self.last - self.first + 1

    def range(self) -> range:
        """Their numbers."""
        return range(self.first, self.last + 1)

    def __str__(self) -> str:
        return f"{self.first}-{self.last}"


ONE = Part(0, 0)
"""The only part of what is not sampled."""


def parts_in(folder: str | Path, suffix: str) -> list[Part]:
    """The parts whose files are in a folder; none if there is no folder."""
    folder = Path(folder)
    names = [file.name.removesuffix(suffix) for file in folder.iterdir()] if folder.is_dir() else []
    return [Part.from_text(name) for name in names if _PART.fullmatch(name)]


def cover(samples: int, present: Iterable[Part], batch: int) -> list[Part]:
    """Parts that contain samples 0 .. `samples` - 1, in order and without gaps.

    At each sample, the longest present part that begins there is used; gaps are filled with parts of at most
    `batch` samples. The last part may have more samples than needed. The result is stable: it does not change
    once some or all of these parts are present.

    >>> [
    ...     " ".join(map(str, cover(samples, present, 5)))
    ...     for samples, present in ((5, []), (3, [Part(0, 1)]), (3, [Part(0, 4)]))
    ... ]
    ['0-4', '0-1 2-2', '0-4']
    """
    longest: dict[int, int] = {}
    for first, last in present:
        longest[first] = max(last, longest.get(first, last))
    chosen: list[Part] = []
    at = 0
    while at < samples:
        last = longest.get(at, -1)
        if last < 0:
            limit = min([start for start in longest if start > at] + [samples])
            last = min(at + batch, limit) - 1
        chosen.append(Part(at, last))
        at = last + 1
    return chosen


def first_parts(parts: Sequence[Part], samples: int) -> list[Part]:
    """The first of some parts in order, which contain samples 0 .. `samples` - 1; the last may contain more.

    >>> list(map(str, first_parts([Part(0, 4), Part(5, 9)], 3)))
    ['0-4']
    """
    return [part for part in parts if part.first < samples]


def sample_seeds(seed: int, names: Sequence[str], part: tuple[int, int]) -> list[int]:
    """A 64-bit seed for each sample of a part.

    It is a hash of the config's seed, the names of the segmentation (pair, side, spec) or of the alignment
    (see `alignment_names`), and the number of the sample.
    """
    text = "/".join([str(seed), *names])
    return [
        int.from_bytes(hashlib.blake2b(f"{text}/{k}".encode(), digest_size=8).digest(), "little")
        for k in range(part[0], part[1] + 1)
    ]


def alignment_names(
    pair: str, source: str, target: str, aligner: str, replicate: int
) -> Sequence[str]:
    """The names that identify an alignment in `sample_seeds`."""
    return [pair, source, target, aligner, f"replicate={replicate}"]
