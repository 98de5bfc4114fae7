"""The diagonal prior of fast_align, and the gradient of its one parameter.

Dyer, Chahuneau and Smith (2013), section 2: generated token j of m takes conditioning token i of n with a
probability proportional to exp(-tension |i/n - j/m|). Each such weight is a product of two powers
exp(±tension k/l), of l = n and l = m, so a table of the powers for each length gives all weights,
and only one normalizer for each (n, m, j) remains to be tabulated.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from seggrid.align.threads import Workers
from seggrid.base.arrays import Float64, Int32, Int64, UInt64
from seggrid.base.compiled import int64, njit
from seggrid.text.ragged import offsets_of


class Shapes(NamedTuple):
    """The K distinct pairs of lengths of a direction of a corpus; the prior depends on these alone.

    Attributes:
        conditioning: number of conditioning tokens of each shape, shape (K,).
        generated: number of generated tokens of each shape, shape (K,).
        pairs: how many sentence pairs have each shape, shape (K,).
        shape_of_pair: the shape of each sentence pair, shape (S,).
        power: k / l for k = 0..l, for each length l of either side, shape (sum of (l + 1),).
        power_base: where the powers of each length begin, shape (longest + 1,).
        z_base: where the normalizers of each shape begin, one for each generated token, shape (K + 1,).
    """

    conditioning: Int64
    generated: Int64
    pairs: Int64
    shape_of_pair: Int32
    power: Float64
    power_base: UInt64
    z_base: Int64

    @classmethod
    def of(cls, conditioning: Int64, generated: Int64) -> Shapes:
        """The distinct shapes of S sentence pairs, from the lengths of both sides, shape (S,)."""
        radix = int(generated.max()) + 1
        codes, shape_of_pair, count = np.unique(
            conditioning * radix + generated, return_inverse=True, return_counts=True
        )
        n, m = np.divmod(codes, radix)
        distinct = np.unique([n, m])
        power = np.concatenate([np.arange(length + 1) / length for length in distinct])
        power_base = np.zeros(int(distinct[-1]) + 1, dtype=np.uint64)
        power_base[distinct] = offsets_of(distinct + 1)[:-1]
        return cls(n, m, count, shape_of_pair.astype(np.int32), power, power_base, offsets_of(m))


class DiagonalPrior(NamedTuple):
    """The prior of a direction at one tension.

    Attributes:
        p0: probability of NULL.
        up: exp(tension k / l) for each of `Shapes.power`.
        down: 1 / `up`.
        z: Z / (1 - p0) of each generated token of each shape, shape (sum of m,); see `Shapes.z_base`.
    """

    p0: float
    tension: float
    up: Float64
    down: Float64
    z: Float64

    @classmethod
    def at(cls, shapes: Shapes, p0: float, tension: float, workers: Workers) -> DiagonalPrior:
        """Tabulate the prior."""
        up = np.exp(tension * shapes.power)
        down = 1 / up
        z = np.empty(shapes.z_base[-1])
        workers.run(_fill_z, workers.split(shapes.z_base), shapes, up, down, p0, z)
        return cls(p0, tension, up, down, z)


def slope_of(shapes: Shapes, tension: float, workers: Workers) -> float:
    """Derivative of the sum of all log Z by the tension, as the reference program computes it.

    The program departs from the paper: it divides the derivative of Z(j, m, n) by Z(j, n, m), the
    normalizer with the two lengths swapped (j is not changed, so it may exceed its length).
    """
    up = np.exp(tension * shapes.power)
    slopes = np.empty(len(shapes.pairs))
    workers.run(_fill_slopes, workers.split(shapes.z_base), shapes, tension, up, 1 / up, slopes)
    return float((slopes * shapes.pairs).sum())


@njit(error_model="numpy")
def _fill_z(
    begin: int, end: int, shapes: Shapes, up: Float64, down: Float64, p0: float, z: Float64
) -> None:
    for k in range(begin, end):
        n, m = shapes.conditioning[k], shapes.generated[k]
        x, y = int64(shapes.power_base[n]), int64(shapes.power_base[m])
        scale = 1.0 / ((1.0 - down[x + 1]) * (1.0 - p0))
        for j in range(1, m + 1):
            # Geometric series: from the diagonal point `floor` down to 1, and on from there to n.
            floor = j * n // m
            total = (up[x + floor] - 1.0) * down[y + j]
            if floor < n:
                total += down[x + floor + 1] * (1.0 - down[x + n - floor]) * up[y + j]
            z[shapes.z_base[k] + j - 1] = total * scale


@njit(error_model="numpy")
def _fill_slopes(
    begin: int, end: int, shapes: Shapes, tension: float, up: Float64, down: Float64,
    slopes: Float64,
) -> None:  # fmt: skip
    for k in range(begin, end):
        n, m = shapes.conditioning[k], shapes.generated[k]
        # up[x + i] is exp(tension i/n) and up[y + j] is exp(tension j/m).
        x, y = int64(shapes.power_base[n]), int64(shapes.power_base[m])
        step_n, step_m = 1.0 / n, 1.0 / m
        series_n, series_m = 1.0 / (1.0 - down[x + 1]), 1.0 / (1.0 - down[y + 1])
        total = 0.0
        for j in range(1, m + 1):
            # Left of the diagonal point i runs from `floor` down to 1, right of it from there to n.
            floor = int(j * n / m)
            h = floor * step_n - j * step_m
            numerator = (
                up[x + floor]
                * down[y + j]
                * _series(h, down[x + 1], down[x + floor], series_n, step_n, floor)
            )
            if floor < n:
                numerator += (
                    down[x + floor + 1]
                    * up[y + j]
                    * _series(
                        -h - step_n, down[x + 1], down[x + n - floor], series_n, step_n, n - floor
                    )
                )
            floor = int(j * m / n)
            if j <= n:
                z = up[y + floor] * down[x + j] * (1.0 - down[y + floor])
                if floor < m:
                    z += down[y + floor + 1] * up[x + j] * (1.0 - down[y + m - floor])
            else:
                # Past the end the number of terms right of the diagonal is negative, which the
                # program takes for a very large one: the series has all its terms.
                h = tension * (floor * step_m - j * step_n)
                z = math.exp(h) * (1.0 - math.exp(-tension * floor * step_m))
                z += math.exp(-h - tension * step_m)
            total += numerator / (z * series_m)
        slopes[k] = total


@njit(error_model="numpy")
def _series(
    first: float, ratio: float, power: float, geometric: float, step: float, terms: int
) -> float:
    """Sum of (first - k step) ratio^k for k < terms.

    `power` is ratio^terms, and `geometric` 1 / (1 - ratio).
    """
    last = first - (terms - 1) * step
    return geometric * (first - last * power - step * (ratio - power) * geometric)
