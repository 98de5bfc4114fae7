"""Lines of merges, as subword-nmt, fastBPE and Hugging Face write them, and how symbols are spelled there."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from seggrid.base.errors import InputError
from seggrid.text.boundary import BOUNDARY, WORD_END

VERSION = "#version: 0.2"
CONTINUES = "##"
LONGEST_MERGE = 1000
"""The most parts of a merge. Pruning makes merges of several parts, but rarely of thirty."""


def parse_pairs(
    lines: Sequence[str], path: str | Path, marking: str = "end"
) -> list[tuple[str, ...]]:
    """The merges in the lines of a `merges.txt`, subword-nmt's codes of version 0.2, or fastBPE's codes; the
    file does not say how words are marked: subword-nmt and fastBPE mark their `end`."""
    merges, first_line = _pairs(lines, path)
    check_merges(merges, path, first_line)
    has_ends = any(part.endswith(WORD_END) for merge in merges for part in merge)
    for line, merge in enumerate(merges, first_line):
        # The merge would never apply.
        if other := _other_marking(merge, marking, has_ends):
            raise InputError(
                f"the merge {' '.join(merge)!r}, which marks words otherwise than {marking}",
                file=path,
                line=line,
                hint=f"read it with the marking {other}"
                if other != "bytes"
                else "give merges of characters: these are over bytes",
            )
    if marking == "start":
        merges = [tuple(unspelled(part, CONTINUES) for part in merge) for merge in merges]
    return merges


def _pairs(lines: Sequence[str], path: str | Path) -> tuple[list[tuple[str, ...]], int]:
    """The merges of a file, and the number of the line with the first.

    fastBPE writes a pair and its count on each line, without a header.
    """
    has_header = next(iter(lines), "").startswith(VERSION)
    rows = [tuple(line.split(" ")) for line in lines[has_header:]]
    counted = bool(rows) and all(len(row) == 3 and row[2].isdecimal() for row in rows)
    if has_header and counted:
        raise InputError(
            "pairs with counts, as fastBPE writes them without a header",
            file=path,
            line=1,
            hint="take this line away if fastBPE learned them",
        )
    if not (has_header or counted):
        raise InputError(
            f"neither merges that begin with `{VERSION}`, nor codes of fastBPE, pairs with counts",
            file=path,
            line=1,
            hint="begin them with this line if the program that learned them writes it; codes of an earlier "
            "subword-nmt are learned again, or the text that it cut is given: --segmenter external "
            "--model-format tokens-@@",
        )
    for line, row in enumerate(rows, 1 + has_header):
        if len(row) != 2 + counted or "" in row or WORD_END in row or "\t" in "".join(row):
            hint = f"give two parts, separated by one space, not a tab; {WORD_END} is no part by itself"
            raise InputError(f"{' '.join(row)!r} is not a merge", file=path, line=line, hint=hint)
    return [row[:2] for row in rows], 1 + has_header


def _other_marking(merge: tuple[str, ...], marking: str, has_ends: bool) -> str:
    """The marking that a merge shows if it is not the one that is said, or `bytes`; otherwise empty.

    `has_ends`: whether any merge ends words.
    """
    if marking != "end":
        is_end = merge[-1].endswith(WORD_END) and merge[-1] != WORD_END
        continues = marking == "start" and merge[-1].startswith(CONTINUES)
        return "end" if is_end and not continues else ""
    if has_ends:
        return ""
    if any(part.startswith("Ġ") for part in merge):
        return "bytes"
    if any(len(part) > 2 and part.startswith(CONTINUES) for part in merge):
        return "start"
    return "own" if any(BOUNDARY in part for part in merge) else ""


def check_merges(
    merges: Sequence[tuple[str, ...]], path: str | Path, first_line: int | None = None
) -> None:
    """Refuse merges from another program that cannot be the list of a model. They are lines of a file, from
    `first_line` on, or of JSON."""
    seen: dict[tuple[str, ...], int] = {}
    for number, merge in enumerate(merges, 1):
        line = None if first_line is None else first_line + number - 1
        what = f"merge {number}, {' '.join(merge)!r},"
        if not 1 < len(merge) <= LONGEST_MERGE or "" in merge:
            hint = f"give 2 to {LONGEST_MERGE} parts, separated by single spaces"
            raise InputError(f"{what} is not a merge", file=path, line=line, hint=hint)
        if seen.setdefault(merge, number) != number:
            message = f"{what} is merge {seen[merge]} again"
            raise InputError(message, file=path, line=line, hint="remove it")


def spelled_start(part: str, prefix: str = CONTINUES) -> str:
    """How other programs spell a symbol or type that is marked as with `start`; without a prefix, the part
    itself."""
    return part.removeprefix(BOUNDARY) if prefix and part.startswith(BOUNDARY) else prefix + part


def unspelled(part: str, prefix: str) -> str:
    """The inverse of `spelled_start`, for another prefix than `##`; with none, the part itself."""
    if not prefix:
        return part
    return part.removeprefix(prefix) if part.startswith(prefix) else BOUNDARY + part
