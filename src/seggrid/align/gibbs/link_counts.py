"""The counts of samplers' links: what gibbs learns from a text, and adds to the counts of new text.

Links are counted as the sampler counts them: by pairs of types, by jumps, and by fertilities. New text is
then aligned with few sweeps, as if the old text were part of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seggrid.align.gibbs._sampler import FERTILITIES
from seggrid.base.arrays import Int64
from seggrid.text.links import Links
from seggrid.text.segmentation import Segmentation

MOST = 1 << 30
"""The largest sum of all counts that a sampler may add to its own."""

Integers = NDArray[np.integer]
Types = Sequence[Sequence[str]]
"""Source types and target types."""


class CountTable(NamedTuple):
    """Counts of K samplers, sorted by what they count, without those that are 0 in all samplers.

    Attributes:
        keys: what is counted: one or two numbers, each an array of shape (N,).
        counts: how often, shape (N, K). Keys and counts are int64, or narrower as read from a file.
    """

    keys: Sequence[Integers]
    counts: Integers


class PriorCounts(NamedTuple):
    """The counts of K samplers for one direction, which are added to the counts of their links.

    Attributes:
        conditioning, generated: the types of each pair of types that has links, shape (C,).
        links: the number of links of each pair, shape (C, K).
        totals: links of each conditioning type, to any generated type, int64, shape (V, K).
        jumps: counts of the jumps -D..D, int64, shape (2 D + 1, K).
        fertilities: how many tokens of each conditioning type have 0..7 links, int64, shape (V x 8, K).
    """

    conditioning: Integers
    generated: Integers
    links: Integers
    totals: Int64
    jumps: Int64
    fertilities: Int64


class LinkCounts(NamedTuple):
    """The counts of K samplers' links.

    Attributes:
        types: source types and target types, which the tables number.
        pairs: links of each source type and target type.
        totals: links of each source type, and of each target type, also to types that are not in `types`.
        fertilities: for each direction, how many tokens of each conditioning type have so many links.
        jumps: for each direction, occurrences of each distance between the links of consecutive linked
            tokens.
    """

    types: Types
    pairs: CountTable
    totals: tuple[CountTable, CountTable]
    fertilities: tuple[CountTable, CountTable]
    jumps: tuple[CountTable, CountTable]

    @classmethod
    def of(cls, types: Types, pairs: CountTable, *others: CountTable) -> LinkCounts:
        """The counts of links between these types; `others`: fertilities, then jumps, of both directions."""
        totals = (count_table([key], pairs.counts) for key in pairs.keys)
        return cls._of_tables(types, [pairs, *totals, *others])

    @classmethod
    def from_links(
        cls,
        source: Segmentation,
        target: Segmentation,
        forward: Sequence[Links],
        reverse: Sequence[Links],
    ) -> LinkCounts:
        """Count the links of each sampler. The types are those that have tokens, sorted.

        Pairs of types are counted in the forward links alone, as in eflomal, whose file has one table of them
        for both directions. Tokens without links are counted too, with fertility 0.
        """
        sides = source, target
        pairs = (
            [side.ids[_tokens(own, side, k)] for k, side in enumerate(sides)] for own in forward
        )
        tables = [_counted(pairs, 2)]
        for columns, count in ((2, _fertilities), (1, _jumps)):
            for way, links in enumerate((forward, reverse)):
                tables.append(_counted((count(own, sides[way], way) for own in links), columns))
        used = [sorted(side.types[k] for k in np.unique(side.ids).tolist()) for side in sides]
        return cls.of((source.types, target.types), *tables).of_types(used)

    @classmethod
    def of_pairs(cls, types: Types, pairs: Int64, links: int) -> LinkCounts:
        """So many links of each pair of a source and a target type, shape (N, 2), for one sampler, without
        fertilities and jumps."""
        counts = np.full((len(pairs), 1), links)
        one, two = CountTable([pairs[:0, 0]], counts[:0]), CountTable([*pairs[:0].T], counts[:0])
        return cls.of(types, count_table([*pairs.T], counts), two, two, one, one)

    @classmethod
    def _of_tables(cls, types: Types, tables: Sequence[CountTable]) -> LinkCounts:
        pairs, *others = tables
        return cls(types, pairs, *zip(others[::2], others[1::2], strict=True))

    def tables(self) -> tuple[CountTable, ...]:
        """All tables, in the order of the attributes."""
        return self.pairs, *self.totals, *self.fertilities, *self.jumps

    @property
    def samplers(self) -> int:
        """K."""
        return int(self.pairs.counts.shape[1])

    def changed(self, change: Callable[[Integers], Integers]) -> LinkCounts:
        """The same with other counts in each table."""
        tables = [CountTable(table.keys, change(table.counts)) for table in self.tables()]
        return self._of_tables(self.types, tables)

    def of_types(self, types: Types) -> LinkCounts:
        """The counts for some types, numbered by their index in `types`. The total of a type still includes
        its links to all others."""
        return added([self], types)

    def lowercased(self, source: bool = True, target: bool = True) -> LinkCounts:
        """The counts with types of one side or both in lower case: counts of types that differ only in case
        are added."""
        return added([self], None, [str.lower if lower else str for lower in (source, target)])

    def of_samplers(self, samplers: range) -> LinkCounts:
        """The counts of some samplers, of which number k has those of k modulo K."""
        columns = [k % self.samplers for k in samplers]
        return self.changed(lambda counts: counts[:, columns])

    def in_direction(self, way: int, longest: int) -> PriorCounts:
        """The counts of one direction (0 forward, 1 reverse), without jumps longer than `longest`."""
        conditioning, generated = self.pairs.keys[:: 1 - 2 * way]
        ((types,), totals), ((jumps,), times) = self.totals[way], self.jumps[way]
        near = np.abs(jumps) <= longest
        return PriorCounts(
            conditioning, generated, self.pairs.counts, dense(types, totals, len(self.types[way])),
            dense(longest + jumps[near], times[near], 2 * longest + 1), self.fertility_classes(way),
        )  # fmt: skip

    def fertility_classes(self, way: int) -> Int64:
        """How many tokens of each conditioning type have 0..7 links, int64, shape (V x 8, K)."""
        (types, numbers), counts = self.fertilities[way]
        rows = types.astype(np.int64) * FERTILITIES + np.minimum(numbers, FERTILITIES - 1)
        return dense(rows, counts, len(self.types[way]) * FERTILITIES)


def added(
    several: Sequence[LinkCounts],
    types: Types | None = None,
    spelled: Sequence[Callable[[str], str]] = (str, str),
) -> LinkCounts:
    """The sum of counts, each of as many samplers.

    Args:
        types: the types of the sum; by default, those of all counts. Links to others are only in the totals.
        spelled: for each side, how the types of the counts are spelled in the sum.
    """
    if types is None:
        every = zip(*(one.types for one in several), strict=True)
        types = [
            list(dict.fromkeys(spell(text) for own in of_side for text in own))
            for of_side, spell in zip(every, spelled, strict=True)
        ]
    numbers = [{text: k for k, text in enumerate(own)} for own in types]
    found: list[list[CountTable]] = []
    for one in several:
        e, f = (
            np.array([index.get(spell(text), -1) for text in own], dtype=np.int32)
            for own, index, spell in zip(one.types, numbers, spelled, strict=True)
        )
        # The keys of each table that are types.
        places: list[list[Integers]] = [[e, f], [e], [f], [e], [f], [], []]
        found.append([_moved(*own) for own in zip(one.tables(), places, strict=True)])
    return LinkCounts._of_tables(types, [_joined(tables) for tables in zip(*found, strict=True)])


def _moved(table: CountTable, places: Sequence[Integers]) -> CountTable:
    """The rows of a table with new numbers of types, which `places` has: -1 for those that are left out."""
    keys, known = [*table.keys], np.ones(len(table.counts), dtype=np.bool_)
    for column, place in enumerate(places):
        keys[column] = place[keys[column]]
        known &= keys[column] >= 0
    return CountTable([key[known] for key in keys], table.counts[known])


def _joined(tables: Sequence[CountTable]) -> CountTable:
    keys = [np.concatenate(own) for own in zip(*(table.keys for table in tables), strict=True)]
    return count_table(keys, np.concatenate([table.counts for table in tables]))


def count_table(keys: Sequence[Integers], counts: Integers) -> CountTable:
    """The table of some counts, in any order; those with equal keys are added."""
    numbers = key_numbers(keys)
    order = np.argsort(numbers, kind="stable")
    first = np.flatnonzero(np.diff(numbers[order], prepend=-MOST - 1))
    if not len(first):
        return CountTable(keys, counts.astype(np.int64))
    # Column by column, since NumPy first copies what it adds as another type.
    columns = [np.add.reduceat(column[order], first, dtype=np.int64) for column in counts.T]
    sums = np.stack(columns, axis=1)
    is_counted = sums.any(axis=1)
    rows = order[first[is_counted]]
    return CountTable([key[rows].astype(np.int64) for key in keys], sums[is_counted])


def key_numbers(keys: Sequence[Integers]) -> Int64:
    """The keys of each row as one number, which is in the same order."""
    first = keys[0].astype(np.int64)
    return (first << 32) + keys[1] if len(keys) > 1 else first


def dense(keys: Integers, counts: Integers, size: int) -> Int64:
    """A table of `size` rows in which row k is the sum of the counts with key k."""
    found = np.zeros((size, counts.shape[1]), dtype=np.int64)
    np.add.at(found, keys, counts)
    return found


def _counted(of_samplers: Iterable[Sequence[Integers]], columns: int) -> CountTable:
    """How often each key of so many columns occurs among those of each sampler."""
    found = [np.unique(key_numbers(keys), return_counts=True) for keys in of_samplers]
    every = np.unique(np.concatenate([numbers for numbers, _ in found]))
    counts = np.zeros((len(every), len(found)), dtype=np.int64)
    for k, (numbers, times) in enumerate(found):
        counts[np.searchsorted(every, numbers), k] = times
    return CountTable([every] if columns == 1 else np.divmod(every, 1 << 32), counts)


def _tokens(links: Links, side: Segmentation, column: int) -> Int64:
    """The tokens of a side that have links, which are in this column of the links."""
    tokens: Int64 = side.offsets[links.sentence_of] + links.pairs[:, column]
    return tokens


def _fertilities(
    links: Links, conditioning: Segmentation, column: int
) -> tuple[Integers, Integers]:
    """Type and number of links of each conditioning token."""
    return conditioning.ids, np.bincount(
        _tokens(links, conditioning, column), minlength=len(conditioning.ids)
    )


def _jumps(links: Links, conditioning: Segmentation, column: int) -> tuple[Integers]:
    """The distances between the conditioning tokens of consecutive linked tokens."""
    places, generated = links.pairs[:, column], links.pairs[:, 1 - column]
    places = places[np.lexsort((generated, links.sentence_of))]
    # In each sentence, -1 stands before the places of the links, and the sentence's length after them.
    ends = np.column_stack([np.full(len(links), -1), conditioning.lengths]).ravel()
    steps = np.diff(np.insert(places.astype(np.int64), np.repeat(links.offsets, 2)[1:-1], ends))
    return (np.delete(steps, links.offsets[1:-1] + 2 * np.arange(1, len(links)) - 1),)
