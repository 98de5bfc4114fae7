"""Projection: from links between subwords to links between words.

Two words are linked if any of their tokens are (thesis, sections 4.2.3 and 5.2.3). A token that
spans several words links each of them (section 5.5).
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from seggrid.arrays import Links, Segmentation
from seggrid.errors import InputError


def project(links: Links, source: Segmentation, target: Segmentation) -> Links:
    """Word links from token links.

    A link between a token of the words `first..last` and one of the words `first'..last'` gives
    every (i, j) of the two ranges; a token of no word (`last < first`) gives none.

    Args:
        links: links between the tokens of S sentence pairs.
        source, target: the segmentations that the links are of, S sentences each.

    Returns:
        The word links of the S sentence pairs, each once, ascending.

    Raises:
        InputError: the three differ in their number of sentences.
    """
    if not len(links) == len(source) == len(target):
        raise InputError(
            f"links of {len(links)} sentence pairs, segmentations of {len(source)} and "
            f"{len(target)} sentences"
        )
    spans = source.first, source.last, source.offsets, target.first, target.last, target.offsets
    offsets = np.zeros(len(links) + 1, dtype=np.int64)
    # Words may outnumber links where tokens span several, so the space is counted first.
    pairs = np.empty((0, 2), dtype=np.int32)
    _project(links.offsets, links.pairs, *spans, offsets, pairs)
    pairs = np.empty((offsets[-1], 2), dtype=np.int32)
    _project(links.offsets, links.pairs, *spans, offsets, pairs)
    return Links(offsets, pairs)


@njit(cache=True, nogil=True)
def _project(
    link_offsets: NDArray[np.int64],
    links: NDArray[np.int32],
    source_first: NDArray[np.int32],
    source_last: NDArray[np.int32],
    source_offsets: NDArray[np.int64],
    target_first: NDArray[np.int32],
    target_last: NDArray[np.int32],
    target_offsets: NDArray[np.int64],
    offsets: NDArray[np.int64],
    pairs: NDArray[np.int32],
) -> None:
    """Fill `offsets`; fill `pairs` too if it has any room."""
    total = 0
    for s in range(len(offsets) - 1):
        words = np.int32(0)
        for k in range(target_offsets[s], target_offsets[s + 1]):
            words = max(words, target_last[k] + 1)
        rows = np.int32(0)
        for k in range(source_offsets[s], source_offsets[s + 1]):
            rows = max(rows, source_last[k] + 1)
        linked = np.zeros((rows, words), dtype=np.uint8)
        for k in range(link_offsets[s], link_offsets[s + 1]):
            a = source_offsets[s] + links[k, 0]
            b = target_offsets[s] + links[k, 1]
            for i in range(source_first[a], source_last[a] + 1):
                for j in range(target_first[b], target_last[b] + 1):
                    linked[i, j] = 1
        for i in range(rows):
            for j in range(words):
                if linked[i, j]:
                    if len(pairs):
                        pairs[total, 0] = i
                        pairs[total, 1] = j
                    total += 1
        offsets[s + 1] = total
