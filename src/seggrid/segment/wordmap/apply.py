"""Cut words into Wordmap's segments."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from seggrid.base.compiled import njit
from seggrid.data.boundary import BOUNDARY
from seggrid.data.segmentation import Segmentation
from seggrid.errors import InputError
from seggrid.segment.by_type import WordTypes
from seggrid.segment.wordmap.model import WordmapModel

LONGEST = 300
"""The most characters of a word that is cut, since the time is cubic in them; longer words stay whole."""
_NEVER = np.int64(-1)  # the weight if there is no cover
_UNIT = 2.0**40
"""Weights are rounded to multiples of its reciprocal, so that sums are exact in any order."""


def apply(
    model: WordmapModel, sentences: Sequence[Sequence[str]], *, size: int | None = None
) -> Segmentation:
    """Segment a corpus (Jung 2023, section 2.1, algorithm 2 and equation 3.1).

    Args:
        model: the segments.
        sentences: the corpus, each sentence as a list of words.
        size: how many of the first segments to use; all by default.
    """
    types = WordTypes.from_sentences(sentences)
    segments = model.prefix(size).segments
    longest = max(map(len, segments), default=1)
    covers = (cover(word, segments, longest) for word in types.words)
    return types.segmentation_of_words([[BOUNDARY + first, *rest] for first, *rest in covers])


def cover(word: str, segments: Collection[str], longest: int | None = None) -> list[str]:
    """Cut a word into segments, or leave it whole if they do not cover it; see `find_cover`.

    >>> cover("verstehen", {"ver", "steh", "en", "st", "ehe"})
    ['ver', 'steh', 'en']
    """
    return find_cover(word, segments, longest) or [word]


def find_cover(word: str, segments: Collection[str], longest: int | None = None) -> list[str]:
    """The segments that cover a word; none if no segments do, or the word is longer than `LONGEST`.

    Algorithm 2 makes all sequences of segments that spell the word, or the word without its last character,
    which is then a segment of its own. Equation 3.1 takes the sequence of the greatest weight
    Σ_i (s_i / (t |s|))^(1 / s_i), where s_i is the length of segment i, |s| the number of segments and t the
    length of the word. For a given |s| the weight is a sum over segments, so that dynamic programming finds
    the best sequence. Among sequences of equal weight, the one with fewer segments is taken, then the one
    with the longer first segment, then the longer second segment, and so on.

    Args:
        word: a word without `▁`.
        segments: strings of two characters or more.
        longest: the length of the longest segment, if it is known.
    """
    t = len(word)
    if t > LONGEST:
        return []
    longest = min(t, longest or max(map(len, segments), default=1))
    stands = np.zeros((t, longest), dtype=np.bool_)
    for i in range(t):
        for n in range(2, min(longest, t - i) + 1):
            stands[i, n - 1] = word[i : i + n] in segments
    # The last character may be a segment, but only after another segment.
    stands[t - 1, 0] = t > 1
    lengths = _best_cover(stands, _weights(t)).tolist()
    ends = np.cumsum(lengths).tolist()
    return [word[end - n : end] for n, end in zip(lengths, ends, strict=True)]


def ranked_covers(
    word: str, segments: Collection[str], most: int
) -> list[tuple[tuple[str, ...], float]]:
    """All sequences of segments that algorithm 2 makes of a word, with their weights (see `find_cover`).

    They are sorted by weight, the greatest first, then by the rules for ties, so the first is the word's
    cover. There are none if segments do not cover the word, or it is longer than `LONGEST`.

    Args:
        word: a word without `▁`.
        segments: strings of two characters or more.
        most: the most sequences that may be made; there can be more than 2^(t / 2) for a word of t
            characters.

    Raises:
        InputError: there are more.

    >>> [cover for cover, _ in ranked_covers("verstehen", {"ver", "steh", "en", "st", "ehen"}, 9)]
    [('ver', 'steh', 'en'), ('ver', 'st', 'ehen')]
    """
    t = len(word)
    if t > LONGEST:
        return []
    ways = [0] * t + [1]
    steps: list[list[int]] = [[] for _ in word]
    for i in range(t - 1, -1, -1):
        is_last = 0 < i == t - 1
        ends = range(i + 1 if is_last else i + 2, t + 1)
        stands = (end for end in ends if is_last or word[i:end] in segments)
        steps[i] = [end for end in stands if ways[end]]
        ways[i] = sum(ways[end] for end in steps[i])
    if ways[0] > most:
        message = f"{ways[0]:,} ways to cut {word!r} into segments, of which {most:,} can be shown"
        raise InputError(message, hint="give a shorter word, or a model of fewer segments")

    def covers(i: int) -> Iterator[tuple[str, ...]]:
        if i == t:
            yield ()
        for end in steps[i] if i < t else []:
            for rest in covers(end):
                yield (word[i:end], *rest)

    units = _weights(t)
    weighed = [
        (sum(int(units[len(cover) - 1, len(one) - 1]) for one in cover), cover)
        for cover in covers(0)
    ]
    weighed.sort(key=lambda one: (-one[0], len(one[1]), [-len(part) for part in one[1]]))
    return [(cover, weight / _UNIT) for weight, cover in weighed]


@cache
def _weights(t: int) -> NDArray[np.int64]:
    """The weight, at `[k - 1, n - 1]`, of a segment of n characters among k segments in a word of t
    characters."""
    n = np.arange(1, t + 1)
    k = np.arange(1, t + 1)[:, None]
    return np.round((n / (t * k)) ** (1 / n) * _UNIT).astype(np.int64)


@njit
def _best_cover(stands: NDArray[np.bool_], weights: NDArray[np.int64]) -> NDArray[np.int64]:
    """The lengths of the segments of a word's best cover; ties are resolved as in `find_cover`.

    Args:
        stands: `[i, n - 1]` says whether the n characters from character i on are a segment, shape (t, L),
            for a word of t characters and segments of at most L. Only the last segment of a word may have
            one character.
        weights: from `_weights`, shape (t, L) or larger.

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
