"""Random numbers that depend only on a key and a counter, computed by plain arithmetic.

Each number is the counter-th of SplitMix64 (Steele, Lea and Flood 2014, "Fast splittable
pseudorandom number generators") from the key, so that numbers can be computed in any order.
No function of the system's mathematics library is called, as their last bits differ between systems.
"""

from __future__ import annotations

import math

import numpy as np

from seggrid.base.compiled import float32, float64, int64, njit, uint64

_GOLDEN = uint64(0x9E3779B97F4A7C15)
_MIX_1, _MIX_2 = uint64(0xBF58476D1CE4E5B9), uint64(0x94D049BB133111EB)
_27, _30, _31 = uint64(27), uint64(30), uint64(31)
_11, _40, _52 = uint64(11), uint64(40), uint64(52)
_FRACTION = uint64((1 << 52) - 1)
_ONE = uint64(1023 << 52)


@njit
def random_bits(key: int, counter: int) -> int:
    """64 random bits, uint64, from a key and a counter, both uint64."""
    z = key + counter * _GOLDEN
    z = (z ^ (z >> _30)) * _MIX_1
    z = (z ^ (z >> _27)) * _MIX_2
    return z ^ (z >> _31)


@njit
def short_uniform(key: int, counter: int) -> float:
    """A multiple of 2^-24 in [0, 1), float32."""
    return float32(int64(random_bits(key, counter) >> _40)) * float32(2.0**-24)


@njit
def uniform(key: int, counter: int) -> float:
    """An odd multiple of 2^-54 in (0, 1), float64."""
    return (float64(int64(random_bits(key, counter) >> _11)) + 0.5) * 2.0**-53


@njit
def log(x: float) -> float:
    """log(x) of a normal x > 0, to 1e-15."""
    bits = np.float64(x).view(np.uint64)
    exponent = int64(bits >> _52) - 1023
    fraction = float64(np.uint64((bits & _FRACTION) | _ONE).view(np.float64))
    if fraction > 1.4142135623730951:
        fraction *= 0.5
        exponent += 1
    # log(f) = 2 atanh(t), t = (f - 1) / (f + 1), |t| <= 0.1716
    t = (fraction - 1.0) / (fraction + 1.0)
    square = t * t
    total = 0.0
    for k in range(10, -1, -1):
        total = total * square + 1.0 / (2 * k + 1)
    return exponent * 0.6931471805599453 + 2.0 * t * total


@njit
def _exp(x: float) -> float:
    """exp(x) for -700 <= x <= 0, to 1e-14."""
    k = math.floor(x * 1.4426950408889634 + 0.5)
    r = (x - k * 0.693147180369123816490) - k * 1.90821492927058770002e-10
    total = 1.0
    for n in range(13, 0, -1):
        total = 1.0 + total * r / n
    return float64(total * np.int64((int64(k) + 1023) << 52).view(np.float64))


@njit
def gamma(key: int, shape: float) -> float:
    """A Gamma(shape, 1) variate, shape > 0, from the numbers 1, 2, ... of a key.

    For shape 1/2 it is half the square of a normal variate; for others, see Marsaglia and Tsang (2000), "A
    simple method for generating gamma variables".
    """
    counter = uint64(0)
    if shape == 0.5:
        z, _ = _normal(key, counter)
        return float64(0.5 * z * z)
    d = (shape + 1.0 if shape < 1.0 else shape) - 1.0 / 3.0
    c = 1.0 / math.sqrt(9.0 * d)
    while True:
        z, counter = _normal(key, counter)
        v = 1.0 + c * z
        if v <= 0.0:
            continue
        v = v * v * v
        counter += uint64(1)
        u = uniform(key, counter)
        square = z * z
        if u < 1.0 - 0.0331 * square * square:
            break
        if log(u) < 0.5 * square + d * (1.0 - v + log(v)):
            break
    if shape < 1.0:
        counter += uint64(1)
        return float64(d * v * _exp(max(log(uniform(key, counter)) / shape, -700.0)))
    return float64(d * v)


@njit
def _normal(key: int, counter: int) -> tuple[float, int]:
    """A standard normal variate and the new counter, by Leva (1992), "A fast normal random number
    generator"; about 1 in 80 variates needs a logarithm."""
    while True:
        u = uniform(key, counter + uint64(1))
        v = 1.7156 * (uniform(key, counter + uint64(2)) - 0.5)
        counter += uint64(2)
        x, y = u - 0.449871, abs(v) + 0.386595
        q = x * x + y * (0.19600 * y - 0.25472 * x)
        if q < 0.27597:
            return v / u, counter
        if q > 0.27846:
            continue
        if v * v <= -4.0 * u * u * log(u):
            return v / u, counter
