"""A model of merges within words and merges across them, and its file.

The file is UTF-8 text. After a header, which has the value of the axis `supermerges`, each line is a merge;
merges across words follow the line `#across`:

    #seggrid-superbpe 1 supermerges=400
    h e
    ▁t he
    #across
    ▁in ▁the
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from seggrid.base.lines import write_lines
from seggrid.data.boundary import BOUNDARY
from seggrid.errors import InputError
from seggrid.segment.superbpe.transition import BOUNDLESS, parse_supermerges

MAGIC = "#seggrid-superbpe"
_HEADER = f"{MAGIC} 1 supermerges=400"
_FORM = re.compile(rf"{MAGIC} 1 supermerges=(\S+)")
_ACROSS = "#across"
Merge = tuple[str, ...]


@dataclass(frozen=True)
class SuperModel:
    """Merges of two parts, by rank; `▁` is joined to the first character of each word.

    Attributes:
        within: the merges within words, which come first.
        across: the merges of neighbors in a sentence. Unless `boundless`, they may join parts of words too.
        transition: the number of merges after which merges across words were learned, or `BOUNDLESS`. With
            `BOUNDLESS`, a merge across words was taken whenever its pair was more frequent than that of the
            next merge within words; it joins only words that are single tokens, or products of such merges.
    """

    within: list[Merge]
    across: list[Merge]
    transition: int | str

    @property
    def boundless(self) -> bool:
        """Whether only whole words are joined."""
        return self.transition == BOUNDLESS

    @property
    def products(self) -> set[str]:
        """The types besides single symbols."""
        return set(map("".join, [*self.within, *self.across]))

    @property
    def nested(self) -> bool:
        """Whether it contains the models of fewer merges."""
        return not self.boundless

    def __len__(self) -> int:
        return len(self.within) + len(self.across)

    def prefix(self, merges: int | None) -> SuperModel:
        """The model of the first merges only; all of it if `merges` is None or beyond the last. A boundless
        model has no single order of its merges and is returned unchanged.
        """
        if merges is None or self.boundless or merges >= len(self):
            return self
        across = self.across[: max(0, merges - len(self.within))]
        return replace(self, within=self.within[:merges], across=across)


def write_model(model: SuperModel, path: str | Path) -> None:
    """Write a model, atomically, in the format that the module describes."""
    merges = [*map(" ".join, model.within), _ACROSS, *map(" ".join, model.across)]
    write_lines(path, [f"{MAGIC} 1 supermerges={model.transition}", *merges])


def parse_model(lines: Sequence[str], path: str | Path) -> SuperModel:
    """The model in the lines of a file.

    Raises:
        InputError: the header is another, or a line is not a merge of two symbols or products of earlier
            lines, repeats a merge, or does not belong before or after `#across`.
    """
    form = _FORM.fullmatch(lines[0] if lines else "")
    transition = parse_supermerges(form[1]) if form else None
    if transition is None or _ACROSS not in lines:
        message = "no line #across" if transition is not None else "not a model of supermerges"
        hint = "learn the model again" if transition is not None else f"begin it with `{_HEADER}`"
        raise InputError(message, file=path, line=1, hint=hint)
    end = lines.index(_ACROSS)
    merges = [tuple(line.split(" ")) for line in lines[1:] if line != _ACROSS]
    model = SuperModel(merges[: end - 1], merges[end - 1 :], transition)
    made: set[str] = set()
    for line, merge in enumerate(lines[1:], 2):
        if line != end + 1:
            _check(merge, line > end, model.boundless, made, path, line)
            made.add(merge.replace(" ", ""))
    if not model.boundless and len(model.within) > int(transition):
        message = f"{len(model.within):,} merges within words, where the header says {transition}"
        raise InputError(message, file=path, line=1, hint="learn the model again")
    return model


def _check(
    merge: str, across: bool, boundless: bool, made: set[str], path: str | Path, line: int
) -> None:
    """Refuse a line that is not a valid merge."""

    def refuse(message: str, hint: str) -> InputError:
        return InputError(message, file=path, line=line, hint=hint)

    left, _, right = merge.partition(" ")
    if not left or not right or " " in right:
        raise refuse(f"{merge!r} is not a merge", "give two parts, separated by a space")
    for part in (left, right):
        if len(part.removeprefix(BOUNDARY)) != 1 and part not in made:
            raise refuse(f"{part!r}, which no earlier line makes", "learn the model again")
    if left + right in made:
        raise refuse(f"a second merge that makes {left + right!r}", "remove the line")
    if not across and BOUNDARY in right:
        raise refuse(f"{merge!r} crosses words before {_ACROSS}", "learn the model again")
    if across and boundless and not (left.startswith(BOUNDARY) and right.startswith(BOUNDARY)):
        raise refuse(f"{merge!r}, a part of which is not a word", "learn the model again")
