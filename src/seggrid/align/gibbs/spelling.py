"""Words that are spelled alike, as names, numbers and cognates are: a prior on translations."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from seggrid.base.arrays import Int64
from seggrid.base.compiled import grown, int64, njit
from seggrid.text.ragged import code_points, offsets_of
from seggrid.text.segmentation import Segmentation
from seggrid.text.words import places_of

SIMILAR = 0.7
"""The least similarity of words that are spelled alike."""

SHORTEST = 4
"""Words with fewer letters are never spelled alike."""

LETTERS = np.dtype(
    [("begin", np.int32), ("length", np.int32), ("first", np.int32), ("digit", np.bool_)]
)
"""A type: where its letters begin and how many it has, its first letter, and whether it has a digit. The
first letter is 0 if there are fewer than `SHORTEST`."""


def spelled_alike(source: Segmentation, target: Segmentation) -> Int64:
    """The pairs of a source and a target type that occur in one sentence pair and are spelled alike, sorted,
    shape (N, 2); none if a token of either text is not a whole word: pieces of words are alike by chance, and
    F1 gained nothing.

    Words are alike if they begin with the same letter and the longest common subsequence of their letters has
    at least `SIMILAR` of their mean length; words with digits, only if they are equal. Case is ignored.

    >>> sides = [["Der", "Ministerrat", "1999"]], [["The", "Ministers", "1999"]]
    >>> spelled_alike(*map(Segmentation.from_words, sides)).tolist()
    [[1, 1], [2, 2]]
    """
    if not all(len(side.ids) and _is_of_words(side) for side in (source, target)):
        return np.zeros((0, 2), dtype=np.int64)
    (ours, letters), (theirs, others) = _letters(source.types), _letters(target.types)
    found = _alike(
        source.ids, source.offsets, target.ids, target.offsets, ours, letters, theirs, others,
        np.zeros(int(theirs["length"].max()) + 1, dtype=np.int32),
    )  # fmt: skip
    return np.column_stack(np.divmod(np.unique(found), len(theirs)))


def _is_of_words(side: Segmentation) -> bool:
    return np.array_equal(side.first, side.last) and np.array_equal(
        side.first, places_of(side.offsets)
    )


def _letters(types: list[str]) -> tuple[NDArray[np.void], NDArray[np.uint32]]:
    """Each type, shape (V,), and the letters of all, as code points."""
    texts = [text.lower() for text in types]
    letters = code_points("".join(texts))
    found = np.zeros(len(types), dtype=LETTERS)
    begins = offsets_of(list(map(len, texts)))
    found["begin"], found["length"] = begins[:-1], np.diff(begins)
    long = found["length"] >= SHORTEST
    found["first"][long] = letters[begins[:-1][long]]
    found["digit"] = [any(map(str.isdigit, text)) for text in texts]
    return found, letters


@njit
def _alike(
    source: NDArray[np.int32], source_offsets: Int64, target: NDArray[np.int32], target_offsets: Int64,
    ours: NDArray[np.void], letters: NDArray[np.uint32], theirs: NDArray[np.void], others: NDArray[np.uint32],
    row: NDArray[np.int32],
) -> Int64:  # fmt: skip
    """The pairs of types, e * W + f, of all pairs of tokens that are alike; some more than once. `row`:
    scratch space for the letters of the longest type and one more."""
    found = np.empty(1024, dtype=np.int64)
    n = 0
    for sentence in range(len(source_offsets) - 1):
        for e in source[source_offsets[sentence] : source_offsets[sentence + 1]]:
            one = ours[e]
            if one.first == 0:
                continue
            for f in target[target_offsets[sentence] : target_offsets[sentence + 1]]:
                other = theirs[f]
                if one.first != other.first:
                    continue
                both = one.length + other.length
                least = both if one.digit or other.digit else SIMILAR * both
                if 2 * min(one.length, other.length) < least:
                    continue
                common = _longest_common(
                    letters[one.begin : one.begin + one.length],
                    others[other.begin : other.begin + other.length],
                    row,
                )
                if 2 * common >= least:
                    if n == len(found):
                        found = grown(found, n, 2 * n)
                    found[n] = int64(e) * len(theirs) + f
                    n += 1
    return found[:n]


@njit
def _longest_common(
    one: NDArray[np.int32], other: NDArray[np.int32], row: NDArray[np.int32]
) -> int:
    """The length of the longest common subsequence of two words."""
    row[: len(other) + 1] = 0
    for letter in one:
        before = 0
        for j in range(len(other)):
            above = row[j + 1]
            row[j + 1] = before + 1 if letter == other[j] else max(above, row[j])
            before = above
    return int(row[len(other)])
