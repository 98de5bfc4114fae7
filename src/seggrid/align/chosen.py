"""Make links from the place, in the other sentence, that each generated token links to."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from seggrid.base.arrays import Int32, Int64
from seggrid.base.compiled import njit
from seggrid.text.links import Links
from seggrid.text.ragged import each_block, place_kind


def links_of(
    conditioning_offsets: Int64,
    generated_offsets: Int64,
    chosen: NDArray[np.integer],
    swapped: bool,
) -> Links:
    """The links between generated tokens and the conditioning tokens chosen for them, each by its place in
    its sentence; a token without a link has -1 or, in an unsigned array, the largest number of the type.
    Offsets tell where sentences begin; if `swapped`, the generated tokens are the source of the links."""
    none = np.iinfo(chosen.dtype).max if chosen.dtype.kind == "u" else -1

    def block(begin: int, end: int) -> Links:
        tokens = generated_offsets[begin : end + 1]
        own = chosen[tokens[0] : tokens[-1]]
        places = own.astype(np.int32)
        places[own == none] = -1
        sources = np.diff((generated_offsets if swapped else conditioning_offsets)[begin : end + 1])
        at = np.empty(sources.max() + 1, dtype=np.int64)
        offsets = np.zeros(end - begin + 1, dtype=np.int64)
        pairs = np.empty((np.count_nonzero(places >= 0), 2), dtype=np.int32)
        _fill_links(sources, tokens - tokens[0], places, swapped, at, offsets, pairs)
        return Links(offsets, pairs)

    blocks = (block(*ends) for ends in each_block(len(generated_offsets) - 1))
    return Links.joined(blocks, kind_between(conditioning_offsets, generated_offsets))


def kind_between(*offsets: Int64) -> np.dtype[Any]:
    """The integer type for places in links between sides with these sentence offsets, shape (S + 1,) each."""
    return place_kind(max(int(np.diff(side).max()) for side in offsets))


@njit
def _fill_links(
    sources: Int64, generated_offsets: Int64, chosen: Int32, swapped: bool, at: Int64,
    offsets: Int64, pairs: Int32,
) -> None:  # fmt: skip
    """Fill `offsets` and `pairs` with links, sorted by source, then by target; `at` is scratch space, one
    longer than the longest source sentence."""
    for s in range(len(offsets) - 1):
        begin, size = generated_offsets[s], generated_offsets[s + 1] - generated_offsets[s]
        # Where the links of each source token begin.
        at[: sources[s] + 1] = 0
        for j in range(size):
            i = chosen[begin + j]
            if i >= 0:
                at[(j if swapped else i) + 1] += 1
        at[0] = offsets[s]
        for i in range(sources[s]):
            at[i + 1] += at[i]
        offsets[s + 1] = at[sources[s]]
        for j in range(size):
            i = chosen[begin + j]
            if i >= 0:
                source, target = (j, i) if swapped else (i, j)
                pairs[at[source], 0] = source
                pairs[at[source], 1] = target
                at[source] += 1
