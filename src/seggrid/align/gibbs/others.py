"""The counts of links in the parts of a text, which let each part be aligned again with those of all others.

In "Distributed Algorithms for Topic Models" (Newman, Asuncion, Smyth and Welling 2009), the sampler of each
part repeatedly gets the counts of the other parts. Here it gets them once, before its first sweep: they are
its priors (`Priors`), added to the counts of its own links. Files hold the counts of each sampler as arrays
of integers, so that sums and differences are exact.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seggrid.align.gibbs._prior_counts import TypeCounts, type_counts_of
from seggrid.align.gibbs._sampler import FERTILITIES
from seggrid.align.gibbs.priors import Priors
from seggrid.base.arrays import HINT, Int64, pack_strings, read_arrays, unpack_strings, write_arrays
from seggrid.base.errors import InputError
from seggrid.text.ragged import narrow
from seggrid.text.sides import SIDES


class SamplerCounts(NamedTuple):
    """The counts of K samplers' links, with the text of the types.

    Attributes:
        types: source types and target types.
        by_type: the counts, in which a type is its index in `types`.
    """

    types: tuple[list[str], list[str]]
    by_type: TypeCounts


class Others(NamedTuple):
    """The counts of all other parts of a text, as priors for one part.

    Attributes:
        every: file of the sum of all parts' counts, this one's included.
        own: file of this part's counts.
    """

    every: Path
    own: Path

    def type_counts(self, source: Sequence[str], target: Sequence[str]) -> TypeCounts:
        """The counts for the types of a text. The total of a type includes its links to types that are not in
        the text."""
        # Keep only the pairs of the text's types in memory.
        known = {*source}, {*target}
        every, own = (restricted(read_sampler_counts(file, known), source, target) for file in self)
        try:
            return counts_difference(every, own, len(target))
        except ValueError:
            raise InputError(f"not a part of {self.every}", file=self.own, hint=HINT) from None


def write_sampler_counts(priors: Sequence[Priors], path: str | Path) -> None:
    """Write the counts of samplers, which `align_sample` returned."""
    _write(counts_of(priors), path)


def counts_of(priors: Sequence[Priors]) -> SamplerCounts:
    """The counts of priors for all types that have tokens."""
    directions = [one.forward for one in priors], [one.reverse for one in priors]
    # Each type that has tokens has fertilities: tokens without links count as fertility 0.
    source, target = (
        sorted({e for direction in own for e, _ in direction.fertilities}) for own in directions
    )
    return SamplerCounts((source, target), type_counts_of(priors, source, target))


def sum_sampler_counts(files: Sequence[Path], path: str | Path) -> None:
    """Write the sum of the counts in one or more files."""
    _write(_sum(files), path)


def _sum(files: Sequence[Path]) -> SamplerCounts:
    """The sum of the counts in files. Both halves are summed first, so that each count is copied only about
    log2(number of files) times."""
    if len(files) == 1:
        return read_sampler_counts(files[0])
    middle = len(files) // 2
    return added(_sum(files[:middle]), _sum(files[middle:]))


def added(one: SamplerCounts, other: SamplerCounts) -> SamplerCounts:
    """The sum of two counts, for all types of both."""
    source, target = (
        list(dict.fromkeys([*own, *more])) for own, more in zip(one.types, other.types, strict=True)
    )
    first, second = (restricted(counts, source, target) for counts in (one, other))
    return SamplerCounts((source, target), _sum_of(first, second, len(target)))


def restricted(counts: SamplerCounts, source: Sequence[str], target: Sequence[str]) -> TypeCounts:
    """The counts for some types, numbered by their index in `source` and `target`. The total of a type still
    includes its links to all other types."""
    by_type = counts.by_type
    new_numbers = [
        _places(types, {text: k for k, text in enumerate(wanted)})
        for types, wanted in zip(counts.types, (source, target), strict=True)
    ]
    source_of, target_of = new_numbers[0][by_type.source], new_numbers[1][by_type.target]
    wanted = np.flatnonzero((source_of >= 0) & (target_of >= 0))
    wanted = wanted[np.argsort(source_of[wanted] * len(target) + target_of[wanted])]
    totals, fertilities = [], []
    for way, (places, size) in enumerate(zip(new_numbers, (len(source), len(target)), strict=True)):
        totals.append(_moved(by_type.totals[way], places, size))
        rows = by_type.fertilities[way].reshape(len(places), -1)
        moved = _moved(rows, places, size)
        fertilities.append(moved.reshape(size * FERTILITIES, by_type.samplers))
    source_of, target_of, links = source_of[wanted], target_of[wanted], by_type.links[wanted]
    return TypeCounts(source_of, target_of, links, totals, by_type.jumps, fertilities)


def _places(types: Sequence[str], numbers: Mapping[str, int]) -> Int64:
    """The number of each type, int64; -1 if it has none."""
    return np.array([numbers.get(text, -1) for text in types], dtype=np.int64)


def _moved(rows: Int64, places: Int64, size: int) -> Int64:
    """A table of `size` rows in which row `places[k]` is `rows[k]`, and rows without a place are left out."""
    moved = np.zeros((size, *rows.shape[1:]), dtype=np.int64)
    moved[places[places >= 0]] = rows[places >= 0]
    return moved


def counts_difference(one: TypeCounts, other: TypeCounts, width: int) -> TypeCounts:
    """The counts of `one` minus those of `other`, which are for the same types.

    Raises:
        ValueError: a count of `other` is larger.
    """
    found = _sum_of(one, other, width, -1)
    tables = found.links, *found.totals, *found.fertilities, *(times for _, times in found.jumps)
    if any(table.min(initial=0) < 0 for table in tables):
        raise ValueError("a negative count")
    return found


def _sum_of(one: TypeCounts, other: TypeCounts, width: int, sign: int = 1) -> TypeCounts:
    """The sum of two counts for the same types, or their difference if `sign` is -1; `width` is the number of
    target types."""
    keys = (counts.source * width + counts.target for counts in (one, other))
    pairs, links = _add_rows(
        np.concatenate([*keys]), np.concatenate([one.links, sign * other.links])
    )
    jumps = [
        _add_rows(np.concatenate([a[0], b[0]]), np.concatenate([a[1], sign * b[1]]))
        for a, b in zip(one.jumps, other.jumps, strict=True)
    ]
    totals, fertilities = (
        [a + sign * b for a, b in zip(*tables, strict=True)]
        for tables in ((one.totals, other.totals), (one.fertilities, other.fertilities))
    )
    source, target = np.divmod(pairs, max(width, 1))
    return TypeCounts(source, target, links, totals, jumps, fertilities)


def _add_rows(keys: Int64, rows: Int64) -> tuple[Int64, Int64]:
    """The distinct keys, ascending, and the sum of the rows of each, without rows of zeros."""
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    first = np.flatnonzero(np.diff(keys, prepend=keys[:1] - 1))
    if not len(first):
        return keys, rows
    sums = np.add.reduceat(rows[order], first, axis=0)
    is_counted = sums.any(axis=1)
    return keys[first][is_counted], sums[is_counted]


def _write(counts: SamplerCounts, path: str | Path) -> None:
    by_type = counts.by_type
    arrays: dict[str, NDArray[np.integer]] = {
        side: pack_strings(types) for side, types in zip(SIDES, counts.types, strict=True)
    }
    arrays |= {"linked/source": narrow(by_type.source), "linked/target": narrow(by_type.target)}
    arrays |= {"links": narrow(by_type.links)}
    for side, (distances, times), fertilities in zip(
        SIDES, by_type.jumps, by_type.fertilities, strict=True
    ):
        arrays |= {f"{side}/jumps": narrow(distances), f"{side}/times": narrow(times)}
        arrays[f"{side}/fertilities"] = narrow(fertilities)
    write_arrays(path, arrays)


def read_sampler_counts(
    path: str | Path, known: tuple[set[str], set[str]] | None = None
) -> SamplerCounts:
    """Read a file that `write_sampler_counts` or `sum_sampler_counts` wrote. If source and target types are
    `known`, the links of other pairs of types are left out, and only included in the totals."""
    arrays = read_arrays(path)
    source, target = (unpack_strings(arrays, side) for side in SIDES)
    source_of, target_of = arrays["linked/source"], arrays["linked/target"]
    links = arrays["links"]
    samplers = links.shape[1]
    jumps, fertilities = [], []
    for side in SIDES:
        distances, times = arrays[f"{side}/jumps"], arrays[f"{side}/times"]
        jumps.append((distances.astype(np.int64), times.astype(np.int64)))
        fertilities.append(arrays[f"{side}/fertilities"].astype(np.int64))
    totals = [
        np.stack([_totals(numbers, links[:, k], size) for k in range(samplers)], axis=1)
        for numbers, size in ((source_of, len(source)), (target_of, len(target)))
    ]
    if known is not None:
        is_known = [
            np.array([text in own for text in types], dtype=np.bool_)
            for types, own in zip((source, target), known, strict=True)
        ]
        both = is_known[0][source_of] & is_known[1][target_of]
        source_of, target_of, links = source_of[both], target_of[both], links[both]
    source_of, target_of, links = (one.astype(np.int64) for one in (source_of, target_of, links))
    by_type = TypeCounts(source_of, target_of, links, totals, jumps, fertilities)
    return SamplerCounts((source, target), by_type)


def _totals(numbers: NDArray[np.integer], links: NDArray[np.integer], types: int) -> Int64:
    """The number of links of each type. `bincount` adds in floating point, which is exact up to 2**53."""
    return np.bincount(numbers, weights=links, minlength=types).astype(np.int64)
