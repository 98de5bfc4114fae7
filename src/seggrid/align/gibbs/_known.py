"""The counts of priors, as arrays for the samplers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seggrid.align.gibbs.priors import Priors
from seggrid.align.pairs import Int64

FERTILITIES = 8
"""Classes of fertility: 0 to 6, and 7 or more."""


class Known(NamedTuple):
    """Counts of one direction that do not come from its links, but from K priors; see `Chains` for V.

    Without priors, no array has elements. Sampler k starts from the priors k modulo K.

    Attributes:
        cell: the cells of which priors know, int64, shape (C,).
        links: their links, int64, shape (C, K).
        total: links of each conditioning type, to any generated type, int64, shape (V, K).
        jump: jumps -D..D, int64, shape (2 D + 1, K).
        jumps: all jumps, of any length, int64, shape (K,).
        kinds: how many tokens of a conditioning type have 0..7 links, int64, shape (V x 8, K).
    """

    cell: Int64
    links: Int64
    total: Int64
    jump: Int64
    jumps: Int64
    kinds: Int64

    def of(self, samplers: range) -> Known:
        """The same, the priors being those of some samplers, one after another."""
        if not len(self.jumps):
            return self
        columns = [k % len(self.jumps) for k in samplers]
        return Known(self.cell, *(array[..., columns] for array in self[1:]))


class Taught(NamedTuple):
    """What K priors count of the types of a text, which has V source types and W target types.

    Attributes:
        e, f: source and target type of each cell with links, in order, int64, shape (C,).
        links: of each cell, int64, shape (C, K).
        totals: of each source type, and of each target type, to any type, int64, shapes (V, K), (W, K).
        jumps: of each direction the distances that are counted, ascending, int64, shape (J,), and their
            counts, int64, shape (J, K).
        kinds: how many tokens of a conditioning type have 0..7 links, of each direction, int64, shapes
            (V x 8, K), (W x 8, K).
    """

    e: Int64
    f: Int64
    links: Int64
    totals: tuple[Int64, Int64]
    jumps: tuple[tuple[Int64, Int64], tuple[Int64, Int64]]
    kinds: tuple[Int64, Int64]

    @property
    def samplers(self) -> int:
        """K."""
        return int(self.links.shape[1])


def taught_of(priors: Sequence[Priors], source: Sequence[str], target: Sequence[str]) -> Taught:
    """What priors count of a text's types."""
    width = len(priors)
    index = {text: k for k, text in enumerate(target)}
    cells: dict[tuple[int, int], list[int]] = {}
    # Only what the text has is looked up: a sentence is aligned often, and priors have a million pairs.
    for column, one in enumerate(priors):
        for e, text in enumerate(source):
            partners = one.partners.get(text, {})
            few, many = (index, partners) if len(index) < len(partners) else (partners, index)
            for other in few:
                if other in many and partners[other]:
                    cells.setdefault((e, index[other]), [0] * width)[column] = partners[other]
    keys = sorted(cells)
    e_of, f_of = np.array(keys, dtype=np.int64).reshape(-1, 2).T
    links = np.array([cells[key] for key in keys], dtype=np.int64).reshape(len(keys), width)
    totals, jumps, kinds = [], [], []
    for way, types in enumerate((source, target)):
        own = [(one.forward, one.reverse)[way] for one in priors]
        totals.append(_columns([one.totals[way] for one in priors], types))
        distances = sorted(set().union(*(one.jumps for one in own)))
        counts = _columns([one.jumps for one in own], distances)
        jumps.append((np.array(distances, dtype=np.int64), counts))
        kinds.append(np.zeros((len(types) * FERTILITIES, width), dtype=np.int64))
        for column, direction in enumerate(own):
            for e, text in enumerate(types):
                for k, count in direction.kinds.get(text, {}).items():
                    kinds[way][e * FERTILITIES + min(k, FERTILITIES - 1), column] += count
    return Taught(
        e_of, f_of, links, (totals[0], totals[1]), (jumps[0], jumps[1]), (kinds[0], kinds[1])
    )


def _columns(tables: Sequence[Mapping[Any, int]], keys: Sequence[Any]) -> Int64:
    """The values of some keys in each table, int64, shape (keys, tables)."""
    rows = [[table.get(key, 0) for table in tables] for key in keys]
    return np.array(rows, dtype=np.int64).reshape(len(keys), len(tables))


def known_cells(
    taught: Taught, target_types: int, row: NDArray[np.integer], column: NDArray[np.integer]
) -> tuple[Int64, Int64]:
    """The cells of a corpus in which priors have links, ascending, int64, shape (C,), and these links, int64,
    shape (C, K).

    Args:
        row, column: of the corpus's cells, see `seggrid.align.pairs.Pairs`.
    """
    keys = np.repeat(np.arange(len(row) - 1), np.diff(row)) * target_types + column
    wanted = taught.e * target_types + taught.f
    order = np.argsort(keys, kind="stable")
    at = np.searchsorted(keys[order], wanted).clip(max=len(keys) - 1)
    found = keys[order][at] == wanted
    cells = order[at[found]]
    ascending = np.argsort(cells)
    return cells[ascending], taught.links[found][ascending]


def known_counts(taught: Taught, way: int, longest: int, cells: tuple[Int64, Int64]) -> Known:
    """The counts of one direction in priors, as the samplers add them.

    Args:
        way: 0 forward, 1 reverse.
        longest: the longest jump that there can be.
        cells: those that priors know, and their links, as `known_cells` finds them.
    """
    if not taught.samplers:
        none, nothing = np.zeros(0, dtype=np.int64), np.zeros((0, 0), dtype=np.int64)
        return Known(none, nothing, nothing, nothing, none, nothing)
    distances, counts = taught.jumps[way]
    jump = np.zeros((2 * longest + 1, taught.samplers), dtype=np.int64)
    near = np.abs(distances) <= longest
    jump[longest + distances[near]] = counts[near]
    return Known(*cells, taught.totals[way], jump, counts.sum(axis=0), taught.kinds[way])
