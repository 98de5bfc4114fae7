"""Counts of the links in parts of a text, so that each part is aligned again with those of all others.

Newman, Asuncion, Smyth and Welling (2009), "Distributed Algorithms for Topic Models": samplers of parts know
what those of other parts counted, rather than what they count. Here they are told once, at their start: the
counts of all parts but their own are priors (`Priors`), added to those of their own links. Files hold the
counts of each sampler as arrays; sums and differences are of whole numbers, and exact.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seggrid.align.gibbs._known import FERTILITIES, Taught, taught_of
from seggrid.align.gibbs.priors import Priors
from seggrid.align.pairs import Int64
from seggrid.base.npz import HINT, pack_strings, read_arrays, unpack_strings, write_arrays
from seggrid.data.ragged import narrow
from seggrid.data.sides import SIDES
from seggrid.errors import InputError


class Counts(NamedTuple):
    """The counts of K samplers' links.

    Attributes:
        types: source types and target types.
        taught: the counts, with these types' numbers.
    """

    types: tuple[list[str], list[str]]
    taught: Taught


class Others(NamedTuple):
    """What the other parts of a text counted: the priors of a part.

    Attributes:
        every: file of the sum of all parts' counts, this one's included.
        own: file of this part's counts.
    """

    every: Path
    own: Path

    def taught(self, source: Sequence[str], target: Sequence[str]) -> Taught:
        """The counts of a text's types; links are counted with all types in the totals of each.

        Args:
            source, target: the types.

        Raises:
            InputError: a file is missing or damaged, or does not belong to the other.
        """
        # Only what concerns the text is held of each file.
        known = {*source}, {*target}
        every, own = (restricted(read_counts(file, known), source, target) for file in self)
        try:
            return difference(every, own, len(target))
        except ValueError:
            raise InputError(f"not a part of {self.every}", file=self.own, hint=HINT) from None


def write_counts(priors: Sequence[Priors], path: str | Path) -> None:
    """Write what samplers have counted, given as `align_and_keep` returns it."""
    _write(counts_of(priors), path)


def counts_of(priors: Sequence[Priors]) -> Counts:
    """The counts of priors, of all types that have tokens."""
    kinds = (
        [one.forward.fertilities for one in priors],
        [one.reverse.fertilities for one in priors],
    )
    # Tokens without links are counted too, with 0 of them.
    source, target = (sorted({e for table in own for e, _ in table}) for own in kinds)
    return Counts((source, target), taught_of(priors, source, target))


def sum_counts(files: Sequence[Path], path: str | Path) -> None:
    """Write the sum of the counts in files, at least one.

    Raises:
        InputError: a file is missing or damaged.
    """
    _write(_sum(files), path)


def _sum(files: Sequence[Path]) -> Counts:
    """By halves, so that each cell is moved as often as the number of files has digits."""
    if len(files) == 1:
        return read_counts(files[0])
    middle = len(files) // 2
    return added(_sum(files[:middle]), _sum(files[middle:]))


def added(one: Counts, other: Counts) -> Counts:
    """The sum of two counts, of all types that either has."""
    source, target = (
        list(dict.fromkeys([*own, *more])) for own, more in zip(one.types, other.types, strict=True)
    )
    first, second = (restricted(own, source, target) for own in (one, other))
    return Counts((source, target), _sum_of(first, second, len(target)))


def restricted(counts: Counts, source: Sequence[str], target: Sequence[str]) -> Taught:
    """What counts say of some types, with their numbers. Totals are those with all types."""
    taught = counts.taught
    place_of = [
        _places(types, {text: k for k, text in enumerate(wanted)})
        for types, wanted in zip(counts.types, (source, target), strict=True)
    ]
    e, f = place_of[0][taught.e], place_of[1][taught.f]
    known = np.flatnonzero((e >= 0) & (f >= 0))
    known = known[np.argsort(e[known] * len(target) + f[known])]
    totals, kinds = [], []
    for way, (places, size) in enumerate(zip(place_of, (len(source), len(target)), strict=True)):
        totals.append(_moved(taught.totals[way], places, size))
        by_type = taught.kinds[way].reshape(len(places), -1)
        kinds.append(_moved(by_type, places, size).reshape(size * FERTILITIES, taught.samplers))
    return Taught(
        e[known],
        f[known],
        taught.links[known],
        (totals[0], totals[1]),
        taught.jumps,
        (kinds[0], kinds[1]),
    )


def _places(types: Sequence[str], numbers: Mapping[str, int]) -> Int64:
    """The number of each type, int64; -1 if it has none."""
    return np.array([numbers.get(text, -1) for text in types], dtype=np.int64)


def _moved(rows: Int64, places: Int64, size: int) -> Int64:
    """Rows at other places, of `size`; those of place -1 are left out."""
    moved = np.zeros((size, *rows.shape[1:]), dtype=np.int64)
    moved[places[places >= 0]] = rows[places >= 0]
    return moved


def difference(one: Taught, other: Taught, width: int) -> Taught:
    """The counts of the one without those of the other, of the same types; the target has `width` of them.

    Raises:
        ValueError: the other has counts that the one has not.
    """
    keys, fewer = (taught.e * width + taught.f for taught in (one, other))
    cells, links = _rows_without((keys, one.links), (fewer, other.links))
    forward, reverse = (
        _rows_without(mine, theirs) for mine, theirs in zip(one.jumps, other.jumps, strict=True)
    )
    return Taught(
        cells // max(width, 1),
        cells % max(width, 1),
        links,
        _without(one.totals, other.totals),
        (forward, reverse),
        _without(one.kinds, other.kinds),
    )


def _without(mine: tuple[Int64, Int64], theirs: tuple[Int64, Int64]) -> tuple[Int64, Int64]:
    """The differences of tables of both directions."""
    found = mine[0] - theirs[0], mine[1] - theirs[1]
    if any(table.min(initial=0) < 0 for table in found):
        raise ValueError("less than nothing")
    return found


def _rows_without(mine: tuple[Int64, Int64], theirs: tuple[Int64, Int64]) -> tuple[Int64, Int64]:
    """Keys, ascending, and their rows, less the rows of other keys; without those of nothing but 0."""
    (keys, rows), (others, less) = mine, theirs
    at = np.searchsorted(keys, others)
    if len(others) and (at[-1] == len(keys) or (keys[at] != others).any()):
        raise ValueError("a key that is not there")
    rows = rows.copy()
    rows[at] -= less
    if rows.min(initial=0) < 0:
        raise ValueError("less than nothing")
    counted = rows.any(axis=1)
    return keys[counted], rows[counted]


def _sum_of(one: Taught, other: Taught, width: int) -> Taught:
    """The sum of two counts of the same types, of which the target has `width`."""
    keys = (taught.e * width + taught.f for taught in (one, other))
    cells, links = _rows_added(np.concatenate([*keys]), np.concatenate([one.links, other.links]))
    forward, reverse = (
        _rows_added(np.concatenate([a[0], b[0]]), np.concatenate([a[1], b[1]]))
        for a, b in zip(one.jumps, other.jumps, strict=True)
    )
    return Taught(
        cells // max(width, 1),
        cells % max(width, 1),
        links,
        (one.totals[0] + other.totals[0], one.totals[1] + other.totals[1]),
        (forward, reverse),
        (one.kinds[0] + other.kinds[0], one.kinds[1] + other.kinds[1]),
    )


def _rows_added(keys: Int64, rows: Int64) -> tuple[Int64, Int64]:
    """Distinct keys, ascending, and the sums of their rows; without those of nothing but 0."""
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    first = np.flatnonzero(np.diff(keys, prepend=keys[:1] - 1))
    if not len(first):
        return keys, rows
    sums = np.add.reduceat(rows[order], first, axis=0)
    counted = sums.any(axis=1)
    return keys[first][counted], sums[counted]


def _write(counts: Counts, path: str | Path) -> None:
    taught = counts.taught
    arrays: dict[str, NDArray[np.integer]] = {
        side: pack_strings(types) for side, types in zip(SIDES, counts.types, strict=True)
    }
    arrays |= {"e": narrow(taught.e), "f": narrow(taught.f), "links": narrow(taught.links)}
    for side, (distances, times), kinds in zip(SIDES, taught.jumps, taught.kinds, strict=True):
        arrays |= {f"{side}/jumps": narrow(distances), f"{side}/times": narrow(times)}
        arrays[f"{side}/kinds"] = narrow(kinds)
    write_arrays(path, arrays)


def read_counts(path: str | Path, known: tuple[set[str], set[str]] | None = None) -> Counts:
    """Read what `write_counts` or `sum_counts` wrote.

    Args:
        path: the file.
        known: source and target types; pairs of others have a part in totals alone. By default, all.

    Raises:
        InputError: it is missing or damaged.
    """
    arrays = read_arrays(path)
    source, target = (unpack_strings(arrays, side) for side in SIDES)
    e, f = (arrays.below("e", len(source)), arrays.below("f", len(target)))
    links = arrays.integers("links", (len(e), None))
    if len(f) != len(e):
        raise arrays.damaged("f is not as long as e")
    samplers = links.shape[1]
    jumps, kinds = [], []
    for side, types in zip(SIDES, (source, target), strict=True):
        distances = arrays.integers(f"{side}/jumps", (None,)).astype(np.int64)
        times = arrays.integers(f"{side}/times", (len(distances), samplers)).astype(np.int64)
        jumps.append((distances, times))
        kinds.append(arrays.integers(f"{side}/kinds", (len(types) * FERTILITIES, samplers)))
    totals = [
        np.stack([_totals(numbers, links[:, k], size) for k in range(samplers)], axis=1)
        for numbers, size in ((e, len(source)), (f, len(target)))
    ]
    if known is not None:
        is_known = [
            np.array([text in own for text in types], dtype=np.bool_)
            for types, own in zip((source, target), known, strict=True)
        ]
        both = is_known[0][e] & is_known[1][f]
        e, f, links = e[both], f[both], links[both]
    return Counts(
        (source, target),
        Taught(
            e.astype(np.int64),
            f.astype(np.int64),
            links.astype(np.int64),
            (totals[0], totals[1]),
            (jumps[0], jumps[1]),
            (kinds[0].astype(np.int64), kinds[1].astype(np.int64)),
        ),
    )


def _totals(numbers: NDArray[np.integer], links: NDArray[np.integer], types: int) -> Int64:
    """The links of each type; floating-point numbers count exactly up to 2**53."""
    return np.bincount(numbers, weights=links, minlength=types).astype(np.int64)
