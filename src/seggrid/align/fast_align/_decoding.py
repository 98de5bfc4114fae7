"""Decoding of fast_align: the most probable link of every token, in both directions."""

from __future__ import annotations

import math

import numpy as np

from seggrid.align.fast_align._pass import Pass, copy_slots, extent, gather, longest
from seggrid.align.pairs import Float64, Int32
from seggrid.align.threads import Workers
from seggrid.base.compiled import njit


def decode(inputs: Pass, workers: Workers) -> tuple[Int32, Int32, Float64]:
    """The most probable link of every token.

    NULL comes first, then the conditioning tokens in order; a later one must be strictly better.

    Returns:
        source_of: the source token of each target token, or -1, int32, shape (target tokens,).
        target_of: the target token of each source token, or -1, int32, shape (source tokens,).
        scores: sum over generated tokens of log p(f_j), float64, shape (2, S).
    """
    pairs = inputs.pairs
    source_of = np.empty(len(pairs.target_ids), dtype=np.int32)
    target_of = np.empty(len(pairs.source_ids), dtype=np.int32)
    scores = np.empty((2, len(pairs.load) - 1))
    workers.run(_decode, workers.split(pairs.load), inputs, source_of, target_of, scores)
    return source_of, target_of, scores


# Products that differ less than this may be equal in exact arithmetic.
_NEAR = 1.0 - 1e-9


@njit(error_model="numpy")
def _decode(
    begin: int, end: int, inputs: Pass, source_of: Int32, target_of: Int32, scores: Float64
) -> None:
    pairs, shapes, prior, tables = inputs
    up, down, z, tension = prior.up, prior.down, prior.z, prior.tension
    weight, p0 = tables.weight, prior.p0
    # Ties are common (a word twice in a sentence, as far from the diagonal), and the program breaks
    # them by how its own arithmetic rounds. So candidates are found by the products of powers, and
    # those that come near the best are compared by exp of the distance, as the program does.
    size, columns = longest(begin, end, pairs.load), longest(begin, end, pairs.target_offsets)
    slots, forward, reverse = np.empty(size, dtype=np.uint32), np.ones(size), np.ones(size)
    low, high, near = np.empty(columns), np.empty(columns), np.empty(columns)
    best, total = np.empty(columns), np.empty(columns)
    for s in range(begin, end):
        a, b, n, m = extent(pairs, s)
        x, y = np.uint64(shapes.power_base[n] + 1), np.uint64(shapes.power_base[m] + 1)
        z_0, z_1 = (
            np.uint64(shapes.z_base[0, shapes.of_pair[s]]),
            np.uint64(shapes.z_base[1, shapes.of_pair[s]]),
        )
        if weight.shape[1]:
            copy_slots(a, n, m, pairs.first, pairs.slot, slots)
            gather(a, n, m, pairs.source_ids, pairs.row, slots, weight, np.uint64(0), forward)
            gather(a, n, m, pairs.source_ids, pairs.row, slots, weight, np.uint64(1), reverse)

        for j in range(m):
            z_j = z[z_0 + j]
            low[j] = down[0, y + j] / z_j
            high[j] = up[0, y + j] / z_j
            best[j] = p0 * tables.target_null[pairs.target_ids[b + j]]
            total[j] = best[j]
            source_of[b + j] = -1
        for i in range(n):
            rising, falling = up[0, x + i], down[0, x + i]
            k = i * m
            for j in range(m):
                near[j] = forward[k + j] * min(rising * low[j], falling * high[j])
                total[j] += near[j]
            for j in range(m):
                if near[j] > best[j] * _NEAR:
                    distance = -abs((i + 1) / n - (j + 1) / m)
                    p = math.exp(distance * tension[0]) / z[z_0 + j] * forward[k + j]
                    if p > best[j]:
                        best[j] = p
                        source_of[b + j] = i
        scores[0, s] = 0.0
        for j in range(m):
            scores[0, s] += math.log(total[j])

        scores[1, s] = 0.0
        for i in range(n):
            z_i = z[z_1 + i]
            rising, falling = up[1, x + i] / z_i, down[1, x + i] / z_i
            k = i * m
            most = p0 * tables.source_null[pairs.source_ids[a + i]]
            for j in range(m):
                near[j] = reverse[k + j] * min(rising * down[1, y + j], falling * up[1, y + j])
            scores[1, s] += math.log(most + _sum(m, near))
            target_of[a + i] = -1
            for j in range(m):
                if near[j] > most * _NEAR:
                    distance = -abs((i + 1) / n - (j + 1) / m)
                    p = math.exp(distance * tension[1]) / z_i * reverse[k + j]
                    if p > most:
                        most = p
                        target_of[a + i] = j


@njit
def _sum(m: int, p: Float64) -> float:
    total = 0.0
    for j in range(m):
        total += p[j]
    return total
