"""Projection: from links between subwords to links between words.

Two words are linked if any of their tokens are (thesis, sections 4.2.3 and 5.2.3). A token that
spans several words links each of them (section 5.5).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from seggrid.data.compiled import njit
from seggrid.data.links import Links
from seggrid.data.segmentation import Segmentation
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
    i = source.offsets[links.sentence_of] + links.pairs[:, 0]
    j = target.offsets[links.sentence_of] + links.pairs[:, 1]
    ranges = source.first[i], source.last[i], target.first[j], target.last[j]
    rows, columns = (
        np.maximum(last - first + 1, 0, dtype=np.int64) for first, last in (ranges[:2], ranges[2:])
    )
    pairs = np.empty((int(rows @ columns), 2), dtype=np.int32)
    offsets = np.zeros(len(links) + 1, dtype=np.int64)
    words = source.last.max(initial=0) + 1, target.last.max(initial=0) + 1
    _project(
        links.offsets,
        ranges,
        np.zeros(words, dtype=np.bool_),
        offsets,
        pairs,
    )
    return Links(offsets, pairs[: offsets[-1]].copy())


@njit
def _project(
    link_offsets: NDArray[np.int64],
    ranges: tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]],
    linked: NDArray[np.bool_],
    offsets: NDArray[np.int64],
    pairs: NDArray[np.int32],
) -> None:
    source_first, source_last, target_first, target_last = ranges
    end = 0
    for s in range(len(offsets) - 1):
        begin = end
        for k in range(link_offsets[s], link_offsets[s + 1]):
            for i in range(source_first[k], source_last[k] + 1):
                for j in range(target_first[k], target_last[k] + 1):
                    if not linked[i, j]:
                        linked[i, j] = True
                        _insert(i, j, begin, end, pairs)
                        end += 1
        for k in range(begin, end):
            linked[pairs[k, 0], pairs[k, 1]] = False
        offsets[s + 1] = end


@njit
def _insert(i: int, j: int, begin: int, end: int, pairs: NDArray[np.int32]) -> None:
    """Insert (i, j) into the ascending `pairs[begin:end]`: near the end, as links ascend too."""
    k = end
    while k > begin and (pairs[k - 1, 0] > i or (pairs[k - 1, 0] == i and pairs[k - 1, 1] > j)):
        pairs[k, 0] = pairs[k - 1, 0]
        pairs[k, 1] = pairs[k - 1, 1]
        k -= 1
    pairs[k, 0] = i
    pairs[k, 1] = j
