"""GreedTok: types that save the most tokens, laid over words by rank.

After Lim, Choo and Lauw 2025 (arXiv 2501.06246).

A model is types in the order in which they were learned, and its file is UTF-8 text. After a header, each
line is a type and its gain, the number of tokens that it saved in the text that it was learned from:

    #seggrid-greedtok 1
    ▁the 4178
    er 2333
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heappop, heappush, heapreplace
from itertools import islice, pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from seggrid.base.lines import read_lines, write_lines
from seggrid.data.boundary import BOUNDARY
from seggrid.data.segmentation import Segmentation, Sentences
from seggrid.data.words import WordCounts
from seggrid.errors import InputError
from seggrid.segment.bpe.units import check_words, symbols_of
from seggrid.segment.by_type import WordTypes
from seggrid.segment.vocabulary import apply as vocabulary

if TYPE_CHECKING:
    from seggrid.segment.side import Side

LONGEST = 100
"""The most symbols of a type, as in the authors' code."""
_GAIN = re.compile(r"[1-9]\d{0,17}", re.ASCII)
_HEADER = "#seggrid-greedtok 1"


@dataclass(frozen=True)
class GreedTokModel:
    """Types of two or more symbols, `▁` and a word's first character being one symbol.

    Attributes:
        gains: the gain of each type; they never rise.
    """

    gains: dict[str, int]

    def prefix(self, size: int | None) -> GreedTokModel:
        """The model of the first types only; all of them if `size` is None or beyond the last."""
        return GreedTokModel(dict(islice(self.gains.items(), size)))


def learn(sentences: Sentences | WordCounts, size: int, side: Side) -> GreedTokModel:
    """Learn types from a corpus (Lim et al. 2025, algorithm 1).

    A word is a sequence of tokens, at first its symbols. A candidate is any string of two or more symbols in
    a word; an occurrence of it fits if it neither starts nor ends inside a present token. In each step the
    candidate with the largest gain becomes a type: each of its occurrences that fits becomes one token, and
    the gain is the number of tokens that this saves. If occurrences overlap, the first is taken. Among
    candidates of equal gain, the one with the fewest symbols is taken, then the lexicographically larger by
    code points. Learning stops early when no candidate saves a token.

    Args:
        sentences: the corpus, each sentence as a list of words; or the counts of its words.
        size: the largest number of types to learn.
        side: is not read.

    Raises:
        InputError: the size is negative.
    """
    if size < 0:
        raise InputError(f"{size} types", hint="give a number from 0 on")
    words = WordCounts.of(sentences)
    check_words(words.types)
    text = _Text(words)
    # The gains if all occurrences fitted. Gains never rise, so a candidate waits until no other has more.
    waiting = sorted(text.most, key=text.most.__getitem__)
    queue: list[tuple[int, int, str, str]] = []
    gains: dict[str, int] = {}
    while len(gains) < size:
        while waiting and (not queue or text.most[waiting[-1]] >= -queue[0][0]):
            candidate = waiting.pop()
            if gain := text.gain(candidate):
                heappush(queue, _entry(candidate, gain))
        if not queue:
            break
        best = queue[0][-1]
        gain = text.gain(best)
        if gain == -queue[0][0]:
            gains[best] = text.gain(best, lay=True)
            heappop(queue)
        elif gain:
            heapreplace(queue, _entry(best, gain))
        else:
            heappop(queue)
    return GreedTokModel(gains)


def _entry(candidate: str, gain: int) -> tuple[int, int, str, str]:
    """An entry of the queue: the largest gain first, then the fewest symbols, then the larger text."""
    reverse = "".join(chr(0x10FFFF - ord(character)) for character in candidate)
    return -gain, _length(candidate), reverse, candidate


def _length(type_: str) -> int:
    """The number of symbols."""
    return len(type_) - type_.startswith(BOUNDARY)


class _Text:
    """The distinct words of a text, and its tokens as a flag for each symbol: whether it begins a token.

    Attributes:
        most: the number of tokens that each candidate would save if all its occurrences fitted.
    """

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
        begins, length, saved, free = self._begins, _length(candidate), 0, 0
        for place in self._places[candidate]:
            end = place + length
            if place >= free and begins[place] and begins[end]:
                saved += self._weights[place] * sum(begins[place + 1 : end])
                free = end
                if lay:
                    begins[place + 1 : end] = bytes(length - 1)
        return saved


def segment(
    model: GreedTokModel, sentences: Sentences, side: Side, seeds: Sequence[int], threads: int
) -> list[Segmentation]:
    """Cut words by the model's first `side.merges` types (Lim et al. 2025, section 4.2).

    By default, the occurrences of all types in a word are tried by the rank of the type, then from left to
    right. A token is laid over each that neither starts nor ends inside a present token; it may swallow whole
    tokens. On the text that the model was learned from, this gives the tokens with which learning ended.
    """
    corpus = WordTypes.from_sentences(sentences)
    used = types(model, side)
    if side.application is not None:
        return [vocabulary.segment(corpus, used, side.application)]
    ranks = {type_: rank for rank, type_ in enumerate(model.gains) if type_ in used}
    longest = max(map(_length, ranks), default=0)
    return [
        corpus.segmentation_of_words(
            [_laid_over(symbols_of(word, True), ranks, longest) for word in corpus.words]
        )
    ]


def _laid_over(symbols: list[str], ranks: dict[str, int], longest: int) -> list[str]:
    """The tokens of a word."""
    found = []
    for i in range(len(symbols)):
        for end in range(i + 2, min(len(symbols), i + longest) + 1):
            if (rank := ranks.get("".join(symbols[i:end]))) is not None:
                found.append((rank, i, end))
    begins = bytearray(b"\1" * (len(symbols) + 1))
    for _, i, end in sorted(found):
        if begins[i] and begins[end]:
            begins[i + 1 : end] = bytes(end - i - 1)
    bounds = [k for k, begin in enumerate(begins) if begin]
    return ["".join(symbols[a:b]) for a, b in pairwise(bounds)]


def types(model: GreedTokModel, side: Side) -> set[str]:
    """The model's first `side.merges` types."""
    return set(model.prefix(side.merges).gains)


def learned(model: GreedTokModel) -> int:
    """The number of types."""
    return len(model.gains)


def write_model(model: GreedTokModel, path: str | Path) -> None:
    """Write a model, atomically, in the format that the module describes."""
    write_lines(path, [_HEADER, *(f"{type_} {gain}" for type_, gain in model.gains.items())])


def read_model(path: str | Path) -> GreedTokModel:
    """Read what `write_model` wrote.

    Raises:
        InputError: the file has another header, or a line is not a type of two or more symbols with a gain
            above 0, repeats an earlier type, or has a greater gain than the line before.
    """
    lines = read_lines(path)
    if lines[:1] != [_HEADER]:
        raise InputError(
            "not a GreedTok model", file=path, line=1, hint=f"begin it with `{_HEADER}`"
        )
    gains: dict[str, int] = {}
    before = None
    for number, line in enumerate(lines[1:], 2):
        type_, _, gain = line.rpartition(" ")
        letters = type_.removeprefix(BOUNDARY)
        is_type = len(letters) > 1 and " " not in letters and BOUNDARY not in letters
        if not is_type or not _GAIN.fullmatch(gain):
            hint = "give a type of two or more symbols, a space, and its gain"
            raise InputError(f"{line!r} is not a type", file=path, line=number, hint=hint)
        if type_ in gains:
            message, hint = f"the type {type_!r} again", "remove the line"
            raise InputError(message, file=path, line=number, hint=hint)
        if before is not None and int(gain) > before:
            message = f"a gain of {gain} after one of {before}: gains never rise"
            raise InputError(message, file=path, line=number, hint="learn the model again")
        gains[type_] = before = int(gain)
    return GreedTokModel(gains)
