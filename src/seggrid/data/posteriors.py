"""Links with probabilities, which an aligner may give in addition to the links that it chose."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import DTypeLike, NDArray

from seggrid.base.arrays import Arrays
from seggrid.data.links import Links, pack_links, unpack_links
from seggrid.data.ragged import Growing, ragged_rows


@dataclass(frozen=True)
class Posteriors:
    """Links of S sentence pairs with their probabilities.

    Attributes:
        links: (i in source, j in target), all links above the aligner's least probability.
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
        """The posteriors of blocks of sentence pairs, one after another; arguments as for `Links.joined`."""
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
