"""PickyBPE: a BPE that removes types which hardly occur any more except in larger types.

After Chizhov, Arnett, Korotkova and Yamshchikov 2024, "BPE gets picky" (arXiv 2409.04599), section 3.

A model is merges and removals in the order in which they happened, and its file is UTF-8 text. After a
header, a line of two parts is a merge, and a line of one part is the removal of that type:

    #seggrid-picky 2 spaces=yes
    ▁t ea
    ▁tea ch
    ▁tea
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from seggrid.base.axis import required
from seggrid.base.lines import read_lines, write_lines
from seggrid.data.boundary import BOUNDARY
from seggrid.data.segmentation import Segmentation, Sentences
from seggrid.data.words import WordCounts, distinct_words, uncounted
from seggrid.errors import InputError
from seggrid.segment.bpe.units import check_words, sentence_units, symbols_of
from seggrid.segment.by_type import WordTypes
from seggrid.segment.pair_index import Pair, PairIndex
from seggrid.segment.vocabulary import apply as vocabulary

if TYPE_CHECKING:
    from seggrid.segment.side import Side

_MAGIC = "#seggrid-picky"
_FORM = re.compile(rf"{_MAGIC} 2 spaces=(yes|no)")


@dataclass(frozen=True)
class PickyModel:
    """Merges and removals.

    Attributes:
        events: merges and removals in order; a merge is given by its two parts, a removal by the removed
            type. The removals of a step follow its merge.
        spaces: whether units are words; see `BPEModel`.
    """

    events: list[tuple[str, ...]]
    spaces: bool = True

    def prefix(self, size: int | None) -> PickyModel:
        """The model that learning `size` types would have given; the whole model if `size` is None or it has
        fewer types."""
        present: set[str] = set()
        for end, event in enumerate(self.events):
            # A step begins with its merge.
            if size is not None and len(event) == 2 and len(present) >= size:
                return replace(self, events=self.events[:end])
            _follow(present, event)
        return self

    @property
    def present(self) -> set[str]:
        """The types besides single symbols that are present in the end."""
        present: set[str] = set()
        for event in self.events:
            _follow(present, event)
        return present


def _follow(present: set[str], event: tuple[str, ...]) -> None:
    """Update the present types by an event."""
    if len(event) == 2:
        present.add("".join(event))
    else:
        present.discard(event[0])


def _parts(type_: str, first: Mapping[str, Pair], present: set[str]) -> Iterator[str]:
    """The parts of a removed type: those of the first merge that made it, split further until each is present
    or a single symbol."""
    for part in first[type_]:
        if part in first and part not in present:
            yield from _parts(part, first, present)
        else:
            yield part


def learn(
    sentences: Sentences | WordCounts, size: int, side: Side, min_frequency: int = 2
) -> PickyModel:
    """Learn from a corpus (Chizhov et al. 2024, algorithm 1).

    Merges are chosen as in a BPE. A merge of a and b at f places uses up f tokens of each (2 f tokens of a,
    if they are equal). Then first a and then b is removed if it is not a single symbol and f / (f + n) is
    above the threshold, where n is the number of its remaining tokens, which are split. A merge that spells a
    removed type brings it back. Learning stops when `size` types are present after the removals of a step, or
    no pair occurs `min_frequency` times.

    Args:
        sentences: the corpus; if units are words, these may be counted.
        size: the largest number of types besides single symbols.
        side: its `spaces` says whether units are words, its `removal` is the threshold.
        min_frequency: the smallest count of a pair that may be merged, at least 1.

    Raises:
        InputError: the size is negative.
    """
    if size < 0:
        raise InputError(f"{size} types", hint="give a number from 0 on")
    check_words(distinct_words(sentences))
    spaces, threshold = bool(side.spaces), required(side.removal)
    units = WordCounts.of(sentences if spaces else [sentence_units(uncounted(sentences))])
    index = PairIndex.of_units(
        [symbols_of(unit, spaces) for unit in units.types], units.counts.tolist()
    )
    events: list[tuple[str, ...]] = []
    first: dict[str, Pair] = {}
    present: set[str] = set()
    while len(present) < size and (pair := index.best(min_frequency)):
        merged = index.merge(pair)
        events.append(pair)
        first.setdefault("".join(pair), pair)
        present.add("".join(pair))
        for part in dict.fromkeys(pair):
            if part in present and Fraction(merged, merged + index.frequency[part]) > threshold:
                present.remove(part)
                events.append((part,))
                index.split(part, list(_parts(part, first, present)))
    return PickyModel(events, spaces)


def segment(
    model: PickyModel, sentences: Sentences, side: Side, seeds: Sequence[int], threads: int
) -> list[Segmentation]:
    """Segment a corpus as learning did (Chizhov et al. 2024, section 3.2), or by the present types alone.

    A unit that is a present type is one token. In any other unit, all merges and removals are repeated in
    order, each at all its places from left to right.
    """
    used = model.prefix(side.merges)
    corpus = WordTypes.from_sentences(sentences, spaces=model.spaces)
    if side.application is not None:
        return [vocabulary.segment(corpus, used.present, side.application)]
    index = PairIndex.of_units(symbols_of(unit, model.spaces) for unit in corpus.words)
    first: dict[str, Pair] = {}
    present: set[str] = set()
    for event in used.events:
        _follow(present, event)
        if len(event) == 2:
            first.setdefault("".join(event), (event[0], event[1]))
            index.merge((event[0], event[1]))
        else:
            index.split(event[0], list(_parts(event[0], first, present)))
    mark = BOUNDARY if model.spaces else ""
    tokens = [
        [mark + unit] if mark + unit in present else cut
        for unit, cut in zip(corpus.words, index.units(), strict=True)
    ]
    return [corpus.segmentation_of_words(tokens)]


def types(model: PickyModel, side: Side) -> set[str]:
    """The types that are present after learning as many as the side says."""
    return model.prefix(side.merges).present


def learned(model: PickyModel) -> int:
    """The number of types that are present."""
    return len(model.present)


def write_model(model: PickyModel, path: str | Path) -> None:
    """Write a model, atomically, in the format that the module describes."""
    spaces = "yes" if model.spaces else "no"
    write_lines(path, [f"{_MAGIC} 2 spaces={spaces}", *map(" ".join, model.events)])


def read_model(path: str | Path) -> PickyModel:
    """Read what `write_model` wrote.

    Raises:
        InputError: the header is another, or a line is not a merge of symbols and present types or the
            removal of a present type.
    """
    header, *lines = read_lines(path) or [""]
    form = _FORM.fullmatch(header)
    if form is None:
        message, hint = "not a model of merges and removals", "learn it again with segmenter picky"
        raise InputError(message, file=path, line=1, hint=hint)
    model = PickyModel([tuple(line.split(" ")) for line in lines], form[1] == "yes")
    present: set[str] = set()
    for number, event in enumerate(model.events, 2):
        if len(event) > 2 or "" in event:
            message = f"{' '.join(event)!r} is neither merge nor removal"
            hint = "give a merge of two parts, or a type that is removed"
            raise InputError(message, file=path, line=number, hint=hint)
        for part in event:
            single = len(event) == 2 and len(symbols_of(part.removeprefix(BOUNDARY), False)) <= 1
            if part not in present and not single:
                message = f"{part!r}, which no earlier line makes, or one has removed"
                raise InputError(message, file=path, line=number, hint="learn the model again")
        _follow(present, event)
    return model
