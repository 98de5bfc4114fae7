"""Sets of links between the sides of sentence pairs, of aligners and of gold; links with probabilities."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Self, TypeVar

import numpy as np
from numpy.typing import DTypeLike, NDArray

from seggrid.base.arrays import Arrays, read_arrays, write_arrays
from seggrid.base.errors import InputError
from seggrid.text.ragged import Growing, each_block, each_range, narrow, offsets_of, ragged_rows
from seggrid.text.segmentation import (
    Segmentation,
    compact,
    pack_segmentations,
    unpack_segmentations,
)


def key_bits(sets: Sequence[Links]) -> int:
    """The number of bits per index that makes the keys (`Links.keys`) of all links in some sets distinct."""
    largest = max((int(links.pairs.max(initial=0)) for links in sets), default=0)
    sentences = max(map(len, sets), default=0)
    if 2 * largest.bit_length() + sentences.bit_length() > 63:
        raise InputError(
            f"links of {sentences} sentences of up to {largest + 1} words cannot be compared",
            hint="cut the longest sentences, or use fewer of them",
        )
    return largest.bit_length()


@dataclass(frozen=True)
class Links:
    """A set of links (i, j) for each of S sentence pairs, L in all.

    Attributes:
        offsets: first link of each sentence pair, int64, shape (S + 1,).
        pairs: source index i and target index j of each link, zero-based, within a sentence distinct and in
            ascending order, shape (L, 2); int32, or a narrower type (`seggrid.text.ragged.place_kind`).
    """

    offsets: NDArray[np.int64]
    pairs: NDArray[np.signedinteger]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @cached_property
    def sentence_of(self) -> NDArray[np.int64]:
        """Sentence index of each link, shape (L,)."""
        return np.repeat(np.arange(len(self)), np.diff(self.offsets))

    def keys(self, bits: int) -> NDArray[np.int64]:
        """A key for each link, ascending, shape (L,): the concatenated bits of sentence, i and j, with as
        many bits per index as `key_bits` gives for all sets to be compared."""
        i, j = self.pairs[:, 0].astype(np.int64), self.pairs[:, 1].astype(np.int64)
        return (self.sentence_of << 2 * bits) | (i << bits) | j

    @classmethod
    def from_keys(cls, keys: NDArray[np.int64], bits: int, sentences: int) -> Links:
        """The links with these keys, which must be distinct and ascending."""
        mask = (1 << bits) - 1
        pairs = np.column_stack([(keys >> bits) & mask, keys & mask]).astype(np.int32)
        return cls(offsets_of(np.bincount(keys >> 2 * bits, minlength=sentences)), pairs)

    def sentence(self, index: int) -> list[tuple[int, int]]:
        """The links of one sentence pair, ascending."""
        rows = self.pairs[self.offsets[index] : self.offsets[index + 1]]
        return [(i, j) for i, j in rows.tolist()]

    def lines(self) -> list[str]:
        """Pharaoh lines: `i-j i-j ...`, one sentence pair per line."""
        return list(self.each_line())

    def each_line(self) -> Iterator[str]:
        """As `lines`, one at a time."""
        for begin, end in each_range(self.offsets):
            yield " ".join([f"{i}-{j}" for i, j in self.pairs[begin:end].tolist()])

    def take(self, sentences: Sequence[int] | NDArray[np.integer]) -> Links:
        """The links of some sentence pairs (by index)."""
        rows = ragged_rows(self.offsets, sentences)
        lengths = np.diff(self.offsets)[np.asarray(sentences, dtype=np.int64)]
        return Links(offsets_of(lengths), self.pairs[rows])

    def spread(self, lines: NDArray[np.integer], total: int) -> Links:
        """Links of `total` sentence pairs: these at the indices `lines`, ascending, and none at the
        others."""
        lengths = np.zeros(total, dtype=np.int64)
        lengths[lines] = np.diff(self.offsets)
        return Links(offsets_of(lengths), self.pairs)

    def where(self, kept: NDArray[np.bool_]) -> Links:
        """The links for which `kept`, shape (L,), is true, in the same sentence pairs."""
        blocks = (self._where(*ends, kept) for ends in each_block(len(self)))
        return Links.joined(blocks, self.pairs.dtype)

    def _where(self, begin: int, end: int, kept: NDArray[np.bool_]) -> Links:
        """As `where`, for sentence pairs `begin:end`."""
        block = self.block(begin, end)
        own = kept[self.offsets[begin] : self.offsets[end]]
        return Links(offsets_of(own)[block.offsets], block.pairs[own])

    def block(self, begin: int, end: int) -> Links:
        """The links of sentence pairs `begin:end`, without a copy."""
        first, last = self.offsets[[begin, end]]
        return Links(self.offsets[begin : end + 1] - first, self.pairs[first:last])

    @classmethod
    def joined(cls, blocks: Iterable[Links], kind: DTypeLike) -> Links:
        """The links of blocks of sentence pairs, one after another; each block may be freed when the next is
        produced. `kind` is the type of `pairs`."""
        offsets, pairs, end = Growing(np.int64), Growing(kind, 2), 0
        offsets.add(np.zeros(1))
        for block in blocks:
            offsets.add(block.offsets[1:] + end)
            pairs.add(block.pairs)
            end += len(block.pairs)
        return cls(offsets.array(), pairs.array())

    @classmethod
    def from_sets(cls, sentences: Iterable[Iterable[tuple[int, int]]]) -> Links:
        """Build from any collections of (i, j), which are sorted and deduplicated."""
        rows = [sorted(set(links)) for links in sentences]
        flat = [link for links in rows for link in links]
        return cls(
            offsets_of([len(links) for links in rows]),
            np.array(flat, dtype=np.int32).reshape(-1, 2),
        )

    @classmethod
    def from_lines(cls, lines: Iterable[str]) -> Links:
        """Parse Pharaoh lines (`i-j i-j ...`)."""
        return cls.from_sets(
            ((int(i), int(j)) for i, _, j in (link.partition("-") for link in line.split()))
            for line in lines
        )


def pack_links(samples: Sequence[Links], prefix: str = "") -> dict[str, NDArray[Any]]:
    """Sets of links as named arrays of small numbers."""
    arrays: dict[str, NDArray[Any]] = {}
    for k, links in enumerate(samples):
        arrays[f"{prefix}{k}/lengths"] = narrow(np.diff(links.offsets))
        arrays[f"{prefix}{k}/pairs"] = narrow(links.pairs)
    return arrays


def unpack_links(arrays: Arrays, prefix: str = "") -> list[Links]:
    """The sets of links that `pack_links` packed with this prefix, in their order."""
    samples: list[Links] = []
    while (name := f"{prefix}{len(samples)}/") + "pairs" in arrays:
        offsets = offsets_of(arrays[name + "lengths"])
        samples.append(Links(offsets, arrays[name + "pairs"].astype(np.int32)))
    return samples


@dataclass(frozen=True)
class Posteriors:
    """Links of S sentence pairs that an aligner gives above its least probability.

    Attributes:
        links: the links.
        probability: probability of each link, 0 to 1, shape (L,), float32 unless it is a mean.
    """

    links: Links
    probability: NDArray[np.floating]

    def __len__(self) -> int:
        return len(self.links)

    def take(self, sentences: Sequence[int] | NDArray[np.integer]) -> Self:
        """The links of some sentence pairs (by index)."""
        rows = ragged_rows(self.links.offsets, sentences)
        return type(self)(self.links.take(sentences), self.probability[rows])

    def block(self, begin: int, end: int) -> Self:
        """The links of sentence pairs `begin:end`, without a copy."""
        first, last = self.links.offsets[[begin, end]]
        return type(self)(self.links.block(begin, end), self.probability[first:last])

    @classmethod
    def joined(cls, blocks: Iterable[Posteriors], kind: DTypeLike) -> Posteriors:
        """As `Links.joined`."""
        probability = Growing(np.float32)

        def links() -> Iterator[Links]:
            for block in blocks:
                probability.add(block.probability)
                yield block.links

        return cls(Links.joined(links(), kind), probability.array())


def pack_posteriors(samples: Sequence[Posteriors], prefix: str = "") -> dict[str, NDArray[Any]]:
    """Several samples as named arrays."""
    arrays = pack_links([sample.links for sample in samples], prefix)
    for k, sample in enumerate(samples):
        arrays[f"{prefix}{k}/probability"] = sample.probability
    return arrays


def unpack_posteriors(arrays: Arrays, prefix: str = "") -> list[Posteriors]:
    """The samples that `pack_posteriors` packed with this prefix, in their order."""
    return [
        Posteriors(links, arrays[f"{prefix}{k}/probability"].astype(np.float32))
        for k, links in enumerate(unpack_links(arrays, prefix))
    ]


# Files of links, with or without probabilities, of several samples of the same sentences

Alignment = tuple[Segmentation, Segmentation, Links, Links]
"""Source, target, forward links, reverse links, all of the same sentences."""

IN_FOLDER = "links.npz"
"""Name of the file of links in a folder that also has other parts of an alignment."""

BothPosteriors = tuple[Posteriors, Posteriors]
"""Forward and reverse probabilities of links, between the tokens of an alignment."""


T = TypeVar("T")


def meet(sources: Sequence[T], targets: Sequence[T]) -> tuple[list[T], list[T]]:
    """Pair the samples of two sides for alignment: the only sample of a side without dropout is paired with
    every sample of the other.

    >>> meet(["a"], ["x", "y"])
    (['a', 'a'], ['x', 'y'])
    """
    n = max(len(sources), len(targets))
    source, target = (
        list(side) * n if len(side) == 1 else list(side) for side in (sources, targets)
    )
    return source, target


def write_alignments(
    path: str | Path, samples: Sequence[Alignment], posteriors: Sequence[BothPosteriors] = ()
) -> None:
    """Write both directions of each sample, the tokens that they link and, if there are any, the
    probabilities of their links, one entry for each sample."""
    sources, targets, forward, reverse = zip(*samples, strict=True)
    arrays = (
        pack_segmentations([compact(source) for source in sources], "source/")
        | pack_segmentations([compact(target) for target in targets], "target/")
        | pack_links(forward, "forward/")
        | pack_links(reverse, "reverse/")
    )
    for way, direction in enumerate(_POSTERIORS) if posteriors else ():
        arrays |= pack_posteriors([both[way] for both in posteriors], direction)
    write_arrays(path, arrays)


_POSTERIORS = ("posteriors/forward/", "posteriors/reverse/")


def read_alignments(path: str | Path) -> list[Alignment]:
    """Read what `write_alignments` wrote, except the probabilities."""
    arrays = read_arrays(path)
    sides = unpack_segmentations(arrays, "source/"), unpack_segmentations(arrays, "target/")
    directions = unpack_links(arrays, "forward/"), unpack_links(arrays, "reverse/")
    return list(zip(*sides, *directions, strict=True))


def read_posteriors(path: str | Path) -> list[BothPosteriors]:
    """Read the probabilities that `write_alignments` wrote, one entry for each sample."""
    arrays = read_arrays(path)
    forward, reverse = (unpack_posteriors(arrays, direction) for direction in _POSTERIORS)
    return list(zip(forward, reverse, strict=True))
