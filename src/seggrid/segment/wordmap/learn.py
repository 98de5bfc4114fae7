"""Learn Wordmap's segments from words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from seggrid.base.compiled import njit
from seggrid.data.ragged import code_points, offsets_of
from seggrid.errors import InputError
from seggrid.segment.by_type import WordTypes
from seggrid.segment.wordmap.model import WordmapModel

THRESHOLD = 0.0
"""The z-score above which characters are selected; the thesis gives no number."""


def learn(
    sentences: Sequence[Sequence[str]], size: int | None = None, *, threshold: float = THRESHOLD
) -> WordmapModel:
    """Learn segments from the words of a corpus (Jung 2023, section 2.1, algorithm 1).

    Each distinct word is mapped against all others by `map_words`. The characters of a word whose z-score
    within the word is above a threshold are selected. Each maximal run of selected characters is a segment (a
    functional morpheme, since it is more frequent), and so is each maximal run of others (a lexical
    morpheme). The thesis compares words of one part of speech; here all words of the corpus are compared.

    Args:
        sentences: the corpus, each sentence as a list of words.
        size: number of segments to keep, those found in the most distinct words; all by default.
            Segments of one character are left out, since algorithm 2 does not use them.
        threshold: the z-score above which a character is selected.

    Raises:
        InputError: the size is negative, or a word is empty or has a `▁`, a `</w>`, a space or a
            line end in it.
    """
    if size is not None and size < 0:
        raise InputError(f"a vocabulary of {size} types", hint="give a number from 0 on")
    words = WordTypes.from_sentences(sentences).words
    found = Counter(
        segment
        for word, counts in zip(words, map_words(words), strict=True)
        for segment in set(cut(word, counts, threshold))
        if len(segment) > 1
    )
    ranked = sorted(found.items(), key=lambda item: (item[1], item[0]), reverse=True)
    return WordmapModel(dict(ranked)).prefix(size)


def map_words(words: Sequence[str]) -> list[NDArray[np.int64]]:
    """Map each word against all others.

    The map of a target and another word has the length of the target, and a 1 for each character of the
    target that the other word has at the same place (table 1). Words are compared if their first or their
    last characters are equal. In the first case they are aligned at their starts, in the second at their
    ends; if both hold and the words have the same length, the two maps are the same and count once (lines 15
    to 27). A map is cleaned: only runs of ones at the start or the end of the target are kept. The result for
    a target is the sum of its maps.

    Returns:
        For each word, the number of maps with a 1 at each of its characters, int64, shape (len(word),).

    >>> map_words(["verstehen", "verarbeiten"])[0].tolist()
    [1, 1, 1, 0, 0, 0, 0, 1, 1]
    """
    if not words:
        return []
    characters = code_points("".join(words))
    offsets = offsets_of(np.array([len(word) for word in words], dtype=np.int64))
    total = np.zeros(len(characters), dtype=np.int64)
    for at_end in (False, True):
        ends = [word[-1] if at_end else word[0] for word in words]
        number: dict[str, int] = {}
        group = np.array([number.setdefault(end, len(number)) for end in ends], dtype=np.int64)
        others = np.argsort(group, kind="stable")
        bounds = offsets_of(np.bincount(group))
        total += _sum_maps(characters, offsets, others, bounds, group, at_end)
    return np.split(total, offsets[1:-1])


@njit
def _sum_maps(
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


def cut(word: str, counts: NDArray[np.int64], threshold: float = THRESHOLD) -> list[str]:
    """Cut a word into its runs of selected and of other characters.

    Args:
        word: the target.
        counts: its summed map, shape (len(word),).
        threshold: the z-score above which a character is selected, z_i = (x_i - mean) / S with the sample
            standard deviation S. If all counts are equal, no character is selected.

    >>> cut("verstehen", np.array([9, 9, 8, 1, 1, 1, 1, 12, 14]))
    ['ver', 'steh', 'en']
    """
    deviation = counts.std(ddof=1) if len(word) > 1 else 0.0
    selected = np.zeros(len(word), dtype=np.bool_)
    if deviation:
        selected = (counts - counts.mean()) / deviation > threshold
    begins = np.flatnonzero(np.diff(selected)) + 1
    bounds = [0, *begins.tolist(), len(word)]
    return [word[a:b] for a, b in pairwise(bounds)]
