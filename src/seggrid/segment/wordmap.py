"""Wordmap, a lexicalized tokenizer: learn segments by comparing words, and cut words into segments.

After R. L. Jung, "Lexicalizing a BERT Tokenizer" (bachelor thesis, Frankfurt 2023), section 2.1. The
docstrings say what is done where the thesis is ambiguous or incomplete.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice, pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from seggrid.base.errors import InputError
from seggrid.segment.segmenter import Ranked
from seggrid.segment.units import WordTypes
from seggrid.text.boundary import BOUNDARY
from seggrid.text.segmentation import Sentences

if TYPE_CHECKING:
    from seggrid.segment.side import Side

THRESHOLD = 0.0
"""The z-score above which characters are selected; the thesis gives no number."""
LONGEST = 300
"""The most characters of a word that is cut, since the time is cubic in them; longer words stay whole."""
_UNIT = 2.0**40
"""Weights are rounded to multiples of its reciprocal, so that sums are exact in any order."""
_NONE = -(2**60)
"""The weight of segments that there are not: less than all, with others added."""


@dataclass(frozen=True)
class Wordmap(Ranked):
    """Segments of two or more characters; the number of a segment is that of the distinct words in which it
    was found. The most frequent is first, among equally frequent ones the lexicographically larger by code
    points."""

    name = "wordmap"
    label = "Wordmap"
    axes = ("joint", "vocabulary", "merges")
    size_unit = "segments"
    by_itself = False

    @classmethod
    def learn(cls, sentences: Sentences, size: int, side: Side) -> Wordmap:
        """Learn `size` segments, those found in the most distinct words; fewer if the text has fewer."""
        return cls(find_segments(WordTypes.from_sentences(sentences).words)).prefix(size)

    def cut(self, words: Sequence[str], side: Side) -> Iterator[list[str]]:
        """Cut words into the model's first `side.merges` segments (Jung 2023, section 2.1, algorithm 2 and
        equation 3.1); a word that they do not cover stays whole."""
        segments = self.prefix(side.merges).numbers
        for word in words:
            first, *rest = find_cover(word, segments) or [word]
            yield [BOUNDARY + first, *rest]

    def types(self, side: Side) -> None:
        """None: a word that no segments cover stays whole, so any word may be a type."""


def find_segments(words: Sequence[str], threshold: float = THRESHOLD) -> dict[str, int]:
    """The segments of distinct words, each with the number of words that have it, the most frequent first
    (Jung 2023, section 2.1, algorithm 1).

    Each distinct word is mapped against all others by `map_words`. The characters of a word whose z-score
    within the word is above a threshold are selected. Each maximal run of selected characters is a segment (a
    functional morpheme, since it is more frequent), and so is each maximal run of others (a lexical
    morpheme). The thesis compares words of one part of speech; here all words of the corpus are compared.

    Segments of one character are left out, since algorithm 2 does not use them.
    """
    found = Counter(
        segment
        for word, counts in zip(words, map_words(words), strict=True)
        for segment in set(runs_of(word, counts, threshold))
        if len(segment) > 1
    )
    return dict(sorted(found.items(), key=lambda item: (item[1], item[0]), reverse=True))


def map_words(words: Sequence[str]) -> list[NDArray[np.int64]]:
    """Map each word against all others: for each, the number of maps with a 1 at each of its characters.

    The map of a target and another word has the length of the target, and a 1 for each character of the
    target that the other word has at the same place (table 1). Words are compared if their first or their
    last characters are equal. In the first case they are aligned at their starts, in the second at their
    ends; if both hold and the words have the same length, the two maps are the same and count once (lines 15
    to 27). A map is cleaned: only runs of ones at the start or the end of the target are kept. The result for
    a target is the sum of its maps.

    So the other words are counted that have the first characters of the target up to this one, or the last
    ones from this one on, at the same distance from the start, or from the end, of the word.

    >>> map_words(["verstehen", "verarbeiten"])[0].tolist()
    [1, 1, 1, 0, 0, 0, 0, 1, 1]
    """
    alike: defaultdict[tuple[int, str, str], list[str]] = defaultdict(list)
    for word in words:
        alike[len(word), word[0], word[-1]].append(word)
    both = {word: counts for group in alike.values() for word, counts in _at_starts(group).items()}
    forwards, backwards = _at_starts(words), _at_starts([word[::-1] for word in words])
    return [forwards[word] + backwards[word[::-1]][::-1] - both[word] for word in words]


def _at_starts(words: Sequence[str]) -> dict[str, NDArray[np.int64]]:
    """The sum of the maps of each word against the others with its first character, at their starts."""
    prefixes = Counter(word[:end] for word in words for end in range(1, len(word) + 1))
    # How many words have the end of a word at its place. Others of their strings are not counted: those of
    # long words would fill the memory.
    placed = dict.fromkeys(((word[0], i, word[i:]) for word in words for i in range(len(word))), 0)
    for word in words:
        for length in range(1, len(word) + 1):
            for i in range(length - 1, -1, -1):
                if (key := (word[0], i, word[i:length])) not in placed:
                    break
                placed[key] += 1
    # A word that begins with the target has both, and the target is one of these.
    return {
        word: np.array(
            [
                prefixes[word[: i + 1]] - 1 + placed[word[0], i, word[i:]] - prefixes[word]
                for i in range(len(word))
            ]
        )
        for word in words
    }


def runs_of(word: str, counts: NDArray[np.int64], threshold: float = THRESHOLD) -> list[str]:
    """Cut a word into its runs of selected and of other characters.

    A character is selected if the z-score of its count in the summed map, (x_i - mean) / S with the sample
    standard deviation S, is above the threshold; none is if all counts are equal.

    >>> runs_of("verstehen", np.array([9, 9, 8, 1, 1, 1, 1, 12, 14]))
    ['ver', 'steh', 'en']
    """
    deviation = counts.std(ddof=1) if len(word) > 1 else 0.0
    selected = np.zeros(len(word), dtype=np.bool_)
    if deviation:
        selected = (counts - counts.mean()) / deviation > threshold
    begins = np.flatnonzero(np.diff(selected)) + 1
    bounds = [0, *begins.tolist(), len(word)]
    return [word[a:b] for a, b in pairwise(bounds)]


def find_cover(word: str, segments: Collection[str]) -> list[str]:
    """The segments that cover a word; none if no segments do, or the word is longer than `LONGEST`.

    Algorithm 2 makes all sequences of segments that spell the word, or the word without its last character,
    which is then a segment of its own. Equation 3.1 takes the sequence of the greatest weight
    Σ_i (s_i / (t |s|))^(1 / s_i), where s_i is the length of segment i, |s| the number of segments and t the
    length of the word. For a given |s| the weight is a sum over segments, so that dynamic programming finds
    the best sequence. Among sequences of equal weight, the one with fewer segments is taken, then the one
    with the longer first segment, then the longer second segment, and so on.
    """
    t = len(word)
    if t > LONGEST:
        return []
    steps = _steps(word, segments)
    if not steps[0]:
        return []
    # All segments but the last one have two characters or more.
    most = t // 2 + 1
    weights = weights_of(t)[:, :most]
    # heaviest[i, s, k - 1]: the weight of the heaviest s segments from place i on, if k are in the word.
    heaviest = np.full((t + 1, most + 1, most), _NONE)
    heaviest[t, 0] = 0
    for i in range(t - 1, -1, -1):
        for end in steps[i]:
            ways = heaviest[end, :-1] + weights[end - i - 1]
            np.maximum(heaviest[i, 1:], ways, out=heaviest[i, 1:])
    k = int(heaviest[0, 1:].diagonal().argmax()) + 1
    cover, i = [], 0
    for s in range(k, 0, -1):
        of_rest = heaviest[i, s, k - 1]
        end = max(
            end
            for end in steps[i]
            if heaviest[end, s - 1, k - 1] + weights[end - i - 1, k - 1] == of_rest
        )
        cover.append(word[i:end])
        i = end
    return cover


def _steps(word: str, segments: Collection[str]) -> list[list[int]]:
    """Where segments end that begin at each place of a word, and after which others cover the rest."""
    t = len(word)
    steps: list[list[int]] = [[] for _ in word]
    for i in range(t - 1, -1, -1):
        if 0 < i == t - 1:
            # The last character may be a segment, but only after another segment.
            steps[i] = [t]
        else:
            ends = range(i + 2, t + 1)
            steps[i] = [end for end in ends if (end == t or steps[end]) and word[i:end] in segments]
    return steps


def ranked_covers(
    word: str, segments: Collection[str], most: int
) -> list[tuple[tuple[str, ...], float]]:
    """All sequences of segments that algorithm 2 makes of a word, with their weights (see `find_cover`).

    They are sorted by weight, the greatest first, then by the rules for ties, so the first is the word's
    cover. There are none if segments do not cover the word, or it is longer than `LONGEST`. More than `most`
    are refused: there can be more than 2^(t / 2) for a word of t characters.

    >>> [cover for cover, _ in ranked_covers("verstehen", {"ver", "steh", "en", "st", "ehen"}, 9)]
    [('ver', 'steh', 'en'), ('ver', 'st', 'ehen')]
    """
    t = len(word)
    if t > LONGEST:
        return []
    steps = _steps(word, segments)

    def covers(i: int) -> Iterator[tuple[str, ...]]:
        if i == t:
            yield ()
        for end in steps[i] if i < t else []:
            for rest in covers(end):
                yield (word[i:end], *rest)

    found = list(islice(covers(0), most + 1))
    if len(found) > most:
        message = f"more than {most:,} ways to cut {word!r} into segments"
        raise InputError(message, hint="give a shorter word, or a model of fewer segments")
    units = weights_of(t).tolist()
    weighed = [
        (sum(units[len(one) - 1][len(cover) - 1] for one in cover), cover) for cover in found
    ]
    weighed.sort(key=lambda one: (-one[0], len(one[1]), [-len(part) for part in one[1]]))
    return [(cover, weight / _UNIT) for weight, cover in weighed]


@cache
def weights_of(t: int) -> NDArray[np.int64]:
    """The weight, at `[n - 1, k - 1]`, of a segment of n characters among k segments in a word of t
    characters."""
    n = np.arange(1, t + 1)[:, None]
    k = np.arange(1, t + 1)
    return np.round((n / (t * k)) ** (1 / n) * _UNIT).astype(np.int64)
