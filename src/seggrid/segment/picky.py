"""PickyBPE: a BPE that removes types which hardly occur any more except in larger types.

After Chizhov, Arnett, Korotkova and Yamshchikov 2024, "BPE gets picky" (arXiv 2409.04599), section 3.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from seggrid.base.axis import Axis
from seggrid.segment.model_file import Content, read_spaces, spell_spaces
from seggrid.segment.pair_index import PairIndex
from seggrid.segment.segmenter import BY_RANK, NO_MERGES, Segmenter
from seggrid.segment.units import symbols_of
from seggrid.text.boundary import BOUNDARY
from seggrid.text.segmentation import Sentences
from seggrid.text.words import WordCounts

if TYPE_CHECKING:
    from seggrid.segment.side import Side


@dataclass(frozen=True)
class Picky(Segmenter):
    """Merges and removals of types.

    Attributes:
        events: the two parts of a merge, or the one type of a removal, in order: removals of a step follow
            its merge.
        spaces: whether its units are words.
        hidden: whether it was learned from text without spaces.
    """

    name = "picky"
    label = "PickyBPE"
    axes = ("spaces", "joint", "vocabulary", "merges", "application")
    own_axes = (
        Axis(
            "removal",
            "For `picky`: after a merge, a part is removed from the vocabulary if more than this share of "
            "its tokens was merged.",
            kind="rate",
            stage="learn",
            default=Fraction(9, 10),
            phrase="removal {value}",
        ),
    )
    learns = True
    by_itself = True
    from_counts = True
    by_default = BY_RANK
    refuses = NO_MERGES

    events: list[tuple[str, ...]]
    spaces: bool = True
    hidden: bool = False

    @classmethod
    def learn(
        cls, sentences: Sentences | WordCounts, size: int, side: Side, min_frequency: int = 2
    ) -> Picky:
        """Learn from a corpus (Chizhov et al. 2024, algorithm 1).

        Merges are chosen as in a BPE. A merge of a and b at f places uses up f tokens of each (2 f tokens of
        a, if they are equal). Then first a and then b is removed if it is not a single symbol and f / (f + n)
        is above the threshold, where n is the number of its remaining tokens, which are split. A merge that
        spells a removed type brings it back. Learning stops when `size` types are present after the removals
        of a step, or no pair occurs `min_frequency` times.
        """
        spaces, threshold = bool(side.spaces), side.removal
        index = PairIndex.of_text(sentences, spaces)
        events: list[tuple[str, ...]] = []
        first: dict[str, tuple[str, ...]] = {}
        present: set[str] = set()
        while len(present) < size and (pair := index.best(min_frequency)):
            merged = _follow(pair, index, first, present)
            events.append(pair)
            for part in dict.fromkeys(pair):
                if part in present and Fraction(merged, merged + index.frequency[part]) > threshold:
                    _follow((part,), index, first, present)
                    events.append((part,))
        return cls(events, spaces)

    def prefix(self, size: int | None) -> Picky:
        """The model that learning `size` types would have given; the whole model if `size` is None or it has
        fewer types."""
        present: set[str] = set()
        for end, event in enumerate(self.events):
            # A step begins with its merge.
            if size is not None and len(event) == 2 and len(present) >= size:
                return replace(self, events=self.events[:end])
            if len(event) == 2:
                present.add("".join(event))
            else:
                present.discard(event[0])
        return self

    @property
    def present(self) -> set[str]:
        """The types besides single symbols that are present in the end."""
        last = {"".join(event): len(event) for event in self.events}
        return {type_ for type_, parts in last.items() if parts == 2}

    @property
    def learned(self) -> int:
        return len(self.present)

    def types(self, side: Side) -> set[str]:
        """The types that are present after learning as many as the side says."""
        return self.prefix(side.merges).present

    def cut(self, words: Sequence[str], side: Side) -> Iterator[list[str]]:
        """Repeat all merges and removals in order, each at all its places from left to right; a unit that is
        a present type is one token (Chizhov et al. 2024, section 3.2)."""
        index = PairIndex.of_units(symbols_of(unit, self.spaces) for unit in words)
        first: dict[str, tuple[str, ...]] = {}
        present: set[str] = set()
        for event in self.prefix(side.merges).events:
            _follow(event, index, first, present)
        mark = BOUNDARY if self.spaces else ""
        for unit, tokens in zip(words, index.units(), strict=True):
            yield [mark + unit] if mark + unit in present else tokens

    def rows(self) -> Content:
        return Content({"spaces": spell_spaces(self.spaces, self.hidden)}, {"events": self.events})

    @classmethod
    def of_rows(cls, content: Content) -> Picky:
        events = [tuple(event) for event in content.tables["events"]]
        present: set[str] = set()
        for event in events:
            # A type is removed by an event with it alone, after one that made it.
            (present.add if len(event) == 2 else present.remove)("".join(event))
        return cls(events, *read_spaces(content.settings["spaces"]))


def _follow(
    event: tuple[str, ...], index: PairIndex, first: dict[str, tuple[str, ...]], present: set[str]
) -> int:
    """Merge or split everywhere, and update the first merge that made each type and the present types.
    Returns how often a pair was merged."""
    type_ = "".join(event)
    if len(event) == 2:
        first.setdefault(type_, event)
        present.add(type_)
        return index.merge((event[0], event[1]))
    present.remove(type_)
    index.split(type_, list(_parts(type_, first, present)))
    return 0


def _parts(type_: str, first: Mapping[str, tuple[str, ...]], present: set[str]) -> Iterator[str]:
    """The parts of a removed type: those of the first merge that made it, split further until each is present
    or a single symbol."""
    for part in first[type_]:
        if part in first and part not in present:
            yield from _parts(part, first, present)
        else:
            yield part
