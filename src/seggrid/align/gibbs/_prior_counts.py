"""The counts of priors as arrays: by the types of a text, and as the samplers of one direction add them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seggrid.align.gibbs.priors import Priors
from seggrid.base.arrays import Int64

FERTILITIES = 8
"""Classes of fertility: 0 to 6, and 7 or more. Compiled into kernels (njit), of whose digest this module is a
part."""


class PriorCounts(NamedTuple):
    """The counts of K priors for one direction, which the samplers add to the counts of their links.

    V is the number of conditioning types. Without priors, no array has elements. Sampler k adds the counts of
    the priors k modulo K.

    Attributes:
        cells: the cells that have links in priors, int64, shape (C,).
        links: the number of links of each cell, int64, shape (C, K).
        totals: links of each conditioning type, to any generated type, int64, shape (V, K).
        jumps: counts of the jumps -D..D, int64, shape (2 D + 1, K).
        jump_totals: number of all jumps, of any length, int64, shape (K,).
        fertilities: how many tokens of each conditioning type have 0..7 links, int64, shape (V x 8, K).
    """

    cells: Int64
    links: Int64
    totals: Int64
    jumps: Int64
    jump_totals: Int64
    fertilities: Int64

    def of(self, samplers: range) -> PriorCounts:
        """The counts that some samplers add, with one column for each sampler."""
        if not len(self.jump_totals):
            return self
        columns = [k % len(self.jump_totals) for k in samplers]
        return PriorCounts(self.cells, *(array[..., columns] for array in self[1:]))


class TypeCounts(NamedTuple):
    """The counts of K priors for the types of a text, which has V source types and W target types.

    Attributes:
        source, target: source and target type of each pair of types with links, sorted, int64, shape (C,).
        links: the number of links of each pair, int64, shape (C, K).
        totals: links of each source type and of each target type, to any type, int64, shapes (V, K), (W, K).
        jumps: for each direction, the jumps that occur, ascending, int64, shape (J,), and their counts,
            int64, shape (J, K).
        fertilities: for each direction, how many tokens of each conditioning type have 0..7 links, int64,
            shapes (V x 8, K), (W x 8, K).
    """

    source: Int64
    target: Int64
    links: Int64
    totals: tuple[Int64, Int64]
    jumps: tuple[tuple[Int64, Int64], tuple[Int64, Int64]]
    fertilities: tuple[Int64, Int64]

    @property
    def samplers(self) -> int:
        """K."""
        return int(self.links.shape[1])


def type_counts_of(
    priors: Sequence[Priors], source: Sequence[str], target: Sequence[str]
) -> TypeCounts:
    """The counts of priors for the source and target types of a text."""
    width = len(priors)
    index = {text: k for k, text in enumerate(target)}
    pairs: dict[tuple[int, int], list[int]] = {}
    # Look up only pairs of the text's types: a text may be one sentence, and priors have a million pairs.
    for column, one in enumerate(priors):
        for e, text in enumerate(source):
            partners = one.partners.get(text, {})
            few, many = (index, partners) if len(index) < len(partners) else (partners, index)
            for other in few:
                if other in many and partners[other]:
                    pairs.setdefault((e, index[other]), [0] * width)[column] = partners[other]
    keys = sorted(pairs)
    source_of, target_of = np.array(keys, dtype=np.int64).reshape(-1, 2).T
    links = np.array([pairs[key] for key in keys], dtype=np.int64).reshape(len(keys), width)
    totals, jumps, fertilities = [], [], []
    for way, types in enumerate((source, target)):
        directions = [(one.forward, one.reverse)[way] for one in priors]
        totals.append(_columns([one.totals[way] for one in priors], types))
        distances = sorted(set().union(*(direction.jumps for direction in directions)))
        counts = _columns([direction.jumps for direction in directions], distances)
        jumps.append((np.array(distances, dtype=np.int64), counts))
        fertilities.append(np.zeros((len(types) * FERTILITIES, width), dtype=np.int64))
        for column, direction in enumerate(directions):
            for e, text in enumerate(types):
                for k, count in direction.by_type.get(text, {}).items():
                    row = e * FERTILITIES + min(k, FERTILITIES - 1)
                    fertilities[way][row, column] += count
    return TypeCounts(
        source_of,
        target_of,
        links,
        (totals[0], totals[1]),
        (jumps[0], jumps[1]),
        (fertilities[0], fertilities[1]),
    )


def _columns(tables: Sequence[Mapping[Any, int]], keys: Sequence[Any]) -> Int64:
    """The values of some keys in each table, int64, shape (keys, tables); 0 for a key that is missing."""
    rows = [[table.get(key, 0) for table in tables] for key in keys]
    return np.array(rows, dtype=np.int64).reshape(len(keys), len(tables))


def prior_cells(
    type_counts: TypeCounts,
    target_types: int,
    row: NDArray[np.integer],
    column: NDArray[np.integer],
) -> tuple[Int64, Int64]:
    """The cells of a corpus that have links in priors, ascending, int64, shape (C,), and the number of these
    links, int64, shape (C, K).
    """
    keys = np.repeat(np.arange(len(row) - 1), np.diff(row)) * target_types + column
    wanted = type_counts.source * target_types + type_counts.target
    order = np.argsort(keys, kind="stable")
    at = np.searchsorted(keys[order], wanted).clip(max=len(keys) - 1)
    found = keys[order][at] == wanted
    cells = order[at[found]]
    ascending = np.argsort(cells)
    return cells[ascending], type_counts.links[found][ascending]


def prior_counts_of(
    type_counts: TypeCounts, way: int, longest: int, cells: tuple[Int64, Int64]
) -> PriorCounts:
    """The counts of priors for one direction.

    Args:
        type_counts: the counts of both directions.
        way: 0 forward, 1 reverse.
        longest: the longest jump that the text allows.
        cells: the cells with links in priors, and the number of these links, as from `prior_cells`.
    """
    if not type_counts.samplers:
        none, nothing = np.zeros(0, dtype=np.int64), np.zeros((0, 0), dtype=np.int64)
        return PriorCounts(none, nothing, nothing, nothing, none, nothing)
    distances, counts = type_counts.jumps[way]
    jumps = np.zeros((2 * longest + 1, type_counts.samplers), dtype=np.int64)
    near = np.abs(distances) <= longest
    jumps[longest + distances[near]] = counts[near]
    return PriorCounts(
        *cells, type_counts.totals[way], jumps, counts.sum(axis=0), type_counts.fertilities[way]
    )
