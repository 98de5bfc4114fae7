"""A GreedTok model, which is types in the order in which they were learned, and its file.

The file is UTF-8 text. After a header, each line is a type and its gain, the number of tokens that it saved
in the text that it was learned from:

    #seggrid-greedtok 1
    ▁the 4178
    er 2333
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from seggrid.base.lines import read_lines, write_lines
from seggrid.data.boundary import BOUNDARY
from seggrid.errors import InputError

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


def write_model(model: GreedTokModel, path: str | Path) -> None:
    """Write a model, atomically, in the format that the module describes."""
    write_lines(path, [_HEADER, *(f"{type_} {gain}" for type_, gain in model.gains.items())])


def read_model(path: str | Path) -> GreedTokModel:
    """Read what `write_model` wrote.

    Raises:
        InputError: the file is missing, not UTF-8, has another header, or a line is not a type of two or more
            symbols with a gain above 0, repeats an earlier type, or has a greater gain than the line before.
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
        if not _is_type(type_) or not _GAIN.fullmatch(gain):
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


def _is_type(text: str) -> bool:
    letters = text.removeprefix(BOUNDARY)
    return len(letters) > 1 and " " not in text and BOUNDARY not in letters
