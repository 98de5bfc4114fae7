"""The E-step of fast_align, of both directions at once.

Forward (0), source tokens condition and target tokens are generated; in reverse (1), the other way
round. It goes over the corpus twice. `normalize` takes sentence pair by sentence pair, and finds
the sum of all products of each generated target token. `collect` takes source type by source type:
the row of the tables that it reads and the row of counts that it adds to stay in the caches, and a
generated source token has all its products together. So no posterior of a position is ever stored.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from seggrid.align.fast_align._pass import Pass, copy_slots, extent, gather, longest
from seggrid.align.pairs import Float64, Pairs
from seggrid.align.threads import Workers
from seggrid.base.compiled import njit


class Posteriors(NamedTuple):
    """What the E-step computes besides the counts.

    The distances are expected -|i/n - (j - 1)/m|. That the generated position counts from zero here, and
    from one in the prior, is the program's departure from the paper.

    Attributes:
        factor: (1 - p0) / (Z p(f_j)) of each target token, as a generated one, float64, shape (target
            tokens,).
        target_null: posterior of NULL for each target token, float64, same shape.
        source_null: the same for source tokens, summed for each type, float64, shape (source
            types,).
        target_distance: summed over the target tokens of each sentence pair, float64, shape (S,);
            not in the first pass, which has no need of it.
        source_distance: summed over the source tokens of each type, float64, shape (source types,).
    """

    factor: Float64
    target_null: Float64
    source_null: Float64
    target_distance: Float64
    source_distance: Float64

    @classmethod
    def from_pairs(cls, pairs: Pairs) -> Posteriors:
        """Allocate the arrays of a corpus."""
        tokens, types = len(pairs.target_ids), len(pairs.row) - 1
        rooms = (tokens, tokens, types, len(pairs.load) - 1, types)
        return cls(*(np.zeros(size) for size in rooms))


def normalize(inputs: Pass, posteriors: Posteriors, workers: Workers) -> None:
    """First half of an E-step: what is found for target tokens and sentence pairs."""
    workers.run(_normalize, workers.split(inputs.pairs.load), inputs, posteriors)


@njit(error_model="numpy")
def _normalize(begin: int, end: int, inputs: Pass, posteriors: Posteriors) -> None:
    pairs, shapes, prior, tables = inputs
    power, up, down, z = shapes.power, prior.up, prior.down, prior.z
    weight, p0 = tables.weight, prior.p0
    factor, null, distance = posteriors.factor, posteriors.target_null, posteriors.target_distance
    size, columns = longest(begin, end, pairs.load), longest(begin, end, pairs.target_offsets)
    slots, t = np.empty(size, dtype=np.uint32), np.empty(size)
    low, high, place = np.empty(columns), np.empty(columns), np.empty(columns)
    total, moved = np.empty(columns), np.empty(columns)
    for s in range(begin, end):
        a, b, n, m = extent(pairs, s)
        x, y = np.uint64(shapes.power_base[n] + 1), np.uint64(shapes.power_base[m])
        of_shape = np.uint64(shapes.z_base[0, shapes.of_pair[s]])
        if weight.shape[1] == 0:
            # With all t the same, the prior's products add to one.
            for j in range(m):
                factor[b + j] = 1.0 / z[of_shape + j]
                null[b + j] = p0
            continue
        copy_slots(a, n, m, pairs.first, pairs.slot, slots)
        gather(a, n, m, pairs.source_ids, pairs.row, slots, weight, np.uint64(0), t)
        for j in range(m):
            z_j = z[of_shape + j]
            low[j] = down[0, y + np.uint64(1) + j] / z_j
            high[j] = up[0, y + np.uint64(1) + j] / z_j
            place[j] = power[y + j]
            total[j] = p0 * tables.target_null[pairs.target_ids[b + j]]
            moved[j] = 0.0
        for i in range(n):
            rising, falling, here = up[0, x + i], down[0, x + i], power[x + i]
            k = i * m
            for j in range(m):
                # exp(-tension |i/n - j/m|) is the lesser of the two quotients of powers.
                p = t[k + j] * min(rising * low[j], falling * high[j])
                total[j] += p
                moved[j] -= p * abs(here - place[j])
        distance[s] = 0.0
        for j in range(m):
            inverse = 1.0 / total[j] if total[j] > 0.0 else 0.0
            factor[b + j] = inverse / z[of_shape + j]
            null[b + j] = p0 * tables.target_null[pairs.target_ids[b + j]] * inverse
            distance[s] += moved[j] * inverse


def collect(inputs: Pass, posteriors: Posteriors, counts: Float64, workers: Workers) -> None:
    """Second half of an E-step: what is found for source tokens, and the counts.

    Each count is summed by one thread in the order of the corpus, however the rows are shared out.

    Args:
        counts: of both directions, float64, shape (2, C); overwritten.
    """
    workers.run(_collect, workers.split(inputs.pairs.row_load), inputs, posteriors, counts)


@njit(error_model="numpy")
def _collect(begin: int, end: int, inputs: Pass, posteriors: Posteriors, counts: Float64) -> None:
    pairs, shapes, prior, tables = inputs
    row, slot = pairs.row, pairs.slot
    power, up, down, z = shapes.power, prior.up, prior.down, prior.z
    weight, factor = tables.weight, posteriors.factor
    null, distance = posteriors.source_null, posteriors.source_distance
    columns = longest(0, len(pairs.target_offsets) - 1, pairs.target_offsets)
    forward, reverse = np.ones(columns), np.ones(columns)
    for source_type in range(begin, end):
        of_row, k = np.uint64(row[source_type]), np.uint64(pairs.row_load[source_type])
        for c in range(row[source_type], row[source_type + 1]):
            counts[0, c] = 0.0
            counts[1, c] = 0.0
        of_null = prior.p0 * tables.source_null[source_type]
        null[source_type] = 0.0
        distance[source_type] = 0.0
        for o in range(pairs.of_type[source_type], pairs.of_type[source_type + 1]):
            s, i = pairs.sentence[o], np.uint64(pairs.place[o])
            b = np.uint64(pairs.target_offsets[s])
            n, m = (
                pairs.source_offsets[s + 1] - pairs.source_offsets[s],
                np.uint64(pairs.target_offsets[s + 1]) - b,
            )
            x, y = np.uint64(shapes.power_base[n] + 1) + i, np.uint64(shapes.power_base[m] + 1)
            z_i = z[np.uint64(shapes.z_base[1, shapes.of_pair[s]]) + i]
            if weight.shape[1] == 0:
                for j in range(m):
                    forward[j] = 1.0
                    reverse[j] = 1.0
            else:
                for j in range(m):
                    cell = of_row + slot[k + j]
                    forward[j] = weight[0, cell]
                    reverse[j] = weight[1, cell]
            rising, falling = up[0, x], down[0, x]
            for j in range(m):
                forward[j] *= min(rising * down[0, y + j], falling * up[0, y + j]) * factor[b + j]
            rising, falling = up[1, x] / z_i, down[1, x] / z_i
            for j in range(m):
                reverse[j] *= min(rising * down[1, y + j], falling * up[1, y + j])
            total, moved = _sums(m, reverse, power[x - np.uint64(1)], power, y)
            total += of_null
            inverse = 1.0 / total if total > 0.0 else 0.0
            null[source_type] += of_null * inverse
            distance[source_type] -= moved * inverse
            for j in range(m):
                cell = of_row + slot[k + j]
                counts[0, cell] += forward[j]
                counts[1, cell] += reverse[j] * inverse
            k += m


# Summed one by one: vectorized it would be 2 percent faster, but give other bytes on other processors.
@njit
def _sums(m: int, p: Float64, here: float, power: Float64, y: int) -> tuple[float, float]:
    """Sum of p[j], and of p[j] |here - power[y + j]|, for j = 0..m - 1."""
    total = moved = 0.0
    for j in range(m):
        total += p[j]
        moved += p[j] * abs(here - power[y + j])
    return total, moved
