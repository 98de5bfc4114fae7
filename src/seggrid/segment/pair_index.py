"""An index of pairs of neighboring tokens, by which methods are written that need no kernel of their own."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from heapq import heappop, heappush
from itertools import chain, islice, repeat

from seggrid.segment.units import counted_units, symbols_of
from seggrid.text.segmentation import Sentences
from seggrid.text.words import WordCounts

Pair = tuple[str, str]


class PairIndex:
    """The tokens of a text, where each pair of neighbors is, and which pair is the most frequent.

    A place is one of the tokens that the index was made with. A longer token stands at the place of its first
    one, so that the parts of a token that is split have their places again.

    Attributes:
        counts: how often each pair occurs, by the weights of its places; `x x` occurs twice in `x x x`.
        frequency: how often each type occurs.
    """

    def __init__(
        self,
        tokens: Iterable[str | None],
        weights: Iterable[int] = repeat(1),
        allowed: Callable[[Pair], bool] = lambda pair: True,
    ) -> None:
        """Index tokens, one after another, where None ends a unit, which no pair crosses; `weights` says how
        often each counts, the same within a unit, and `allowed` which pairs `best` may give."""
        self._initial = [*tokens, None]
        self._tokens = [*self._initial]
        self._weights = [*islice(chain(weights, repeat(0)), len(self._tokens))]
        self._lengths = [1] * len(self._tokens)
        self._before = [-1] * len(self._tokens)
        self._places: defaultdict[Pair, set[int]] = defaultdict(set)
        self._places_of_type: defaultdict[str, set[int]] = defaultdict(set)
        self.counts: Counter[Pair] = Counter()
        self.frequency: Counter[str] = Counter()
        self._allowed = allowed
        self._risen: set[Pair] = set()
        self._queue: list[tuple[int, str, str, Pair]] = []
        self._order: dict[str, str] = {}
        end = len(self._tokens) - 1
        for place, token in enumerate(self._tokens):
            if token is not None:
                self._put(place, token, 1, place - 1 if self._tokens[place - 1] is not None else -1)
        for place, pair in self._pairs(0, end):
            self._count(place, pair, 1)

    @classmethod
    def of_units(
        cls,
        units: Iterable[Sequence[str]],
        counts: Iterable[int] = repeat(1),
        allowed: Callable[[Pair], bool] = lambda pair: True,
    ) -> PairIndex:
        """Index units, each of which occurs as often as `counts` says."""
        tokens: list[str | None] = []
        weights: list[int] = []
        for unit, count in zip(units, counts, strict=False):
            tokens += [*unit, None]
            weights += [count] * (len(unit) + 1)
        return cls(tokens, weights, allowed)

    @classmethod
    def of_text(cls, sentences: Sentences | WordCounts, spaces: bool) -> PairIndex:
        """Index the symbols of a text's units, words or, without `spaces`, sentences."""
        units = counted_units(sentences, spaces)
        symbols = (symbols_of(unit, spaces) for unit in units.types)
        return cls.of_units(symbols, units.counts.tolist())

    def best(self, least: int = 2) -> Pair | None:
        """The most frequent pair, among equally frequent ones the larger by code points, first of the left
        token; None if none occurs `least` times."""
        for pair in self._risen:
            if self.counts[pair] >= least and self._allowed(pair):
                heappush(self._queue, self._entry(pair))
        self._risen.clear()
        while self._queue:
            negative, _, _, pair = self._queue[0]
            if -negative == self.counts[pair]:
                return pair
            heappop(self._queue)
            # The count has fallen since.
            if least <= self.counts[pair] < -negative:
                heappush(self._queue, self._entry(pair))
        return None

    def merge(self, pair: Pair) -> int:
        """Replace a pair by its product at all its places, from left to right. Returns how often."""
        left, right = pair
        merged = 0
        for place in sorted(self._places[pair]):
            middle = place + self._lengths[place]
            # In `x x x`, the second pair is gone after the first.
            if self._tokens[place] == left and self._tokens[middle] == right:
                length = self._lengths[place] + self._lengths[middle]
                merged += self._weights[place]
                self._replace(place, place + length, [(left + right, length)])
        return merged

    def split(self, type_: str, parts: Sequence[str]) -> None:
        """Replace a type by types that spell it, wherever it occurs."""
        for place in sorted(self._places_of_type[type_]):
            end = place + self._lengths[place]
            new, at = [], place
            for part in parts:
                text, begin = "", at
                while text != part:
                    text += self._initial[at] or ""
                    at += 1
                new.append((part, at - begin))
            self._replace(place, end, new)

    def spans(self) -> Iterator[tuple[int, int]]:
        """The first place of each token, and that after its last. A None is a span, too."""
        place = 0
        while place < len(self._tokens) - 1:
            yield place, place + self._lengths[place]
            place += self._lengths[place]

    def units(self) -> list[list[str]]:
        """The tokens of each unit that `of_units` was given."""
        found: list[list[str]] = [[]]
        for place, _ in self.spans():
            token = self._tokens[place]
            if token is None:
                found.append([])
            else:
                found[-1].append(token)
        return found[:-1]

    def __getitem__(self, place: int) -> str | None:
        return self._tokens[place]

    def _pairs(self, begin: int, end: int) -> Iterator[tuple[int, Pair]]:
        """The pairs whose left token begins between two places."""
        while begin < end:
            after = begin + self._lengths[begin]
            left, right = self._tokens[begin], self._tokens[after]
            if left is not None and right is not None:
                yield begin, (left, right)
            begin = after

    def _replace(self, place: int, end: int, parts: Sequence[tuple[str, int]]) -> None:
        """Put other tokens, given with their lengths, between two places."""
        previous = self._before[place]
        begin = place if previous < 0 else previous
        for at, pair in self._pairs(begin, end):
            self._count(at, pair, -1)
        at = place
        while at < end:
            token = self._tokens[at]
            assert token is not None
            self.frequency[token] -= self._weights[at]
            self._places_of_type[token].discard(at)
            self._tokens[at] = None
            at += self._lengths[at]
        at = place
        for part, length in parts:
            self._put(at, part, length, previous)
            previous, at = at, at + length
        if self._tokens[end] is not None:
            self._before[end] = previous
        for at, pair in self._pairs(begin, end):
            self._count(at, pair, 1)

    def _put(self, place: int, token: str, length: int, before: int) -> None:
        self._tokens[place], self._lengths[place], self._before[place] = token, length, before
        self.frequency[token] += self._weights[place]
        self._places_of_type[token].add(place)

    def _count(self, place: int, pair: Pair, sign: int) -> None:
        self.counts[pair] += sign * self._weights[place]
        if sign > 0:
            self._places[pair].add(place)
            self._risen.add(pair)
        else:
            self._places[pair].discard(place)

    def _entry(self, pair: Pair) -> tuple[int, str, str, Pair]:
        return -self.counts[pair], self._reversed(pair[0]), self._reversed(pair[1]), pair

    def _reversed(self, text: str) -> str:
        """A text that is before others where the given one is after them."""
        if text not in self._order:
            self._order[text] = "".join(chr(0x10FFFF - ord(c)) for c in text) + chr(0x10FFFF)
        return self._order[text]
