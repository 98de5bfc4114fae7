"""Random bits in kernels, and the constant that spreads them and hashes."""

from __future__ import annotations

from seggrid.base.compiled import njit, uint64

GOLDEN = uint64(0x9E3779B97F4A7C15)
"""2^64 divided by the golden ratio, made odd: its multiples are spread evenly."""
_MIX_1, _MIX_2 = uint64(0xBF58476D1CE4E5B9), uint64(0x94D049BB133111EB)
_27, _30, _31 = uint64(27), uint64(30), uint64(31)


@njit(_nrt=False, forceinline=True)
def random_bits(key: int, counter: int) -> int:
    """64 random bits, uint64, from a key and a counter, both uint64: the counter-th number of SplitMix64 from
    the key (Steele, Lea and Flood 2014, "Fast splittable pseudorandom number generators", figure 15)."""
    z = key + counter * GOLDEN
    z = (z ^ (z >> _30)) * _MIX_1
    z = (z ^ (z >> _27)) * _MIX_2
    return z ^ (z >> _31)
