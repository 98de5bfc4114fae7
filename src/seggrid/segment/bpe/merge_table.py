"""Merges over numbered types, as the kernels apply them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from copy import copy
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from seggrid.data.ragged import offsets_of, ragged_rows
from seggrid.segment.trie import Trie, build_trie


class MergeTable:
    """A list of merges over numbered types.

    Args:
        merges: M merges in order of priority.
        alphabet: types that get the first numbers; parts and products of merges follow.

    Attributes:
        types: the text of each type, shape (V,); `number` adds to it.
        parts: the parts of all merges, one after another, int32, shape (P,).
        offsets: first part of each merge, int64, shape (M + 1,).
        products: type of the product of each merge, int32, shape (M,).
    """

    def __init__(self, merges: Sequence[tuple[str, ...]], alphabet: Iterable[str] = ()) -> None:
        numbers = {symbol: i for i, symbol in enumerate(dict.fromkeys(alphabet))}
        parts = [numbers.setdefault(part, len(numbers)) for merge in merges for part in merge]
        products = [numbers.setdefault("".join(merge), len(numbers)) for merge in merges]
        self._numbers = numbers
        self.types = list(numbers)
        self.parts = np.array(parts, dtype=np.int32)
        self.offsets = offsets_of(list(map(len, merges)))
        self.products = np.array(products, dtype=np.int32)
        self._trie: tuple[int, Trie] | None = None

    def copy(self) -> MergeTable:
        """The same merges, to which further types can be added."""
        other = copy(self)
        other._numbers, other.types = self._numbers.copy(), self.types.copy()
        return other

    def number(self, text: str) -> int:
        """The number of a type; a new type gets the next one."""
        number = self._numbers.setdefault(text, len(self._numbers))
        if number == len(self.types):
            self.types.append(text)
        return number

    def trie(self, rates: NDArray[np.float64] | None = None) -> Trie:
        """The merges as a trie over the present types.

        Args:
            rates: rate of dropout of each merge, shape (M,); None without dropout.
        """
        size = len(self.types)
        if rates is None and self._trie is not None and self._trie[0] == size:
            return self._trie[1]
        drop = np.empty(0) if rates is None else rates
        trie: Trie = build_trie(self.parts, self.offsets, self.products, size, drop)
        if rates is None:
            self._trie = size, trie
        return trie

    def symbol_counts(self) -> NDArray[np.int64]:
        """The number of initial symbols in each type, shape (V,)."""
        counts = np.ones(len(self.types), dtype=np.int64)
        for merge in self._from_short_to_long:
            parts = self.parts[self.offsets[merge] : self.offsets[merge + 1]]
            counts[self.products[merge]] = counts[parts].sum()
        return counts

    def split(
        self, tokens: NDArray[np.int32], unwanted: Collection[str]
    ) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Split each token of an unwanted type into the parts of its merge, recursively.

        Args:
            tokens: the type of each token, int32, shape (T,).
            unwanted: products of merges.

        Returns:
            The tokens after splitting, and how many each token was split into, int64, shape (T,).
        """
        expansions = list(np.arange(len(self.types), dtype=np.int32)[:, None])
        for merge in self._from_short_to_long:
            product = self.products[merge]
            if self.types[product] in unwanted:
                parts = self.parts[self.offsets[merge] : self.offsets[merge + 1]]
                expansions[product] = np.concatenate([expansions[part] for part in parts])
        offsets = offsets_of(list(map(len, expansions)))
        flat = np.concatenate(expansions)
        return flat[ragged_rows(offsets, tokens)], np.diff(offsets)[tokens]

    @cached_property
    def _from_short_to_long(self) -> list[int]:
        """The merges from short to long products, so that each comes after those that make its parts."""
        lengths = [len(self.types[product]) for product in self.products]
        return sorted(range(len(lengths)), key=lengths.__getitem__)
