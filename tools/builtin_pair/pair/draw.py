"""Reproducible random draws: integers only, so that they are the same on every machine and Python."""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import Generic, TypeVar

T = TypeVar("T")

_MASK = (1 << 64) - 1


class SplitMix64:
    """The generator of Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators"
    (OOPSLA 2014): 64 bits of state, 64 bits a draw."""

    def __init__(self, seed: int) -> None:
        self.state = seed & _MASK

    def next(self) -> int:
        """The next integer, uniform in 0 .. 2^64 - 1."""
        self.state = (self.state + 0x9E3779B97F4A7C15) & _MASK
        mixed = self.state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
        return mixed ^ (mixed >> 31)

    def below(self, bound: int) -> int:
        """An integer in 0 .. bound - 1, uniform to within bound / 2^64."""
        return (self.next() * bound) >> 64

    def chance(self, percent: int) -> bool:
        """True `percent` times in a hundred."""
        return self.below(100) < percent

    def one_of(self, items: Sequence[T]) -> T:
        """One of the items, all equally likely."""
        return items[self.below(len(items))]


class Weighted(Generic[T]):
    """Items drawn in proportion to whole-number weights."""

    def __init__(self, items: Sequence[T], weights: Sequence[int]) -> None:
        self.items = list(items)
        self.bounds = list(accumulate(weights))

    def __len__(self) -> int:
        return len(self.items)

    def draw(self, random: SplitMix64) -> T:
        """One item."""
        return self.items[bisect_right(self.bounds, random.below(self.bounds[-1]))]


def ranked(items: Sequence[T], shift: int = 8) -> Weighted[T]:
    """Items drawn by rank as Zipf and Mandelbrot have it: the r-th in proportion to
    1 / (r + shift), r counted from 1."""
    return Weighted(items, [1_000_000 // (rank + shift) for rank in range(1, len(items) + 1)])
