"""The kernels of fast_align's expectation maximization, and of its decoding.

Forward (0), source tokens are given and target tokens told; in reverse (1), the other way round. Both
are seen at once.

An E-step goes over the corpus twice. `normalize` takes sentence pair by sentence pair, and finds
what all products of a told target token add to. `collect` takes source type by source type: the row
of the tables that it reads and the row of counts that it adds to stay in the caches, and a told
source token has all its products together. So no posterior of a position is ever stored.

The kernels take plain arrays, and index them from their beginnings: tuples of arrays cost a
millisecond a call, and slices of arrays count references, which threads share. Where loops are to
vectorize the indices are unsigned: signed ones would have to be tested for counting from the end.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from seggrid.align._diagonal import Prior, Shapes
from seggrid.align._pairs import Float64, Int32, Int64, Pairs, UInt32
from seggrid.align._threads import Workers
from seggrid.data.compiled import njit


@dataclass(frozen=True)
class Tables:
    """The translation tables of both directions.

    Attributes:
        weight: t(target | source) and t(source | target) of each cell, float64, shape (2, C); or,
            where all are the same, shape (2, 0).
        source_null, target_null: t(source | NULL) and t(target | NULL), float64, shapes (source
            types,), (target types,).
    """

    weight: Float64
    source_null: Float64
    target_null: Float64


@dataclass(frozen=True)
class Posteriors:
    """What the E-step finds out besides the counts.

    The distances are expected -|i/n - (j - 1)/m|. That the told position counts from zero here, and
    from one in the prior, is the program's departure from the paper.

    Attributes:
        factor: (1 - p0) / (Z p(f_j)) of each target token, as a told one, float64, shape (target
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
        """Room for those of a corpus."""
        tokens, types = len(pairs.target_ids), len(pairs.row) - 1
        rooms = (tokens, tokens, types, len(pairs.load) - 1, types)
        return cls(*(np.zeros(size) for size in rooms))


def normalize(
    pairs: Pairs,
    shapes: Shapes,
    prior: Prior,
    tables: Tables,
    posteriors: Posteriors,
    workers: Workers,
) -> None:
    """First half of an E-step: what is found for target tokens and sentence pairs."""
    workers.run(
        _normalize, workers.split(pairs.load), pairs.source_ids, pairs.source_offsets,
        pairs.target_ids, pairs.target_offsets, pairs.load, pairs.first, pairs.slot, pairs.row,
        shapes.of_pair, shapes.power, shapes.power_base, shapes.z_base, prior.p0, prior.up,
        prior.down, prior.z, tables.weight, tables.target_null, posteriors.factor,
        posteriors.target_null, posteriors.target_distance,
    )  # fmt: skip


@njit(cache=True, nogil=True, error_model="numpy")
def _normalize(
    begin: int,
    end: int,
    source_ids: Int32,
    source_offsets: Int64,
    target_ids: Int32,
    target_offsets: Int64,
    load: Int64,
    first: Int64,
    slot: UInt32,
    row: Int64,
    of_pair: Int64,
    power: Float64,
    power_base: Int64,
    z_base: Int64,
    p0: float,
    up: Float64,
    down: Float64,
    z: Float64,
    weight: Float64,
    target_null: Float64,
    factor: Float64,
    null: Float64,
    distance: Float64,
) -> None:
    size, columns = _longest(begin, end, load), _longest(begin, end, target_offsets)
    slots, t = np.empty(size, dtype=np.uint32), np.empty(size)
    low, high, place = np.empty(columns), np.empty(columns), np.empty(columns)
    total, moved = np.empty(columns), np.empty(columns)
    for s in range(begin, end):
        a, b = np.uint64(source_offsets[s]), np.uint64(target_offsets[s])
        n, m = np.uint64(source_offsets[s + 1]) - a, np.uint64(target_offsets[s + 1]) - b
        x, y = np.uint64(power_base[n] + 1), np.uint64(power_base[m])
        of_shape = np.uint64(z_base[0, of_pair[s]])
        if weight.shape[1] == 0:
            # With all t the same, the prior's products add to one.
            for j in range(m):
                factor[b + j] = 1.0 / z[of_shape + j]
                null[b + j] = p0
            continue
        _copy_slots(a, n, m, first, slot, slots)
        _gather(a, n, m, source_ids, row, slots, weight, np.uint64(0), t)
        for j in range(m):
            z_j = z[of_shape + j]
            low[j] = down[0, y + np.uint64(1) + j] / z_j
            high[j] = up[0, y + np.uint64(1) + j] / z_j
            place[j] = power[y + j]
            total[j] = p0 * target_null[target_ids[b + j]]
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
            null[b + j] = p0 * target_null[target_ids[b + j]] * inverse
            distance[s] += moved[j] * inverse


@njit(cache=True, nogil=True)
def _longest(begin: int, end: int, offsets: Int64) -> int:
    longest = 0
    for s in range(begin, end):
        longest = max(longest, offsets[s + 1] - offsets[s])
    return longest


@njit(cache=True, nogil=True)
def _copy_slots(a: int, n: int, m: int, first: Int64, slot: UInt32, slots: UInt32) -> None:
    """Copy the slots of one sentence pair, which lie apart, so that the cache misses overlap."""
    for i in range(n):
        position = np.uint64(first[a + i])
        for j in range(m):
            slots[i * m + j] = slot[position + j]


@njit(cache=True, nogil=True)
def _gather(
    a: int,
    n: int,
    m: int,
    source_ids: Int32,
    row: Int64,
    slots: UInt32,
    weight: Float64,
    way: int,
    t: Float64,
) -> None:
    """Gather one direction's weights of one sentence pair: on their own, the misses overlap."""
    for i in range(n):
        of_row = np.uint64(row[source_ids[a + i]])
        for j in range(m):
            t[i * m + j] = weight[way, of_row + slots[i * m + j]]


def collect(
    pairs: Pairs,
    shapes: Shapes,
    prior: Prior,
    tables: Tables,
    posteriors: Posteriors,
    counts: Float64,
    workers: Workers,
) -> None:
    """Second half of an E-step: what is found for source tokens, and the counts.

    Each count is summed by one thread in the order of the corpus, however the rows are shared out.

    Args:
        counts: of both directions, float64, shape (2, C); overwritten.
    """
    workers.run(
        _collect, workers.split(pairs.row_load), pairs.source_offsets, pairs.target_offsets,
        pairs.of_type, pairs.row_load, pairs.sentence, pairs.place, pairs.slot, pairs.row,
        shapes.of_pair, shapes.power, shapes.power_base, shapes.z_base, prior.p0, prior.up,
        prior.down, prior.z, tables.weight, tables.source_null, posteriors.factor,
        posteriors.source_null, posteriors.source_distance, counts,
    )  # fmt: skip


@njit(cache=True, nogil=True, error_model="numpy")
def _collect(
    begin: int,
    end: int,
    source_offsets: Int64,
    target_offsets: Int64,
    of_type: Int64,
    row_load: Int64,
    sentence: Int32,
    place: Int32,
    slot: UInt32,
    row: Int64,
    of_pair: Int64,
    power: Float64,
    power_base: Int64,
    z_base: Int64,
    p0: float,
    up: Float64,
    down: Float64,
    z: Float64,
    weight: Float64,
    source_null: Float64,
    factor: Float64,
    null: Float64,
    distance: Float64,
    counts: Float64,
) -> None:
    columns = _longest(0, len(target_offsets) - 1, target_offsets)
    forward, reverse = np.ones(columns), np.ones(columns)
    for source_type in range(begin, end):
        of_row, k = np.uint64(row[source_type]), np.uint64(row_load[source_type])
        for c in range(row[source_type], row[source_type + 1]):
            counts[0, c] = 0.0
            counts[1, c] = 0.0
        of_null = p0 * source_null[source_type]
        null[source_type] = 0.0
        distance[source_type] = 0.0
        for o in range(of_type[source_type], of_type[source_type + 1]):
            s, i = sentence[o], np.uint64(place[o])
            b = np.uint64(target_offsets[s])
            n, m = source_offsets[s + 1] - source_offsets[s], np.uint64(target_offsets[s + 1]) - b
            x, y = np.uint64(power_base[n] + 1) + i, np.uint64(power_base[m] + 1)
            z_i = z[np.uint64(z_base[1, of_pair[s]]) + i]
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


# Summed one by one: in lanes it would be 2 percent faster, and other bytes on another processor.
@njit(cache=True, nogil=True)
def _sums(m: int, p: Float64, here: float, power: Float64, y: int) -> tuple[float, float]:
    """Sum of p[j], and of p[j] |here - power[y + j]|, for j = 0..m - 1."""
    total = moved = 0.0
    for j in range(m):
        total += p[j]
        moved += p[j] * abs(here - power[y + j])
    return total, moved


# Totals of target types are summed in as many parts, however many threads there are.
PARTS = 16


def totals_of(
    pairs: Pairs, counts: Float64, alpha: float, target_types: int, workers: Workers
) -> tuple[Float64, Float64]:
    """Sum the counts, each plus alpha, of every source type and of every target type."""
    source = np.empty(len(pairs.row) - 1)
    parts = np.zeros((PARTS, target_types))
    edges = np.searchsorted(pairs.row, np.linspace(0, pairs.row[-1], PARTS + 1)[:-1])
    edges = np.append(edges, len(source))
    workers.run(
        _add_totals, [(part, part + 1) for part in range(PARTS)], edges, pairs.row, pairs.column,
        counts, alpha, source, parts,
    )  # fmt: skip
    return source, parts.sum(axis=0)


@njit(cache=True, nogil=True)
def _add_totals(
    begin: int,
    end: int,
    edges: Int64,
    row: Int64,
    column: Int32,
    counts: Float64,
    alpha: float,
    source: Float64,
    target: Float64,
) -> None:
    for part in range(begin, end):
        for source_type in range(edges[part], edges[part + 1]):
            total = 0.0
            for c in range(row[source_type], row[source_type + 1]):
                total += counts[0, c] + alpha
                target[part, column[c]] += counts[1, c] + alpha
            source[source_type] = total


@njit(cache=True, nogil=True)
def scale(
    begin: int,
    end: int,
    row: Int64,
    column: Int32,
    of_source: Float64,
    of_target: Float64,
    weight: Float64,
) -> None:
    """Multiply the forward weights of rows `begin:end` by what their source types have, the reverse
    ones by what their target types have.
    """
    for source_type in range(begin, end):
        for c in range(row[source_type], row[source_type + 1]):
            weight[0, c] *= of_source[source_type]
            weight[1, c] *= of_target[column[c]]


@njit(cache=True, nogil=True, error_model="numpy")
def exp_digamma(begin: int, end: int, values: Float64, alpha: float) -> None:
    """Replace each x of `values[begin:end]` by exp(digamma(x + alpha)), x + alpha > 0, to 1e-12.

    digamma(x) = digamma(x + 6) - sum of 1 / (x + k) for k = 0..5, and the asymptotic series at
    x + 6 (Abramowitz and Stegun 1964, 6.3.6 and 6.3.18). Everything is plain arithmetic, the six
    fractions under one denominator and exp as in `_exp`, so that it vectorizes: 1.7 times as fast.
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
    scores = np.empty((2, len(pairs.load) - 1))
    workers.run(
        _decode, workers.split(pairs.load), pairs.source_ids, pairs.source_offsets,
        pairs.target_ids, pairs.target_offsets, pairs.load, pairs.first, pairs.slot, pairs.row,
        shapes.of_pair, shapes.power_base, shapes.z_base, prior.p0, prior.tension, prior.up,
        prior.down, prior.z, tables.weight, tables.source_null, tables.target_null, source_of,
        target_of, scores,
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
    load: Int64,
    first: Int64,
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
    source_null: Float64,
    target_null: Float64,
    source_of: Int32,
    target_of: Int32,
    scores: Float64,
) -> None:
    # Ties are common (a word twice in a sentence, as far from the diagonal), and the program breaks
    # them by how its own arithmetic rounds. So candidates are found by the products of powers, and
    # those that come near the best are compared by exp of the distance, as the program does.
    size, columns = _longest(begin, end, load), _longest(begin, end, target_offsets)
    slots, forward, reverse = np.empty(size, dtype=np.uint32), np.ones(size), np.ones(size)
    low, high, near = np.empty(columns), np.empty(columns), np.empty(columns)
    best, total = np.empty(columns), np.empty(columns)
    for s in range(begin, end):
        a, b = np.uint64(source_offsets[s]), np.uint64(target_offsets[s])
        n, m = np.uint64(source_offsets[s + 1]) - a, np.uint64(target_offsets[s + 1]) - b
        x, y = np.uint64(power_base[n] + 1), np.uint64(power_base[m] + 1)
        z_0, z_1 = np.uint64(z_base[0, of_pair[s]]), np.uint64(z_base[1, of_pair[s]])
        if weight.shape[1]:
            _copy_slots(a, n, m, first, slot, slots)
            _gather(a, n, m, source_ids, row, slots, weight, np.uint64(0), forward)
            _gather(a, n, m, source_ids, row, slots, weight, np.uint64(1), reverse)

        for j in range(m):
            z_j = z[z_0 + j]
            low[j] = down[0, y + j] / z_j
            high[j] = up[0, y + j] / z_j
            best[j] = p0 * target_null[target_ids[b + j]]
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
            most = p0 * source_null[source_ids[a + i]]
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


@njit(cache=True, nogil=True)
def _sum(m: int, p: Float64) -> float:
    total = 0.0
    for j in range(m):
        total += p[j]
    return total


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
        weight: of the cells of the new corpus, float64, shape (2, C).
    """
    for source_type in range(len(source_of)):
        if source_of[source_type] < 0:
            continue
        first, last = row[source_of[source_type]], row[source_of[source_type] + 1]
        for c in range(new_row[source_type], new_row[source_type + 1]):
            target_type = target_of[new_column[c]]
            known = first + np.searchsorted(column[first:last], target_type)
            if known < last and column[known] == target_type:
                weight[:, c] = probability[known]
