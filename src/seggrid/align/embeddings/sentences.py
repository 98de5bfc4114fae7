"""Lines of several sentences: where the sentences begin, and which translate each other."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from seggrid.align.embeddings.extraction import normalize
from seggrid.align.embeddings.pieces import begin_words
from seggrid.text.boundary import BOUNDARY, WORD_END
from seggrid.text.segmentation import Segmentation

_STOP = re.compile("[.!?…。！？।॥؟۔][\"'”’»›）)」』\\]]*$")

LONG = 100
"""In passages of which both sides have more pieces, fewer words are linked (docs/studies/neural.md)."""

LEAST = 4
"""A sentence has at least so many tokens: less is an abbreviation, or a number."""

WHOLE = 48
"""Lines of at most so many tokens stay whole."""

BEADS = ((1, 1), (1, 2), (2, 1), (2, 2), (1, 3), (3, 1))
"""How many sentences of each side may translate each other."""

COST = 0.5
"""What it costs that they are not one and one."""


def sentence_edges(
    tokens: Segmentation, offsets: NDArray[np.int64], token: NDArray[np.int32]
) -> NDArray[np.int64]:
    """Where lines and their sentences begin and end, as indices of pieces, ascending and distinct. A sentence
    begins after a full stop or the like.

    Args:
        offsets, token: the first piece of each line, and the index of each piece's token in its line.
    """
    marks = (text.removesuffix(WORD_END).rstrip(BOUNDARY) for text in tokens.types)
    stops = np.array([bool(_STOP.search(text)) for text in marks], dtype=np.bool_)
    possible = 1 + np.flatnonzero(stops[tokens.ids[:-1]] & begin_words(tokens)[1:])
    line = np.searchsorted(tokens.offsets, possible, side="right") - 1
    found: list[int] = []
    before = -1
    for place, k in zip(possible.tolist(), line.tolist(), strict=True):
        begin, end = tokens.offsets[k : k + 2].tolist()
        if end - begin > WHOLE and min(place - max(before, begin), end - place) >= LEAST:
            before = place
            own = token[offsets[k] : offsets[k + 1]]
            found.append(int(offsets[k] + np.searchsorted(own, place - begin)))
    return np.union1d(offsets, np.array(found, dtype=np.int64))


def match_passages(
    source: NDArray[np.floating], target: NDArray[np.floating]
) -> list[tuple[int, int]]:
    """The ends of the passages of two lines that translate each other, from the sums of the vectors of their
    sentences, shape (n, d) and (m, d).

    Passages have the same order on both sides, and as many sentences as `BEADS` says. The sum of their
    cosines, each times the number of its sentences and less `COST`, is the largest; vectors are normalized,
    and the mean of the line's sentences is subtracted. Without such passages, the lines are one.
    """
    n, m = len(source), len(target)
    sides = source, target
    means = [normalize(side).mean(axis=0) for side in sides]
    sums = [np.append(np.zeros((1, side.shape[1])), side.cumsum(axis=0), axis=0) for side in sides]
    gains = []
    for counts in BEADS:
        one, other = (
            normalize(normalize(own[k:] - own[:-k]) - mean)
            for own, mean, k in zip(sums, means, counts, strict=True)
        )
        gains.append(sum(counts) * (one @ other.T) - (COST if max(counts) > 1 else 0))
    best = np.full((n + 1, m + 1), -np.inf)
    back = np.zeros((n + 1, m + 1), dtype=np.int64)
    best[0, 0] = 0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            for k, (p, q) in enumerate(BEADS):
                if p <= i and q <= j and best[i - p, j - q] + gains[k][i - p, j - q] > best[i, j]:
                    best[i, j] = best[i - p, j - q] + gains[k][i - p, j - q]
                    back[i, j] = k
    ends = []
    while best[n, m] > -np.inf and n:
        ends.append((n, m))
        p, q = BEADS[back[n, m]]
        n, m = n - p, m - q
    return ends[::-1] or [(n, m)]
