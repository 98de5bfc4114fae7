"""Random numbers that depend only on a key and a counter, computed by plain arithmetic.

Each number is the counter-th of SplitMix64 (Steele, Lea and Flood 2014, "Fast splittable
pseudorandom number generators") from the key, so that numbers can be computed in any order.
"""

from __future__ import annotations

from seggrid.base.compiled import float32, int64, njit, uint64

_GOLDEN = uint64(0x9E3779B97F4A7C15)
_MIX_1, _MIX_2 = uint64(0xBF58476D1CE4E5B9), uint64(0x94D049BB133111EB)
_27, _30, _31, _40 = uint64(27), uint64(30), uint64(31), uint64(40)


@njit(_nrt=False, forceinline=True)
def random_bits(key: int, counter: int) -> int:
    """64 random bits, uint64, from a key and a counter, both uint64."""
    z = key + counter * _GOLDEN
    z = (z ^ (z >> _30)) * _MIX_1
    z = (z ^ (z >> _27)) * _MIX_2
    return z ^ (z >> _31)


@njit(_nrt=False, forceinline=True)
def uniform(key: int, counter: int) -> float:
    """A multiple of 2^-24 in [0, 1), float32."""
    return float32(int64(random_bits(key, counter) >> _40)) * float32(2.0**-24)
