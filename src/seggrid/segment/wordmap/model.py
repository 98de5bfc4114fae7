"""A Wordmap model, which is a list of segments, the most frequent first, and its file.

The file is UTF-8 text. After a header, each line is a segment and the number of words with it:

    #seggrid-wordmap 1
    ver 731
    en 702
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from seggrid.base.lines import read_lines, write_lines
from seggrid.errors import InputError

_COUNT = re.compile(r"\d{1,18}", re.ASCII)
_HEADER = "#seggrid-wordmap 1"


@dataclass(frozen=True)
class WordmapModel:
    """Segments of words.

    Attributes:
        segments: the number of distinct words in which each segment of two or more characters was found; the
            most frequent first, among equally frequent ones the lexicographically larger by code points.
    """

    segments: dict[str, int]

    def prefix(self, size: int | None) -> WordmapModel:
        """The model of the first segments only; all of them if `size` is None or beyond the last."""
        return WordmapModel(dict(islice(self.segments.items(), size)))


def write_model(model: WordmapModel, path: str | Path) -> None:
    """Write a model, atomically, in the format that the module describes."""
    lines = [_HEADER, *(f"{segment} {count}" for segment, count in model.segments.items())]
    write_lines(path, lines)


def read_model(path: str | Path) -> WordmapModel:
    """Read what `write_model` wrote.

    Raises:
        InputError: the file is missing, not UTF-8, has another header, or a line is not a segment of
            two or more characters with a count, or has the segment of an earlier one.
    """
    lines = read_lines(path)
    if lines[:1] != [_HEADER]:
        raise InputError(
            "not a Wordmap model", file=path, line=1, hint=f"begin it with `{_HEADER}`"
        )
    return read_segments(enumerate(lines[1:], 2), path)


def read_segments(lines: Iterable[tuple[int, str]], path: str | Path) -> WordmapModel:
    """Read segments, one per line.

    Raises:
        InputError: a line is not a segment of two or more characters with a count, or has the segment of
            an earlier one.
    """
    segments: dict[str, int] = {}
    for number, line in lines:
        segment, _, count = line.rpartition(" ")
        if len(segment) < 2 or " " in segment or not _COUNT.fullmatch(count):
            hint = "give a segment of two or more characters, a space, and its count"
            raise InputError(f"{line!r} is not a segment", file=path, line=number, hint=hint)
        if segment in segments:
            raise InputError(
                f"the segment {segment!r} again", file=path, line=number, hint="remove the line"
            )
        segments[segment] = int(count)
    return WordmapModel(segments)
