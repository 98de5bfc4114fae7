"""GreedTok: types that save the most tokens, laid over words by rank.

After Lim, Choo and Lauw 2025 (arXiv 2501.06246).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heapreplace
from typing import TYPE_CHECKING

from seggrid.segment.segmenter import ONLY_TYPES, Ranked
from seggrid.segment.units import counted_units, symbol_count, symbols_of
from seggrid.segment.vocabulary import laid_over
from seggrid.text.segmentation import Sentences
from seggrid.text.words import WordCounts

if TYPE_CHECKING:
    from seggrid.segment.side import Side

LONGEST = 100
"""The most symbols of a type, as in the authors' code."""


@dataclass(frozen=True)
class GreedTok(Ranked):
    """Types of two or more symbols, `▁` and a word's first character being one symbol; the number of a type
    is its gain, the number of tokens that it saved."""

    name = "greedtok"
    label = "GreedTok"
    axes = ("joint", "vocabulary", "merges", "application", "sampling")
    refuses = ONLY_TYPES
    from_counts = True

    @classmethod
    def learn(cls, sentences: Sentences | WordCounts, size: int, side: Side) -> GreedTok:
        """Learn types from a corpus (Lim et al. 2025, algorithm 1).

        A word is a sequence of tokens, at first its symbols. A candidate is any string of two or more symbols
        in a word; an occurrence of it fits if it neither starts nor ends inside a present token. In each step
        the candidate with the largest gain becomes a type: each of its occurrences that fits becomes one
        token, and the gain is the number of tokens that this saves. If occurrences overlap, the first is
        taken. Among candidates of equal gain, the one with the fewest symbols is taken, then the
        lexicographically larger by code points. Learning stops early when no candidate saves a token.
        """
        text = _Text(counted_units(sentences, True))
        # Gains never rise: if a candidate still has the gain with which it was queued, no other has more.
        queue = [_entry(candidate, gain) for candidate, gain in text.most.items()]
        heapify(queue)
        gains: dict[str, int] = {}
        while queue and len(gains) < size:
            most, _, _, best = queue[0]
            gain = text.gain(best)
            if 0 < gain < -most:
                heapreplace(queue, _entry(best, gain))
                continue
            heappop(queue)
            if gain:
                gains[best] = text.gain(best, lay=True)
        return cls(gains)

    def cut(self, words: Sequence[str], side: Side) -> Iterator[list[str]]:
        """Lay the model's first `side.merges` types over words (Lim et al. 2025, section 4.2). A token may
        swallow whole tokens. On the text that the model was learned from, this gives the tokens with which
        learning ended."""
        ranks = {type_: rank for rank, type_ in enumerate(self.prefix(side.merges).numbers)}
        longest = max((symbol_count(type_, True) for type_ in ranks), default=0)
        for word in words:
            yield laid_over(symbols_of(word, True), ranks, longest)


def _entry(candidate: str, gain: int) -> tuple[int, int, str, str]:
    """An entry of the queue: the largest gain first, then the fewest symbols, then the larger text."""
    reverse = "".join(chr(0x10FFFF - ord(character)) for character in candidate)
    return -gain, symbol_count(candidate, True), reverse, candidate


class _Text:
    """The distinct words of a text, and its tokens as a flag for each symbol: whether it begins a token;
    `most` has the number of tokens that each candidate would save if all its occurrences fitted."""

    def __init__(self, words: WordCounts) -> None:
        self.most: Counter[str] = Counter()
        self._places: defaultdict[str, list[int]] = defaultdict(list)
        self._weights: list[int] = []
        for word, count in zip(words.types, words.counts.tolist(), strict=True):
            first, symbols = len(self._weights), symbols_of(word, True)
            self._weights += [count] * len(symbols)
            for i in range(len(symbols)):
                candidate = symbols[i]
                for k in range(i + 1, min(len(symbols), i + LONGEST)):
                    candidate += symbols[k]
                    self.most[candidate] += count * (k - i)
                    self._places[candidate].append(first + i)
        # One flag more than symbols: a word ends where the next symbol begins a token.
        self._begins = bytearray(b"\1" * (len(self._weights) + 1))

    def gain(self, candidate: str, lay: bool = False) -> int:
        """The number of tokens that a candidate saves; if `lay`, its occurrences that fit become tokens."""
        begins, length, saved, free = self._begins, symbol_count(candidate, True), 0, 0
        for place in self._places[candidate]:
            end = place + length
            if place >= free and begins[place] and begins[end]:
                saved += self._weights[place] * sum(begins[place + 1 : end])
                free = end
                if lay:
                    begins[place + 1 : end] = bytes(length - 1)
        return saved
