"""Read texts that the stage `corpus` wrote, a sentence a line, without having a whole text in memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from seggrid.errors import InputError


def count_lines(path: str | Path) -> int:
    """The number of sentences of a text.

    Raises:
        OSError: the file cannot be read.
    """
    with open(path, "rb") as file:
        return sum(1 for _ in file)


def read_lines_of(path: str | Path, lines: Iterable[int]) -> list[list[str]]:
    """The words of some sentences.

    Args:
        path: the text.
        lines: zero-based numbers of the sentences, ascending.

    Raises:
        InputError: the text has fewer sentences.
        OSError: the file cannot be read.
    """
    wanted = iter(lines)
    found = []
    with open(path, encoding="utf-8", newline="\n") as file:
        rows = _rows(file)
        for line in wanted:
            row = next((text for number, text in rows if number == line), None)
            if row is None:
                raise InputError(
                    f"no line {line + 1:,}", file=path, hint="it has been cut short: run it again"
                )
            found.append(row.split(" "))
    return found


def _rows(file: Iterable[str]) -> Iterator[tuple[int, str]]:
    return ((number, line.removesuffix("\n")) for number, line in enumerate(file))
