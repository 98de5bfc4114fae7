"""The kernels of fast_align's expectation maximisation, and of its decoding.

All of them see both directions at once, 0 forward and 1 reverse: forward, source tokens are given
and target tokens told; in reverse, the other way round. Positions are i-major (`_pairs.Pairs`), so
that a row of positions is one source token's.

The kernels take plain arrays, and index them from their beginnings: tuples of arrays cost a
millisecond a call, and slices of arrays count references, which threads share.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numba import njit

from seggrid.align._diagonal import Prior, Shapes
from seggrid.align._pairs import Float64, Int32, Int64, Pairs, UInt32
from seggrid.align._threads import Workers


@dataclass(frozen=True)
class Tables:
    """The translation tables of both directions, cell by cell, up to a factor for each given type.

    t(target | source) = weight[:, 0] * source_scale and t(source | target) = weight[:, 1] *
    target_scale.

    Attributes:
        weight: float64, shape (C, 2), so that the two directions of a cell share a cache line; or,
            where all are the same, shape (0, 2).
        source_scale, target_scale: float64, shapes (source types,), (target types,).
        source_null, target_null: t(source | NULL) and t(target | NULL), float64, same shapes.
    """

    weight: Float64
    source_scale: Float64
    target_scale: Float64
    source_null: Float64
    target_null: Float64


@dataclass(frozen=True)
class Posteriors:
    """What the E-step finds out: of the positions of a piece, and of all tokens and sentence pairs.

    Attributes:
        link: forward and reverse posterior of each position of the piece, float64, shape
            (positions, 2).
        source_null, target_null: posterior of NULL for each token, as a told one, float64, shapes
            (source tokens,), (target tokens,).
        distance: expected -|i/n - (j - 1)/m| in each direction, summed over the told tokens of each
            sentence pair, float64, shape (2, S). That the told position counts from zero here, and
            from one in the prior, is the program's departure from the paper.
    """

    link: Float64
    source_null: Float64
    target_null: Float64
    distance: Float64


def expect(
    pairs: Pairs,
    shapes: Shapes,
    prior: Prior,
    tables: Tables,
    piece: tuple[int, int],
    posteriors: Posteriors,
    workers: Workers,
) -> None:
    """E-step of a piece of the corpus, the sentence pairs `piece[0]:piece[1]`."""
    workers.run(
        _expect, workers.split(pairs.base, *piece), pairs.source_ids, pairs.source_offsets,
        pairs.target_ids, pairs.target_offsets, pairs.base, pairs.slot, pairs.row, shapes.of_pair,
        shapes.power_base, shapes.z_base, prior.p0, prior.up, prior.down, prior.z, tables.weight,
        tables.source_scale, tables.target_scale, tables.source_null, tables.target_null,
        int(pairs.base[piece[0]]), posteriors.link, posteriors.source_null, posteriors.target_null,
        posteriors.distance,
    )  # fmt: skip


@njit(cache=True, nogil=True, error_model="numpy")
def _expect(
    begin: int,
    end: int,
    source_ids: Int32,
    source_offsets: Int64,
    target_ids: Int32,
    target_offsets: Int64,
    base: Int64,
    slot: UInt32,
    row: Int64,
    of_pair: Int64,
    power_base: Int64,
    z_base: Int64,
    p0: float,
    up: Float64,
    down: Float64,
    z: Float64,
    weight: Float64,
    source_scale: Float64,
    target_scale: Float64,
    source_null: Float64,
    target_null: Float64,
    start: int,
    link: Float64,
    source_null_link: Float64,
    target_null_link: Float64,
    distance: Float64,
) -> None:
    size, columns = _longest(begin, end, base), _longest(begin, end, target_offsets)
    forward, reverse = np.empty(size), np.empty(size)
    low, high, inverse = np.empty(columns), np.empty(columns), np.empty(columns)
    place, moved = np.empty(columns), np.empty(columns)
    for s in range(begin, end):
        a, b, shape = source_offsets[s], target_offsets[s], of_pair[s]
        n, m = source_offsets[s + 1] - a, target_offsets[s + 1] - b
        x, y = power_base[n] + 1, power_base[m] + 1

        # Gathered on their own, and not where they are used, the cache misses overlap.
        for i in range(n if len(weight) else 0):
            of_row = np.uint64(row[source_ids[a + i]])
            k = i * m
            for j in range(m):
                cell = of_row + slot[base[s] + k + j]
                forward[k + j] = weight[cell, 0]
                reverse[k + j] = weight[cell, 1]
        if len(weight) == 0:
            forward[: n * m] = 1.0
            reverse[: n * m] = 1.0

        # Forward: those of a column, with NULL's, add to one.
        for j in range(m):
            z_j = z[z_base[0, shape] + j]
            low[j] = down[0, y + j] / z_j
            high[j] = up[0, y + j] / z_j
            inverse[j] = p0 * target_null[target_ids[b + j]]
            target_null_link[b + j] = inverse[j]
            place[j] = j / m
            moved[j] = 0.0
        for i in range(n):
            scale = source_scale[source_ids[a + i]]
            rising, falling = up[0, x + i] * scale, down[0, x + i] * scale
            here = (i + 1) / n
            k = i * m
            for j in range(m):
                # exp(-tension |i/n - j/m|) is the lesser of the two quotients of powers.
                forward[k + j] *= min(rising * low[j], falling * high[j])
            for j in range(m):
                inverse[j] += forward[k + j]
            for j in range(m):
                moved[j] -= forward[k + j] * abs(here - place[j])
        distance[0, s] = 0.0
        for j in range(m):
            inverse[j] = 1.0 / inverse[j] if inverse[j] > 0.0 else 0.0
            target_null_link[b + j] *= inverse[j]
            distance[0, s] += moved[j] * inverse[j]

        # Reverse: those of a row, with NULL's, add to one.
        for j in range(m):
            scale = target_scale[target_ids[b + j]]
            low[j] = down[1, y + j] * scale
            high[j] = up[1, y + j] * scale
            place[j] = (j + 1) / m
            moved[j] = 0.0
        for i in range(n):
            z_i = z[z_base[1, shape] + i]
            rising, falling = up[1, x + i] / z_i, down[1, x + i] / z_i
            k = i * m
            for j in range(m):
                reverse[k + j] *= min(rising * low[j], falling * high[j])
            null = p0 * source_null[source_ids[a + i]]
            total = null
            for j in range(m):
                total += reverse[k + j]
            total = 1.0 / total if total > 0.0 else 0.0
            source_null_link[a + i] = null * total
            here = i / n
            for j in range(m):
                reverse[k + j] *= total
            for j in range(m):
                moved[j] -= reverse[k + j] * abs(here - place[j])
            out = base[s] - start + k
            for j in range(m):
                link[out + j, 0] = forward[k + j] * inverse[j]
                link[out + j, 1] = reverse[k + j]
        distance[1, s] = 0.0
        for j in range(m):
            distance[1, s] += moved[j]


@njit(cache=True, nogil=True)
def _longest(begin: int, end: int, offsets: Int64) -> int:
    longest = 0
    for s in range(begin, end):
        longest = max(longest, offsets[s + 1] - offsets[s])
    return longest


def collect(
    pairs: Pairs,
    piece: tuple[int, int],
    posteriors: Posteriors,
    cursor: Int64,
    counts: Float64,
    workers: Workers,
) -> None:
    """Add a piece's posteriors to the counts.

    Each count is summed by one thread in the order of the corpus, however the corpus is cut into
    pieces and the rows into shares.

    Args:
        cursor: the first occurrence of each source type not yet collected, int64, shape (source
            types,); moved on.
        counts: float64, shape (C, 2).
    """
    start, stop = int(pairs.base[piece[0]]), int(pairs.base[piece[1]])
    workers.run(
        _collect, workers.split(pairs.load), pairs.of_type, pairs.first, pairs.sentence,
        pairs.target_offsets, pairs.slot, pairs.row, start, stop, posteriors.link, cursor, counts,
    )  # fmt: skip


@njit(cache=True, nogil=True)
def _collect(
    begin: int,
    end: int,
    of_type: Int64,
    first: Int64,
    sentence: Int32,
    target_offsets: Int64,
    slot: UInt32,
    row: Int64,
    start: int,
    stop: int,
    link: Float64,
    cursor: Int64,
    counts: Float64,
) -> None:
    for source_type in range(begin, end):
        o = cursor[source_type]
        of_row = np.uint64(row[source_type])
        while o < of_type[source_type + 1] and first[o] < stop:
            k = first[o]
            for j in range(target_offsets[sentence[o] + 1] - target_offsets[sentence[o]]):
                cell = of_row + slot[k + j]
                counts[cell, 0] += link[k - start + j, 0]
                counts[cell, 1] += link[k - start + j, 1]
            o += 1
        cursor[source_type] = o


@njit(cache=True, nogil=True)
def add_totals(
    row: Int64, column: Int32, counts: Float64, alpha: float, source: Float64, target: Float64
) -> None:
    """Sum the counts, each plus alpha, of every source type and of every target type."""
    for source_type in range(len(source)):
        total = 0.0
        for c in range(row[source_type], row[source_type + 1]):
            total += counts[c, 0] + alpha
            target[column[c]] += counts[c, 1] + alpha
        source[source_type] = total


@njit(cache=True, nogil=True, error_model="numpy")
def exp_digamma(begin: int, end: int, values: Float64, alpha: float) -> None:
    """Replace each x of `values[begin:end]` by exp(digamma(x + alpha)), x + alpha > 0, to 1e-12.

    digamma(x) = digamma(x + 6) - sum of 1 / (x + k) for k = 0..5, and the asymptotic series at
    x + 6 (Abramowitz and Stegun 1964, 6.3.6 and 6.3.18). Everything is plain arithmetic, the six
    fractions under one denominator and exp as in `_exp`, so that it vectorises: 1.7 times as fast.
    """
    values = values[begin:end]
    for c in range(len(values)):
        x = values[c] + alpha
        # x (x + 5), (x + 1)(x + 4) and (x + 2)(x + 3)
        p = x * (x + 5.0)
        q, r = p + 4.0, p + 6.0
        denominator = p * q * r
        numerator = (2.0 * x + 5.0) * (q * r + p * (q + r))
        y = x + 6.0
        inverse = 1.0 / (denominator * y)
        u = denominator * inverse
        u *= u
        series = u * (1 / 12 - u * (1 / 120 - u * (1 / 252 - u * (1 / 240 - u * (1 / 132)))))
        values[c] = y * _exp(-series - (0.5 * denominator + numerator * y) * inverse)


@njit(cache=True, nogil=True)
def _exp(x: float) -> float:
    """exp(x) for x <= 0, to 1e-15; 1e-304 below -700."""
    x = max(x, -700.0)
    k = math.floor(x * 1.4426950408889634 + 0.5)
    # log(2) in two parts, the first with so few bits that its multiples are exact
    r = (x - k * 0.693147180369123816490) - k * 1.90821492927058770002e-10
    s = r * r
    power = 1 / 479001600 + r * (1 / 6227020800)
    power = (1 / 3628800 + r * (1 / 39916800)) + s * power
    power = (1 / 40320 + r * (1 / 362880)) + s * power
    power = (1 / 720 + r * (1 / 5040)) + s * power
    power = (1 / 24 + r * (1 / 120)) + s * power
    power = (1 / 2 + r * (1 / 6)) + s * power
    return ((1.0 + r) + s * power) * np.int64((np.int64(k) + 1023) << 52).view(np.float64)


def decode(
    pairs: Pairs, shapes: Shapes, prior: Prior, tables: Tables, workers: Workers
) -> tuple[Int32, Int32, Float64]:
    """The most probable link of every token.

    NULL comes first, then the given tokens in order; a later one must be strictly better.

    Returns:
        source_of: the source token of each target token, or -1, int32, shape (target tokens,).
        target_of: the target token of each source token, or -1, int32, shape (source tokens,).
        scores: sum over told tokens of log p(f_j), float64, shape (2, S).
    """
    source_of = np.empty(len(pairs.target_ids), dtype=np.int32)
    target_of = np.empty(len(pairs.source_ids), dtype=np.int32)
    scores = np.empty((2, len(pairs.base) - 1))
    workers.run(
        _decode, workers.split(pairs.base), pairs.source_ids, pairs.source_offsets,
        pairs.target_ids, pairs.target_offsets, pairs.base, pairs.slot, pairs.row, shapes.of_pair,
        shapes.power_base, shapes.z_base, prior.p0, prior.tension, prior.up, prior.down, prior.z,
        tables.weight, tables.source_scale, tables.target_scale, tables.source_null,
        tables.target_null, source_of, target_of, scores,
    )  # fmt: skip
    return source_of, target_of, scores


# Products that differ less than this may be equal in exact arithmetic.
_NEAR = 1.0 - 1e-9


@njit(cache=True, nogil=True, error_model="numpy")
def _decode(
    begin: int,
    end: int,
    source_ids: Int32,
    source_offsets: Int64,
    target_ids: Int32,
    target_offsets: Int64,
    base: Int64,
    slot: UInt32,
    row: Int64,
    of_pair: Int64,
    power_base: Int64,
    z_base: Int64,
    p0: float,
    tension: Float64,
    up: Float64,
    down: Float64,
    z: Float64,
    weight: Float64,
    source_scale: Float64,
    target_scale: Float64,
    source_null: Float64,
    target_null: Float64,
    source_of: Int32,
    target_of: Int32,
    scores: Float64,
) -> None:
    # Ties are common (a word twice in a sentence, as far from the diagonal), and the program breaks
    # them by how its own arithmetic rounds. So candidates are found by the products of powers, and
    # those that come near the best are compared by exp of the distance, as the program does.
    columns = _longest(begin, end, target_offsets)
    size = _longest(begin, end, base)
    forward, reverse = np.empty(size), np.empty(size)
    low, high = np.empty(columns), np.empty(columns)
    best, total = np.empty(columns), np.empty(columns)
    for s in range(begin, end):
        a, b, shape = source_offsets[s], target_offsets[s], of_pair[s]
        n, m = source_offsets[s + 1] - a, target_offsets[s + 1] - b
        x, y = power_base[n] + 1, power_base[m] + 1
        for i in range(n if len(weight) else 0):
            of_row = np.uint64(row[source_ids[a + i]])
            k = i * m
            for j in range(m):
                cell = of_row + slot[base[s] + k + j]
                forward[k + j] = weight[cell, 0]
                reverse[k + j] = weight[cell, 1]
        if len(weight) == 0:
            forward[: n * m] = 1.0
            reverse[: n * m] = 1.0

        for j in range(m):
            z_j = z[z_base[0, shape] + j]
            low[j] = down[0, y + j] / z_j
            high[j] = up[0, y + j] / z_j
            best[j] = p0 * target_null[target_ids[b + j]]
            total[j] = best[j]
            source_of[b + j] = -1
        for i in range(n):
            scale = source_scale[source_ids[a + i]]
            rising, falling = up[0, x + i] * scale, down[0, x + i] * scale
            k = i * m
            for j in range(m):
                total[j] += forward[k + j] * min(rising * low[j], falling * high[j])
            for j in range(m):
                near = forward[k + j] * min(rising * low[j], falling * high[j])
                if near > best[j] * _NEAR:
                    distance = -abs((i + 1) / n - (j + 1) / m)
                    p = math.exp(distance * tension[0]) / z[z_base[0, shape] + j]
                    p *= forward[k + j] * scale
                    if p > best[j]:
                        best[j] = p
                        source_of[b + j] = i
        scores[0, s] = 0.0
        for j in range(m):
            scores[0, s] += math.log(total[j])

        for j in range(m):
            scale = target_scale[target_ids[b + j]]
            low[j] = down[1, y + j] * scale
            high[j] = up[1, y + j] * scale
        scores[1, s] = 0.0
        for i in range(n):
            z_i = z[z_base[1, shape] + i]
            rising, falling = up[1, x + i] / z_i, down[1, x + i] / z_i
            k = i * m
            most = p0 * source_null[source_ids[a + i]]
            whole = most
            target_of[a + i] = -1
            for j in range(m):
                near = reverse[k + j] * min(rising * low[j], falling * high[j])
                whole += near
                if near > most * _NEAR:
                    distance = -abs((i + 1) / n - (j + 1) / m)
                    p = math.exp(distance * tension[1]) / z_i
                    p *= reverse[k + j] * target_scale[target_ids[b + j]]
                    if p > most:
                        most = p
                        target_of[a + i] = j
            scores[1, s] += math.log(whole)


@njit(cache=True, nogil=True)
def look_up(
    source_of: Int64,
    target_of: Int64,
    new_row: Int64,
    new_column: Int32,
    row: Int64,
    column: Int32,
    probability: Float64,
    weight: Float64,
) -> None:
    """Copy to `weight` the probabilities of those cells of a new corpus that a trained model has.

    Args:
        source_of, target_of: the model's type of each type of the new corpus, or -1.
        new_row, new_column: cells of the new corpus.
        row, column, probability: cells of the model, columns ascending within each row.
        weight: of the cells of the new corpus, float64, shape (C, 2).
    """
    for source_type in range(len(source_of)):
        if source_of[source_type] < 0:
            continue
        first, last = row[source_of[source_type]], row[source_of[source_type] + 1]
        for c in range(new_row[source_type], new_row[source_type + 1]):
            target_type = target_of[new_column[c]]
            known = first + np.searchsorted(column[first:last], target_type)
            if known < last and column[known] == target_type:
                weight[c] = probability[known]
