"""The compiled part of Wordmap: comparing all words, and the best cover of a word."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from seggrid.base.compiled import njit

_NEVER = np.int64(-1)  # the weight if there is no cover


@njit
def sum_maps(
    characters: NDArray[np.uint32],
    offsets: NDArray[np.int64],
    others: NDArray[np.int64],
    bounds: NDArray[np.int64],
    group: NDArray[np.int64],
    at_end: bool,
) -> NDArray[np.int64]:
    """Sum the cleaned maps of all words that are aligned with a word at one of its ends.

    The map of two words says at which characters of the first they agree when their first (or last)
    characters are aligned. Cleaning keeps the run of agreements at the start and the run at the end.

    Args:
        characters: code points of all words, shape (C,).
        offsets: first character of each word, shape (W + 1,).
        others: the words, sorted by group, shape (W,).
        bounds: first entry in `others` of each group, shape (G + 1,).
        group: the group of each word, shape (W,); a word is compared with the others of its group.
        at_end: whether to align the last characters. Words of equal length and equal first characters are
            then skipped, since aligning their first characters gives the same map.

    Returns:
        For each character of all words, the number of maps that have a 1 there, shape (C,).
    """
    total = np.zeros(len(characters), dtype=np.int64)
    for word in range(len(offsets) - 1):
        begin, n = offsets[word], offsets[word + 1] - offsets[word]
        # The number of maps with each length of the run of agreements at the start, and at the end.
        heads = np.zeros(n + 1, dtype=np.int64)
        tails = np.zeros(n + 1, dtype=np.int64)
        for k in range(bounds[group[word]], bounds[group[word] + 1]):
            other = others[k]
            start, m = offsets[other], offsets[other + 1] - offsets[other]
            if other == word:
                continue
            if at_end and m == n and characters[begin] == characters[start]:
                continue
            shift = m - n if at_end else 0  # character i of the word is aligned with i + shift
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


@njit
def best_cover(stands: NDArray[np.bool_], weights: NDArray[np.int64]) -> NDArray[np.int64]:
    """The lengths of the segments of a word's best cover; ties are resolved as in
    `seggrid.segment.wordmap.find_cover`.

    Args:
        stands: `[i, n - 1]` says whether the n characters from character i on are a segment, shape (t, L),
            for a word of t characters and segments of at most L. Only the last segment of a word may have
            one character.
        weights: from `seggrid.segment.wordmap.weights_of`, shape (t, L) or larger.

    Returns:
        The lengths, shape (k,); k is 0 if there is no cover.
    """
    t, longest = stands.shape
    reaches = np.zeros(t + 1, dtype=np.bool_)  # whether segments cover all from character i on
    reaches[t] = True
    for i in range(t - 1, -1, -1):
        for n in range(1, min(longest, t - i) + 1):
            reaches[i] = reaches[i] or (stands[i, n - 1] and reaches[i + n])
    best = _NEVER
    best_lengths = np.empty(0, dtype=np.int64)
    # All segments but the last one have two characters or more.
    for k in range(1, t // 2 + 2 if reaches[0] else 1):
        # heaviest[i, s]: the greatest weight of s segments that cover the characters from i on.
        heaviest = np.full((t + 1, k + 1), _NEVER)
        heaviest[t, 0] = 0
        for i in range(t - 1, -1, -1):
            for s in range(1, min(k, (t - i) // 2 + 1) + 1):
                for n in range(1, min(longest, t - i) + 1):
                    rest = heaviest[i + n, s - 1]
                    if stands[i, n - 1] and rest != _NEVER:
                        heaviest[i, s] = max(heaviest[i, s], weights[k - 1, n - 1] + rest)
        if heaviest[0, k] > best:
            best = heaviest[0, k]
            best_lengths = np.empty(k, dtype=np.int64)
            i = 0
            for s in range(k, 0, -1):
                n = min(longest, t - i)
                while (
                    not stands[i, n - 1]
                    or heaviest[i + n, s - 1] == _NEVER
                    or weights[k - 1, n - 1] + heaviest[i + n, s - 1] != heaviest[i, s]
                ):
                    n -= 1
                best_lengths[k - s] = n
                i += n
    return best_lengths
