"""A PickyBPE model, which is merges and removals in the order in which they happened, and its file.

The file is UTF-8 text. After a header, a line of two parts is a merge, and a line of one part is the removal
of that type:

    #seggrid-picky 1 spaces=yes removal=0.9
    ▁t ea
    ▁tea ch
    ▁tea
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from seggrid.base.lines import write_lines
from seggrid.base.rational import spell_rational
from seggrid.data.boundary import BOUNDARY
from seggrid.errors import InputError
from seggrid.segment.picky.removal import parse_removal

MAGIC = "#seggrid-picky"
_HEADER = f"{MAGIC} 1 spaces=yes removal=0.9"
_FORM = re.compile(rf"{MAGIC} 1 spaces=(yes|no) removal=(\S+)")
Event = tuple[str, ...]


@dataclass(frozen=True)
class PickyModel:
    """Merges and removals.

    Attributes:
        events: merges and removals in order; a merge is given by its two parts, a removal by the removed
            type. The removals of a step follow its merge.
        removal: the threshold τ, above which a share of merged occurrences removes a type.
        spaces: whether units are words; see `BPEModel`.
    """

    events: list[Event]
    removal: Fraction
    spaces: bool = True

    def prefix(self, size: int | None) -> PickyModel:
        """The model that learning `size` types would have given; the whole model if `size` is None or it has
        fewer types."""
        if size is None:
            return self
        present: set[str] = set()
        for end, event in enumerate(self.events):
            # A step begins with its merge.
            if len(event) == 2 and len(present) >= size:
                return replace(self, events=self.events[:end])
            follow(present, event)
        return self

    @property
    def present(self) -> set[str]:
        """The types besides single symbols that are present in the end."""
        present: set[str] = set()
        for event in self.events:
            follow(present, event)
        return present


def follow(present: set[str], event: Event) -> None:
    """Update the present types by an event."""
    if len(event) == 2:
        present.add("".join(event))
    else:
        present.discard(event[0])


def write_model(model: PickyModel, path: str | Path) -> None:
    """Write a model, atomically, in the format that the module describes."""
    spaces = "yes" if model.spaces else "no"
    header = f"{MAGIC} 1 spaces={spaces} removal={spell_rational(model.removal)}"
    write_lines(path, [header, *map(" ".join, model.events)])


def parse_model(lines: Sequence[str], path: str | Path) -> PickyModel:
    """The model in the lines of a file.

    Raises:
        InputError: the header is another, or a line is not a merge of symbols and present types or the
            removal of a present type, or repeats a merge that no removal has made possible again.
    """
    form = _FORM.fullmatch(lines[0] if lines else "")
    removal = parse_removal(form[2]) if form else None
    if form is None or removal is None:
        message, hint = "not a model of merges and removals", f"begin it with `{_HEADER}`"
        raise InputError(message, file=path, line=1, hint=hint)
    events = [tuple(line.split(" ")) for line in lines[1:]]
    spaces = form[1] == "yes"
    _check(events, spaces, path)
    return PickyModel(events, removal, spaces)


def _check(events: Iterable[Event], spaces: bool, path: str | Path) -> None:
    present: set[str] = set()
    merged: set[Event] = set()  # since the last removal
    for line, event in enumerate(events, 2):
        spelled = " ".join(event)
        if len(event) > 2 or "" in event:
            hint = "give a merge of two parts, or a type that is removed"
            raise InputError(
                f"{spelled!r} is neither merge nor removal", file=path, line=line, hint=hint
            )
        unknown = [part for part in event if part not in present]
        if len(event) == 2:
            unknown = [part for part in unknown if not _is_single(part, spaces)]
        if unknown:
            message = f"{unknown[0]!r}, which no earlier line makes, or one has removed"
            raise InputError(message, file=path, line=line, hint="learn the model again")
        if event in merged:
            message = f"the merge {spelled!r} again, with no removal between"
            raise InputError(message, file=path, line=line, hint="remove the line")
        if len(event) == 2:
            merged.add(event)
        else:
            merged.clear()
        follow(present, event)


def _is_single(part: str, spaces: bool) -> bool:
    return len(part) == 1 or (spaces and len(part) == 2 and part[0] == BOUNDARY)
