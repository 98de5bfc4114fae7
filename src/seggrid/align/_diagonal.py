"""The diagonal prior of fast_align, and the gradient of its one parameter.

Dyer, Chahuneau and Smith (2013), section 2: target token j of m takes source position i of n with
probability proportional to exp(-tension |i/n - j/m|). Every factor is exp(±tension k/l) for a
length l and k <= l, so one table of powers per length gives all priors by multiplication, and one
normaliser per (n, m, j) is enough.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from seggrid.align._pairs import Float64, Int64, Pairs
from seggrid.align._threads import Workers
from seggrid.arrays import offsets_of


class Shapes(NamedTuple):
    """The K distinct (source length, target length) of a corpus.

    Attributes:
        source, target: the two lengths of each shape, int64, shape (K,).
        count: how many sentence pairs have it, int64, shape (K,).
        of_pair: the shape of each sentence pair, int64, shape (S,).
        lengths: the distinct lengths of both sides, int64, shape (L,).
        power_base: where the powers of a length begin, int64, shape (longest + 1,).
    """

    source: Int64
    target: Int64
    count: Int64
    of_pair: Int64
    lengths: Int64
    power_base: Int64


def shapes_of(pairs: Pairs) -> Shapes:
    """The distinct shapes of the sentence pairs."""
    source, target = np.diff(pairs.source_offsets), np.diff(pairs.target_offsets)
    radix = int(target.max()) + 1
    codes, of_pair, count = np.unique(
        source * radix + target, return_inverse=True, return_counts=True
    )
    source, target = np.divmod(codes, radix)
    lengths = np.unique(np.concatenate([source, target]))
    power_base = np.zeros(int(lengths.max()) + 1, dtype=np.int64)
    power_base[lengths] = offsets_of(lengths + 1)[:-1]
    return Shapes(source, target, count, of_pair, lengths, power_base)


class Prior(NamedTuple):
    """The prior at one tension, in one direction.

    Attributes:
        tension: of the diagonal.
        p0: probability of NULL.
        up, down: exp(tension k / l) and its inverse for k = 0..l, for each length l, float64.
        z_base: where the normalisers of each shape begin, int64, shape (K + 1,).
        z: Z / (1 - p0) for each shape and told token, float64.
    """

    tension: float
    p0: float
    up: Float64
    down: Float64
    z_base: Int64
    z: Float64


def powers_of(shapes: Shapes, tension: float) -> tuple[Float64, Float64]:
    """exp(tension k / l) for k = 0..l of each length l, and their inverses."""
    up = np.empty(int((shapes.lengths + 1).sum()))
    _fill_powers(shapes.lengths, shapes.power_base, tension, up)
    return up, 1 / up


def prior_of(shapes: Shapes, tension: float, p0: float, forward: bool, workers: Workers) -> Prior:
    """Tabulate the prior."""
    up, down = powers_of(shapes, tension)
    base = offsets_of(shapes.target if forward else shapes.source)
    prior = Prior(tension, p0, up, down, base, np.empty(base[-1]))
    ranges = workers.split(offsets_of(shapes.source * shapes.target))
    workers.run(_fill_z, ranges, forward, shapes, prior)
    return prior


def slope_of(shapes: Shapes, tension: float, forward: bool, workers: Workers) -> float:
    """Derivative of the sum of all log Z by the tension, as the reference program takes it.

    The program departs from the paper: it divides the derivative of Z(j, m, n) by Z(j, n, m), the
    normaliser with the two lengths swapped (and j as it is, so that j may exceed its length).
    """
    up, down = powers_of(shapes, tension)
    slopes = np.empty(len(shapes.count))
    ranges = workers.split(offsets_of(shapes.target if forward else shapes.source))
    workers.run(_fill_slopes, ranges, forward, shapes, tension, up, down, slopes)
    return float((slopes * shapes.count).sum())


@njit(cache=True, nogil=True)
def _fill_powers(lengths: Int64, power_base: Int64, tension: float, up: Float64) -> None:
    for length in lengths:
        for k in range(length + 1):
            up[power_base[length] + k] = math.exp(tension * (k / length))


@njit(cache=True, nogil=True, error_model="numpy")
def _fill_z(begin: int, end: int, forward: bool, shapes: Shapes, prior: Prior) -> None:
    for k in range(begin, end):
        given, told = shapes.source[k], shapes.target[k]
        if not forward:
            given, told = told, given
        i = shapes.power_base[given] + 1
        j = shapes.power_base[told] + 1
        for y in range(told):
            z = 0.0
            for x in range(given):
                z += min(prior.up[i + x] * prior.down[j + y], prior.down[i + x] * prior.up[j + y])
            prior.z[prior.z_base[k] + y] = z / (1.0 - prior.p0)


@njit(cache=True, nogil=True, error_model="numpy")
def _fill_slopes(
    begin: int,
    end: int,
    forward: bool,
    shapes: Shapes,
    tension: float,
    up: Float64,
    down: Float64,
    slopes: Float64,
) -> None:
    for k in range(begin, end):
        n, m = shapes.source[k], shapes.target[k]
        if not forward:
            n, m = m, n
        up_n, down_n = up[shapes.power_base[n] :], down[shapes.power_base[n] :]
        up_m, down_m = up[shapes.power_base[m] :], down[shapes.power_base[m] :]
        step_n, step_m = 1.0 / n, 1.0 / m
        series_n, series_m = 1.0 / (1.0 - down_n[1]), 1.0 / (1.0 - down_m[1])
        total = 0.0
        for j in range(1, m + 1):
            # Left of the diagonal point i runs from `floor` down to 1, right of it from there to n.
            floor = int(j * n / m)
            h = floor * step_n - j * step_m
            numerator = (
                up_n[floor]
                * down_m[j]
                * _series(h, down_n[1], down_n[floor], series_n, step_n, floor)
            )
            if floor < n:
                numerator += (
                    down_n[floor + 1]
                    * up_m[j]
                    * _series(
                        -h - step_n, down_n[1], down_n[n - floor], series_n, step_n, n - floor
                    )
                )
            floor = int(j * m / n)
            if j <= n:
                z = up_m[floor] * down_n[j] * (1.0 - down_m[floor])
                if floor < m:
                    z += down_m[floor + 1] * up_n[j] * (1.0 - down_m[m - floor])
            else:
                # Past the end the terms right of the diagonal are fewer than none, which the
                # program takes for very many: the series has all its terms.
                h = tension * (floor * step_m - j * step_n)
                z = math.exp(h) * (1.0 - math.exp(-tension * floor * step_m))
                z += math.exp(-h - tension * step_m)
            total += numerator / (z * series_m)
        slopes[k] = total


@njit(cache=True, nogil=True, error_model="numpy")
def _series(
    first: float, ratio: float, power: float, geometric: float, step: float, terms: int
) -> float:
    """Sum of (first - k step) ratio^k for k = 0..terms - 1.

    `power` is ratio^terms and `geometric` is 1 / (1 - ratio).
    """
    last = first - (terms - 1) * step
    return geometric * (first - last * power - step * (ratio - power) * geometric)
