"""The compiled part of Wordmap: words compared with words, and the best cover of a word."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from seggrid.data.compiled import njit

NEVER = np.int64(-1)
"""The weight of a cover that there is not."""


@njit(cache=True, nogil=True)
def sum_maps(
    characters: NDArray[np.uint32],
    offsets: NDArray[np.int64],
    others: NDArray[np.int64],
    bounds: NDArray[np.int64],
    group: NDArray[np.int64],
    at_end: bool,
) -> NDArray[np.int64]:
    """Sum the cleaned maps of all words that are aligned with a word at one of its ends.

    The map of two words says at which characters of the first they agree, position by position,
    when their first (or last) characters are laid on one another. Cleaning leaves the agreements
    that reach from the start without a gap, and those that so reach the end.

    Args:
        characters: code points of all words, shape (C,).
        offsets: where each word begins, shape (W + 1,).
        others: words in groups, shape (W,).
        bounds: where each group begins, shape (G + 1,).
        group: that of each word, which is compared with the others in it, shape (W,).
        at_end: whether to lay the last characters on one another. If so, words of the same length
            and first character are passed over: from the start they lie in the same way.

    Returns:
        For each character of all words, how many maps agree there, shape (C,).
    """
    total = np.zeros(len(characters), dtype=np.int64)
    for word in range(len(offsets) - 1):
        begin, n = offsets[word], offsets[word + 1] - offsets[word]
        # How many maps have each number of agreements at the start, and at the end.
        heads = np.zeros(n + 1, dtype=np.int64)
        tails = np.zeros(n + 1, dtype=np.int64)
        for k in range(bounds[group[word]], bounds[group[word] + 1]):
            other = others[k]
            start, m = offsets[other], offsets[other + 1] - offsets[other]
            if other == word:
                continue
            if at_end and m == n and characters[begin] == characters[start]:
                continue
            shift = m - n if at_end else 0  # character i of the word lies on i + shift
            head = 0
            while (
                head < n
                and 0 <= head + shift < m
                and characters[begin + head] == characters[start + head + shift]
            ):
                head += 1
            heads[head] += 1
            if head < n:
                tail = 0
                last = n - 1
                while (
                    0 <= last - tail + shift < m
                    and characters[begin + last - tail] == characters[start + last - tail + shift]
                ):
                    tail += 1
                tails[tail] += 1
        reached = 0
        for i in range(n - 1, -1, -1):
            reached += heads[i + 1]
            total[begin + i] += reached
        reached = 0
        for i in range(n):
            reached += tails[n - i]
            total[begin + i] += reached
    return total


@njit(cache=True, nogil=True)
def best_cover(stands: NDArray[np.bool_], weights: NDArray[np.int64]) -> NDArray[np.int64]:
    """The lengths of the segments of a word's best segmentation.

    Of segmentations of the same weight it is the one with fewer segments, then with the longer first
    segment, the longer second one, and so on.

    Args:
        stands: whether the n characters from character i on are a segment, shape (t, L), at
            `[i, n - 1]`, for a word of t characters and segments of at most L. Only the last one of
            a word may have one character.
        weights: of a segment of n characters among k, shape (t, L) or more, at `[k - 1, n - 1]`.

    Returns:
        The lengths, shape (k,); k is 0 where there is no segmentation.
    """
    t, longest = stands.shape
    reaches = np.zeros(t + 1, dtype=np.bool_)  # whether segments cover all from character i on
    reaches[t] = True
    for i in range(t - 1, -1, -1):
        for n in range(1, min(longest, t - i) + 1):
            reaches[i] = reaches[i] or (stands[i, n - 1] and reaches[i + n])
    best = NEVER
    best_lengths = np.empty(0, dtype=np.int64)
    # All segments but the last one have two characters or more.
    for k in range(1, t // 2 + 2 if reaches[0] else 1):
        # heaviest[i, s]: of the characters from i on, in s segments.
        heaviest = np.full((t + 1, k + 1), NEVER)
        heaviest[t, 0] = 0
        for i in range(t - 1, -1, -1):
            for s in range(1, min(k, (t - i) // 2 + 1) + 1):
                for n in range(1, min(longest, t - i) + 1):
                    rest = heaviest[i + n, s - 1]
                    if stands[i, n - 1] and rest != NEVER:
                        heaviest[i, s] = max(heaviest[i, s], weights[k - 1, n - 1] + rest)
        if heaviest[0, k] > best:
            best = heaviest[0, k]
            best_lengths = np.empty(k, dtype=np.int64)
            i = 0
            for s in range(k, 0, -1):
                n = min(longest, t - i)
                while (
                    not stands[i, n - 1]
                    or heaviest[i + n, s - 1] == NEVER
                    or weights[k - 1, n - 1] + heaviest[i + n, s - 1] != heaviest[i, s]
                ):
                    n -= 1
                best_lengths[k - s] = n
                i += n
    return best_lengths
