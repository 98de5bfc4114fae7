"""The family of segmenters whose model is types with a number each, in order."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar, Self

from seggrid.segment.model_file import Content, read_spaces, spell_spaces
from seggrid.segment.segmenter import BY_RANK, NO_MERGES, Segmenter

if TYPE_CHECKING:
    from seggrid.segment.side import Side


@dataclass(frozen=True)
class Ranked(Segmenter):
    """Types in order; if the models are nested, a smaller one is the first of them.

    Attributes:
        numbers: the number of each type, such as the tokens that it saved or the logarithm of its
        probability. spaces: whether units are words, to whose first character `▁` is joined. hidden: whether
        the types were learned from text without spaces.
    """

    learns = True
    by_itself = True
    refuses = NO_MERGES
    by_default = BY_RANK
    number: ClassVar[Any] = int
    """The type of the numbers."""

    numbers: dict[str, Any]
    spaces: bool = True
    hidden: bool = False

    @property
    def learned(self) -> int:
        """The number of types."""
        return len(self.numbers)

    def prefix(self, size: int | None) -> Self:
        """The model of the first types only; all of them if `size` is None or beyond the last."""
        if not self.nested:
            return self
        return replace(self, numbers=dict(islice(self.numbers.items(), size)))

    def types(self, side: Side) -> set[str] | None:
        """The first `side.merges` types."""
        return set(self.prefix(side.merges).numbers)

    def rows(self) -> Content:
        """Each type and its number."""
        types = [[type_, repr(number)] for type_, number in self.numbers.items()]
        return Content({"spaces": spell_spaces(self.spaces, self.hidden)}, {"types": types})

    @classmethod
    def of_rows(cls, content: Content) -> Self:
        """The model of these types."""
        numbers = {type_: cls.number(text) for type_, text in content.tables["types"]}
        return cls(numbers, *read_spaces(content.settings["spaces"]))
