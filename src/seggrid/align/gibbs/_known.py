"""The counts of priors, as arrays for the samplers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seggrid.align.gibbs.priors import Priors
from seggrid.align.pairs import Int64
from seggrid.data.segmentation import Segmentation

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


def cell_counts(
    priors: Priors,
    source: Segmentation,
    target: Segmentation,
    row: NDArray[np.integer],
    column: NDArray[np.integer],
) -> tuple[Int64, Int64]:
    """The cells of a corpus of which priors have counted links, ascending, and how many; int64, shapes (C,).

    Args:
        row, column: of the corpus's cells, see `seggrid.align.pairs.Pairs`.
    """
    keys = np.repeat(np.arange(len(row) - 1), np.diff(row)) * len(target.types) + column
    index = {text: k for k, text in enumerate(target.types)}
    known = []
    # Only what the text has is looked up: a sentence is aligned often, and priors have a million pairs.
    for e, text in enumerate(source.types):
        partners = priors.partners.get(text, {})
        few, many = (index, partners) if len(index) < len(partners) else (partners, index)
        known += [
            (e * len(target.types) + index[f], partners[f])
            for f in few
            if f in many and partners[f]
        ]
    wanted, values = np.array(known, dtype=np.int64).reshape(-1, 2).T
    order = np.argsort(keys, kind="stable")
    at = np.searchsorted(keys[order], wanted).clip(max=len(keys) - 1)
    found = keys[order][at] == wanted
    cells = order[at[found]]
    ascending = np.argsort(cells)
    return cells[ascending], values[found][ascending]


def known_cells(
    priors: Sequence[Priors],
    source: Segmentation,
    target: Segmentation,
    row: NDArray[np.integer],
    column: NDArray[np.integer],
) -> tuple[Int64, Int64]:
    """The same of K priors: cells that any of them knows, shape (C,), and the links in each, shape (C, K)."""
    found = [cell_counts(one, source, target, row, column) for one in priors]
    cells = np.unique(np.concatenate([[], *(cells for cells, _ in found)])).astype(np.int64)
    counts = np.zeros((len(cells), len(priors)), dtype=np.int64)
    for k, (known, links) in enumerate(found):
        counts[np.searchsorted(cells, known), k] = links
    return cells, counts


def known_links(
    priors: Sequence[Priors], way: int, given: Segmentation, generated: Segmentation
) -> tuple[Int64, Int64, Int64]:
    """The counts in K priors of all pairs of a text's types: conditioning types and generated types, int64,
    shape (C,), and counts, int64, shape (C, K)."""
    numbers = [{text: k for k, text in enumerate(side.types)} for side in (given, generated)]
    found: dict[tuple[int, int], list[int]] = {}
    for k, one in enumerate(priors):
        for pair, count in one.lexical.items():
            e, f = (numbers[0].get(pair[way]), numbers[1].get(pair[1 - way]))
            if e is not None and f is not None and count:
                found.setdefault((e, f), [0] * len(priors))[k] = count
    e_of, f_of = np.array(list(found), dtype=np.int64).reshape(-1, 2).T
    return (
        e_of,
        f_of,
        np.array(list(found.values()), dtype=np.int64).reshape(len(found), len(priors)),
    )


def known_counts(
    priors: Sequence[Priors],
    way: int,
    given: Segmentation,
    longest: int,
    cells: tuple[Int64, Int64],
) -> Known:
    """The counts of one direction in priors, as the samplers add them.

    Args:
        way: 0 forward, 1 reverse.
        given: the conditioning side.
        longest: the longest jump that there can be.
        cells: those that priors know, and their links, as `known_cells` finds them.
    """
    if not priors:
        none, nothing = np.zeros(0, dtype=np.int64), np.zeros((0, 0), dtype=np.int64)
        return Known(none, nothing, nothing, nothing, none, nothing)
    total = np.zeros((len(given.types), len(priors)), dtype=np.int64)
    jump = np.zeros((2 * longest + 1, len(priors)), dtype=np.int64)
    kinds = np.zeros((len(given.types) * FERTILITIES, len(priors)), dtype=np.int64)
    jumps = np.zeros(len(priors), dtype=np.int64)
    for column, one in enumerate(priors):
        direction = (one.forward, one.reverse)[way]
        totals, kinds_of = one.totals[way], direction.kinds
        total[:, column] = [totals.get(text, 0) for text in given.types]
        jumps[column] = sum(direction.jumps.values())
        for d, count in direction.jumps.items():
            if abs(d) <= longest:
                jump[longest + d, column] = count
        for e, text in enumerate(given.types):
            for k, count in kinds_of.get(text, {}).items():
                kinds[e * FERTILITIES + min(k, FERTILITIES - 1), column] += count
    return Known(*cells, total, jump, jumps, kinds)
