"""The kernels of fast_align's expectation maximisation, and of its decoding.

All of them see both directions at once: forward, source tokens are given and target tokens told; in
reverse, the other way round. Positions are i-major (see `_pairs.Pairs`), so that a row of positions
is one source token's.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from seggrid.align._diagonal import Prior, Shapes
from seggrid.align._pairs import Float64, Int32, Int64, Pairs


class Tables(NamedTuple):
    """The translation tables of both directions, cell by cell, up to a factor for each given type.

    t(target | source) = weight[:, 0] * source_scale and t(source | target) = weight[:, 1] *
    target_scale.

    Attributes:
        weight: float64, shape (C, 2); the two directions of a cell share a cache line.
        source_scale, target_scale: float64, shapes (source types,), (target types,).
        source_null, target_null: t(source | NULL) and t(target | NULL), float64, same shapes.
    """

    weight: Float64
    source_scale: Float64
    target_scale: Float64
    source_null: Float64
    target_null: Float64


class Posteriors(NamedTuple):
    """What the E-step finds out about a piece of the corpus.

    Attributes:
        forward, reverse: posterior of each position of the piece, float64, shape (positions,).
        target_null, source_null: posterior of NULL for each told token of the whole corpus,
            float64, shapes (target tokens,), (source tokens,).
        forward_distance, reverse_distance: expected -|i/n - (j - 1)/m|, summed over the told tokens
            of each sentence pair of the whole corpus, float64, shape (S,). That the told position
            counts from zero here, and from one in the prior, is the program's departure from the
            paper.
    """

    forward: Float64
    reverse: Float64
    target_null: Float64
    source_null: Float64
    forward_distance: Float64
    reverse_distance: Float64


@njit(cache=True, nogil=True)
def _longest(begin: int, end: int, offsets: Int64) -> int:
    longest = 0
    for s in range(begin, end):
        longest = max(longest, offsets[s + 1] - offsets[s])
    return longest


@njit(cache=True, nogil=True, error_model="numpy")
def expect(
    begin: int,
    end: int,
    pairs: Pairs,
    shapes: Shapes,
    ahead: Prior,
    back: Prior,
    tables: Tables,
    start: int,
    posteriors: Posteriors,
) -> None:
    """E-step of sentence pairs `begin:end`, in a piece whose first position is `start`."""
    scratch = np.empty((4, _longest(begin, end, pairs.target_offsets)))
    for s in range(begin, end):
        a, b = pairs.source_offsets[s : s + 2]
        source_ids = pairs.source_ids[a:b]
        source_null = posteriors.source_null[a:b]
        a, b = pairs.target_offsets[s : s + 2]
        target_ids = pairs.target_ids[a:b]
        target_null = posteriors.target_null[a:b]
        n, m = len(source_ids), len(target_ids)
        place = pairs.base[s]
        forward = posteriors.forward[place - start : place - start + n * m]
        reverse = posteriors.reverse[place - start : place - start + n * m]
        # Gathered first and on their own, the cache misses overlap: a third faster than in the
        # loops that use them.
        for i in range(n):
            weight = tables.weight[pairs.row[source_ids[i]] :]
            slot = pairs.slot[place + i * m : place + i * m + m]
            forward_row, reverse_row = forward[i * m : i * m + m], reverse[i * m : i * m + m]
            for j in range(m):
                forward_row[j] = weight[slot[j], 0]
                reverse_row[j] = weight[slot[j], 1]
        k = shapes.of_pair[s]
        i_power, j_power = shapes.power_base[n] + 1, shapes.power_base[m] + 1
        posteriors.forward_distance[s] = _by_column(
            source_ids, target_ids, tables, ahead, ahead.z[ahead.z_base[k] :], i_power, j_power,
            scratch, forward, target_null,
        )  # fmt: skip
        posteriors.reverse_distance[s] = _by_row(
            source_ids, target_ids, tables, back, back.z[back.z_base[k] :], i_power, j_power,
            scratch, reverse, source_null,
        )  # fmt: skip


@njit(cache=True, nogil=True, error_model="numpy")
def _by_column(
    source_ids: Int32,
    target_ids: Int32,
    tables: Tables,
    prior: Prior,
    z: Float64,
    i_power: int,
    j_power: int,
    scratch: Float64,
    posterior: Float64,
    null: Float64,
) -> float:
    """Turn the weights of a sentence pair into forward posteriors, in place."""
    n, m = len(source_ids), len(target_ids)
    low, high, total, moved = scratch
    for j in range(m):
        low[j] = prior.down[j_power + j] / z[j]
        high[j] = prior.up[j_power + j] / z[j]
        null[j] = prior.p0 * tables.target_null[target_ids[j]]
        total[j] = null[j]
        moved[j] = 0.0
    for i in range(n):
        scale = tables.source_scale[source_ids[i]]
        up, down = prior.up[i_power + i] * scale, prior.down[i_power + i] * scale
        row = posterior[i * m : i * m + m]
        for j in range(m):
            row[j] *= min(up * low[j], down * high[j])
            total[j] += row[j]
    for j in range(m):
        total[j] = 1.0 / total[j] if total[j] > 0.0 else 0.0
        null[j] *= total[j]
    for i in range(n):
        row = posterior[i * m : i * m + m]
        here = (i + 1) / n
        for j in range(m):
            row[j] *= total[j]
            moved[j] -= row[j] * abs(here - j / m)
    return moved[:m].sum()


@njit(cache=True, nogil=True, error_model="numpy")
def _by_row(
    source_ids: Int32,
    target_ids: Int32,
    tables: Tables,
    prior: Prior,
    z: Float64,
    i_power: int,
    j_power: int,
    scratch: Float64,
    posterior: Float64,
    null: Float64,
) -> float:
    """Turn the weights of a sentence pair into reverse posteriors, in place."""
    n, m = len(source_ids), len(target_ids)
    low, high, _, moved = scratch
    for j in range(m):
        scale = tables.target_scale[target_ids[j]]
        low[j] = prior.down[j_power + j] * scale
        high[j] = prior.up[j_power + j] * scale
        moved[j] = 0.0
    for i in range(n):
        up, down = prior.up[i_power + i] / z[i], prior.down[i_power + i] / z[i]
        row = posterior[i * m : i * m + m]
        null[i] = prior.p0 * tables.source_null[source_ids[i]]
        total = null[i]
        for j in range(m):
            row[j] *= min(up * low[j], down * high[j])
            total += row[j]
        total = 1.0 / total if total > 0.0 else 0.0
        null[i] *= total
        here = i / n
        for j in range(m):
            row[j] *= total
            moved[j] -= row[j] * abs(here - (j + 1) / m)
    return moved[:m].sum()


@njit(cache=True, nogil=True)
def collect(
    begin: int,
    end: int,
    pairs: Pairs,
    start: int,
    stop: int,
    posteriors: Posteriors,
    cursor: Int64,
    counts: Float64,
) -> None:
    """Add a piece's posteriors (positions `start:stop`) to the counts of rows `begin:end`.

    Each count is summed in the order of the corpus, however the corpus is cut into pieces and the
    rows into ranges: `cursor` holds, for each row, the first occurrence not yet collected.
    """
    for source_type in range(begin, end):
        o = cursor[source_type]
        row = counts[pairs.row[source_type] :]
        while o < pairs.of_type[source_type + 1] and pairs.start[o] < stop:
            s = pairs.sentence[o]
            m = pairs.target_offsets[s + 1] - pairs.target_offsets[s]
            slot = pairs.slot[pairs.start[o] : pairs.start[o] + m]
            place = pairs.start[o] - start
            forward, reverse = (
                posteriors.forward[place : place + m],
                posteriors.reverse[place : place + m],
            )
            for j in range(m):
                row[slot[j], 0] += forward[j]
                row[slot[j], 1] += reverse[j]
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
    """Replace each value x of `values[begin:end]` by exp(digamma(x + alpha)), to about 1e-12.

    digamma(x) = digamma(x + 6) - sum of 1 / (x + k) for k = 0..5, and the asymptotic series at
    x + 6 (Abramowitz and Stegun 1964, 6.3.6 and 6.3.18); the six fractions are added as one.
    """
    values = values[begin:end]
    for c in range(len(values)):
        x = values[c] + alpha
        numerator, denominator = 1.0, x
        for k in range(1, 6):
            numerator = numerator * (x + k) + denominator
            denominator *= x + k
        y = x + 6.0
        inverse = 1.0 / y
        u = inverse * inverse
        series = u * (1 / 12 - u * (1 / 120 - u * (1 / 252 - u * (1 / 240 - u * (1 / 132)))))
        values[c] = y * math.exp(-0.5 * inverse - series - numerator / denominator)


@njit(cache=True, nogil=True, error_model="numpy")
def decode(
    begin: int,
    end: int,
    pairs: Pairs,
    shapes: Shapes,
    ahead: Prior,
    back: Prior,
    tables: Tables,
    source_of: Int32,
    target_of: Int32,
    scores: Float64,
) -> None:
    """Best link of every token of sentence pairs `begin:end`.

    NULL comes first, then the given tokens in order; a later one must be strictly better. Ties are
    common (a word twice in a sentence, at equal distances from the diagonal), so the prior is
    computed here as the program does, by exp of the distance, not from the powers.

    Args:
        source_of: receives the source token of each target token, or -1, int32, (target tokens,).
        target_of: receives the target token of each source token, or -1, int32, (source tokens,).
        scores: receives the sum over told tokens of log p(f_j), float64, shape (2, S).
    """
    scratch = np.empty((6, _longest(begin, end, pairs.target_offsets)))
    distance, scale, forward, reverse, best, total = scratch
    for s in range(begin, end):
        first_source, last_source = pairs.source_offsets[s : s + 2]
        first_target, last_target = pairs.target_offsets[s : s + 2]
        source_ids = pairs.source_ids[first_source:last_source]
        target_ids = pairs.target_ids[first_target:last_target]
        n, m = len(source_ids), len(target_ids)
        ahead_z = ahead.z[ahead.z_base[shapes.of_pair[s]] :]
        back_z = back.z[back.z_base[shapes.of_pair[s]] :]
        choice = source_of[first_target:last_target]
        for j in range(m):
            scale[j] = tables.target_scale[target_ids[j]]
            best[j] = ahead.p0 * tables.target_null[target_ids[j]]
            total[j] = best[j]
            choice[j] = -1
        scores[1, s] = 0.0
        for i in range(n):
            weight = tables.weight[pairs.row[source_ids[i]] :]
            slot = pairs.slot[pairs.base[s] + i * m : pairs.base[s] + i * m + m]
            for j in range(m):
                forward[j] = weight[slot[j], 0]
                reverse[j] = weight[slot[j], 1]
                distance[j] = -abs((i + 1) / n - (j + 1) / m)
            source_scale = tables.source_scale[source_ids[i]]
            for j in range(m):
                prior = math.exp(distance[j] * ahead.tension) / ahead_z[j]
                forward[j] = forward[j] * source_scale * prior
                total[j] += forward[j]
                if forward[j] > best[j]:
                    best[j] = forward[j]
                    choice[j] = i
            most = back.p0 * tables.source_null[source_ids[i]]
            whole = most
            which = -1
            for j in range(m):
                prior = math.exp(distance[j] * back.tension) / back_z[i]
                p = reverse[j] * scale[j] * prior
                whole += p
                if p > most:
                    most = p
                    which = j
            target_of[first_source + i] = which
            scores[1, s] += math.log(whole)
        scores[0, s] = 0.0
        for j in range(m):
            scores[0, s] += math.log(total[j])


@njit(cache=True, nogil=True)
def look_up(
    pairs: Pairs,
    source_of: Int64,
    target_of: Int64,
    row: Int64,
    column: Int32,
    probability: Float64,
    weight: Float64,
) -> None:
    """Copy to `weight` the probabilities of those cells of `pairs` that a trained model has.

    Args:
        source_of, target_of: the model's type of each type of `pairs`, or -1.
        row, column, probability: of the model, columns ascending within each row.
        weight: of the cells of `pairs`, float64, shape (C, 2).
    """
    for source_type in range(len(source_of)):
        if source_of[source_type] < 0:
            continue
        first, last = row[source_of[source_type]], row[source_of[source_type] + 1]
        for c in range(pairs.row[source_type], pairs.row[source_type + 1]):
            target_type = target_of[pairs.column[c]]
            known = first + np.searchsorted(column[first:last], target_type)
            if known < last and column[known] == target_type:
                weight[c] = probability[known]
