"""The counts of priors as arrays: by the types of a text, and as the samplers of one direction add them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from seggrid.align.gibbs._sampler import FERTILITIES
from seggrid.align.gibbs.priors import Priors
from seggrid.base.arrays import Int64


class PriorCounts(NamedTuple):
    """The counts of K priors for one direction, which the samplers add to the counts of their links.

    Attributes:
        given, generated: the types of each pair of types that has links in priors, int64, shape (C,).
        links: the number of links of each pair, int64, shape (C, K).
        totals: links of each conditioning type, to any generated type, int64, shape (V, K).
        jumps: counts of the jumps -D..D, int64, shape (2 D + 1, K).
        fertilities: how many tokens of each conditioning type have 0..7 links, int64, shape (V x 8, K).
    """

    given: Int64
    generated: Int64
    links: Int64
    totals: Int64
    jumps: Int64
    fertilities: Int64


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
    totals: Sequence[Int64]
    jumps: Sequence[tuple[Int64, Int64]]
    fertilities: Sequence[Int64]

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
    return TypeCounts(source_of, target_of, links, totals, jumps, fertilities)


def _columns(tables: Sequence[Mapping[Any, int]], keys: Sequence[Any]) -> Int64:
    """The values of some keys in each table, int64, shape (keys, tables); 0 for a key that is missing."""
    rows = [[table.get(key, 0) for table in tables] for key in keys]
    return np.array(rows, dtype=np.int64).reshape(len(keys), len(tables))


def prior_counts_of(
    type_counts: TypeCounts, way: int, longest: int, samplers: range
) -> PriorCounts | None:
    """The counts of priors that some samplers add in one direction (0 forward, 1 reverse), where no jump is
    longer than `longest`. Of K priors, sampler k adds those of k modulo K; None without priors."""
    if not type_counts.samplers:
        return None
    columns = [k % type_counts.samplers for k in samplers]
    given, generated = (type_counts.source, type_counts.target)[:: 1 - 2 * way]
    distances, counts = type_counts.jumps[way]
    jumps = np.zeros((2 * longest + 1, len(columns)), dtype=np.int64)
    near = np.abs(distances) <= longest
    jumps[longest + distances[near]] = counts[near][:, columns]
    return PriorCounts(
        given, generated, type_counts.links[:, columns], type_counts.totals[way][:, columns], jumps,
        type_counts.fertilities[way][:, columns],
    )  # fmt: skip


def pair_counts(pairs: Int64, links: int, way: int, types: int, lanes: int) -> PriorCounts:
    """So many links of each pair of a source and a target type, shape (N, 2), without jumps or fertilities,
    for each lane of one direction, which has so many conditioning types."""
    given, generated = pairs.T[:: 1 - 2 * way]
    total = links * np.bincount(given, minlength=types)
    return PriorCounts(
        given, generated, np.full((len(pairs), lanes), links), np.repeat(total[:, None], lanes, axis=1),
        np.zeros((1, 0), dtype=np.int64), np.zeros((types * FERTILITIES, 0), dtype=np.int64),
    )  # fmt: skip
