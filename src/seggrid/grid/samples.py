"""Which samples are computed together, and the seed of each.

Samples are computed in parts, so that the start of a job does not outweigh its work. Parts of an
earlier run are reused: raising the number of samples computes only the new ones, lowering it none.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

Part = tuple[int, int]
"""A run of samples, first and last, both included."""

_PART = re.compile(r"(\d+)-(\d+)")


def part_name(part: Part) -> str:
    """`4-7`, the name of a part's files."""
    return f"{part[0]}-{part[1]}"


def parse_part(name: str) -> Part:
    """The part that `part_name` named."""
    first, _, last = name.partition("-")
    return int(first), int(last)


def parts_in(folder: str | Path, suffix: str) -> list[Part]:
    """The parts whose files are in a folder; none where there is no folder."""
    folder = Path(folder)
    if not folder.is_dir():
        return []
    matches = (_PART.fullmatch(file.name.removesuffix(suffix)) for file in folder.iterdir())
    return [(int(m[1]), int(m[2])) for m in matches if m]


def cover(samples: int, present: Iterable[Part], batch: int) -> list[Part]:
    """Parts that hold samples 0 .. `samples` - 1, in order and without a gap.

    Parts that are present are used first, at each sample the longest that begins there; the gaps
    are filled with parts of at most `batch` samples. The last part may reach beyond what is asked.
    Once these parts are present as well, in whole or in part, they are again what covers the samples.

    >>> cover(5, [], 5), cover(3, [(0, 1)], 5), cover(3, [(0, 4)], 5)
    ([(0, 4)], [(0, 1), (2, 2)], [(0, 4)])
    """
    longest: dict[int, int] = {}
    for first, last in present:
        longest[first] = max(last, longest.get(first, last))
    chosen: list[Part] = []
    at = 0
    while at < samples:
        last = longest.get(at)
        if last is None:
            limit = min([start for start in longest if start > at] + [samples])
            last = min(at + batch, limit) - 1
        chosen.append((at, last))
        at = last + 1
    return chosen


def first_parts(parts: Sequence[Part], samples: int) -> list[Part]:
    """Those parts, of parts in order, that hold samples 0 .. `samples` - 1; the last may hold more.

    >>> first_parts([(0, 4), (5, 9)], 3), first_parts([(0, 4), (5, 9)], 6)
    ([(0, 4)], [(0, 4), (5, 9)])
    """
    return [part for part in parts if part[0] < samples]


def sample_seeds(seed: int, names: Sequence[str], part: Part) -> list[int]:
    """A 64-bit seed for each sample of a part: the hash of the config's seed, what names the
    segmentation (pair, side, spec) or the alignment (see `alignment_names`) and the sample's number.
    """
    text = "/".join([str(seed), *names])
    return [
        int.from_bytes(hashlib.blake2b(f"{text}/{k}".encode(), digest_size=8).digest(), "little")
        for k in range(part[0], part[1] + 1)
    ]


def alignment_names(
    pair: str, source: str, target: str, aligner: str, replicate: int
) -> Sequence[str]:
    """What names an alignment among all that draw random numbers."""
    return [pair, source, target, aligner, f"replicate={replicate}"]
