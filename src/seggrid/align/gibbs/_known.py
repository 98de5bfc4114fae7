"""The counts of priors, as arrays for the sampler."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seggrid.align.gibbs.priors import Priors
from seggrid.align.pairs import Int64
from seggrid.data.segmentation import Segmentation

FERTILITIES = 8
"""Classes of fertility: 0 to 6, and 7 or more."""


class Known(NamedTuple):
    """Counts of one direction that do not come from its links, but from priors; see `Chains` for V.

    Attributes:
        cell: links of each cell, int64, shape (cells,); without elements if nothing is known.
        total: links of each conditioning type, to any generated type, int64, shape (V,).
        jump: jumps -D..D, int64, shape (2 D + 1,).
        jumps: all jumps, of any length.
        kinds: how many tokens of a conditioning type have 0..7 links, int64, shape (V x 8).
    """

    cell: Int64
    total: Int64
    jump: Int64
    jumps: int
    kinds: Int64


def cell_counts(
    priors: Priors,
    source: Segmentation,
    target: Segmentation,
    row: NDArray[np.integer],
    column: NDArray[np.integer],
) -> Int64:
    """The prior counts of links in each cell of a corpus, int64, shape (C,).

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
        known += [(e * len(target.types) + index[f], partners[f]) for f in few if f in many]
    counts = np.zeros(len(keys), dtype=np.int64)
    if known:
        wanted, values = np.array(known, dtype=np.int64).T
        order = np.argsort(keys, kind="stable")
        at = np.searchsorted(keys[order], wanted).clip(max=len(keys) - 1)
        found = keys[order][at] == wanted
        counts[order[at[found]]] = values[found]
    return counts


def known_links(
    priors: Priors | None, way: int, given: Segmentation, generated: Segmentation
) -> tuple[Int64, Int64, Int64]:
    """The prior counts of all pairs of a text's types: conditioning types, generated types and counts."""
    found: list[tuple[int, int, int]] = []
    if priors is not None:
        numbers = [{text: k for k, text in enumerate(side.types)} for side in (given, generated)]
        for pair, count in priors.lexical.items():
            e, f = (numbers[0].get(pair[way]), numbers[1].get(pair[1 - way]))
            if e is not None and f is not None and count:
                found.append((e, f, count))
    e_of, f_of, counts = np.array(found, dtype=np.int64).reshape(-1, 3).T
    return e_of, f_of, counts


def known_counts(
    priors: Priors | None, way: int, given: Segmentation, longest: int, cell: Int64
) -> Known:
    """The prior counts of one direction, as the sampler adds them.

    Args:
        way: 0 forward, 1 reverse.
        given: the conditioning side.
        longest: the longest jump that there can be.
        cell: the links of each cell.
    """
    if priors is None:
        nothing = np.zeros(0, dtype=np.int64)
        return Known(nothing, nothing, nothing, 0, nothing)
    direction = (priors.forward, priors.reverse)[way]
    totals, kinds_of = priors.totals[way], direction.kinds
    total = np.array([totals.get(text, 0) for text in given.types], dtype=np.int64)
    jump = np.zeros(2 * longest + 1, dtype=np.int64)
    for d, count in direction.jumps.items():
        if abs(d) <= longest:
            jump[longest + d] = count
    kinds = np.zeros(len(given.types) * FERTILITIES, dtype=np.int64)
    for e, text in enumerate(given.types):
        for k, count in kinds_of.get(text, {}).items():
            kinds[e * FERTILITIES + min(k, FERTILITIES - 1)] += count
    return Known(cell, total, jump, sum(direction.jumps.values()), kinds)
