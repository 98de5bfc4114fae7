"""A trie of types, or merges, by their symbols, stored as one hash table.

A node and the next symbol lead to an entry, which has the type that ends there and the next node. Each symbol
is itself a child of the root, and most merges are pairs, so one lookup is usually enough.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seggrid.base.compiled import njit, uint64
from seggrid.base.random_bits import GOLDEN
from seggrid.text.boundary import BOUNDARY, WORD_END
from seggrid.text.ragged import offsets_of

Array = NDArray[Any]  # of records or of numbers

NONE = np.iinfo(np.int32).max
"""The rank that stands for no merge; greater than all ranks."""
_FIRST_NODE = 1 << 30
"""The number of the first node that is no symbol; greater than all symbols."""

ENTRY = np.dtype(
    [
        ("key", np.uint64),  # the key of a node and a symbol, see `_key`; 0 if the entry is free
        ("rank", np.int32),  # rank of the merge that ends there, or NONE
        ("next", np.int32),  # the next node, -1 if no longer merge begins like this
    ],
    align=True,
)
MERGE = np.dtype([("product", np.int32), ("parts", np.int32), ("drop", np.float64)], align=True)


class Trie(NamedTuple):
    """M merges by their parts.

    Attributes:
        table: the nodes, of `ENTRY`, by open addressing; its length is a power of 2.
        merges: product, number of parts and rate of dropout of each merge, of `MERGE`, shape (M,), by rank.
        longest: the most symbols that a merge joins.
    """

    table: Array
    merges: Array
    longest: int


@njit
def build_trie(
    parts: NDArray[np.int32],
    offsets: NDArray[np.int64],
    products: NDArray[np.int32],
    rates: NDArray[np.float64],
) -> Trie:
    """Build the trie of M merges; if several have the same parts, the first is used.

    Args:
        parts: symbols of the parts of all merges, one merge after the other, shape (P,).
        offsets: first part of each merge, shape (M + 1,).
        products: symbol of the product of each merge, shape (M,).
        rates: probability with which dropout drops each merge in a step, shape (M,), or (0,) without dropout.
    """
    n_entries = len(parts) - len(products)
    size = 16
    while size < 2 * n_entries:
        size *= 2
    table = np.zeros(size, dtype=ENTRY)
    for slot in range(size):
        table[slot].rank = NONE
        table[slot].next = -1
    merges = np.empty(len(products), dtype=MERGE)
    nodes = _FIRST_NODE
    longest = 2
    for merge in range(len(products)):
        n = offsets[merge + 1] - offsets[merge]
        merges[merge].product = products[merge]
        merges[merge].parts = n
        merges[merge].drop = rates[merge] if len(rates) else 0.0
        longest = max(longest, n)
        node = parts[offsets[merge]]
        for k in range(1, n):
            symbol = parts[offsets[merge] + k]
            slot = slot_of(table, node, symbol)
            table[slot].key = _key(node, symbol)
            if k == n - 1:
                table[slot].rank = min(table[slot].rank, merge)
            elif table[slot].next < 0:
                table[slot].next = nodes
                nodes += 1
            node = table[slot].next
    return Trie(table, merges, longest)


def trie_of(
    types: Collection[str], texts: Sequence[str], marking: str | None, *, backwards: bool = False
) -> tuple[Trie, list[str]]:
    """The trie of a vocabulary by symbols whose texts are given, shape (A,), and the types that are in it:
    those of several known symbols, in the order of `types`, read from the last symbol to the first if
    `backwards`. Ranks are indices of these types; the number of the type with rank k is A + k."""
    number = {text: symbol for symbol, text in enumerate(texts)}
    rows, known = [], []
    for type_ in types:
        row = [number.get(symbol, -1) for symbol in symbols_in(type_, marking)]
        if len(row) > 1 and min(row) >= 0:
            rows.append(row[::-1] if backwards else row)
            known.append(type_)
    trie = build_trie(
        np.array([symbol for row in rows for symbol in row], dtype=np.int32),
        offsets_of(list(map(len, rows))),
        np.arange(len(texts), len(texts) + len(rows), dtype=np.int32),
        np.empty(0),
    )
    return trie, known


def worth_of(log_p: Sequence[float]) -> NDArray[np.int64]:
    """Logarithms of probabilities as integers, multiples of 2^-40, whose sums are exact in any order."""
    return np.rint(np.array(log_p, dtype=np.float64) * 2.0**40).astype(np.int64)


def symbols_in(type_: str, marking: str | None) -> list[str]:
    """The symbols of a type.

    >>> symbols_in("▁the", "start"), symbols_in("en</w>", "end"), symbols_in("▁th", None)
    (['▁t', 'h', 'e'], ['e', 'n</w>'], ['▁', 't', 'h'])
    """
    if marking == "start" and type_.startswith(BOUNDARY):
        return [type_[:2], *type_[2:]]
    if marking == "end" and type_.endswith(WORD_END) and type_ != WORD_END:
        rest = list(type_.removesuffix(WORD_END))
        return [*rest[:-1], rest[-1] + WORD_END]
    return list(type_)


@njit
def longest_unit(offsets: Array) -> int:
    """The number of symbols of the longest unit."""
    longest = 0
    for unit in range(len(offsets) - 1):
        longest = max(longest, offsets[unit + 1] - offsets[unit])
    return longest


@njit
def _key(node: int, symbol: int) -> int:
    return (uint64(node) << uint64(32)) + uint64(symbol) + uint64(1)


@njit
def slot_of(table: Array, node: int, symbol: int) -> int:
    """The slot of the entry of (node, symbol) in the table, or the free slot where it would be put."""
    key = _key(node, symbol)
    mask = len(table) - 1
    slot = int((key * GOLDEN) >> uint64(32)) & mask
    while table[slot].key != 0 and table[slot].key != key:
        slot = (slot + 1) & mask
    return slot
