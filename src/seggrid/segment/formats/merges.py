"""Lists of merges: subword-nmt's codes, Hugging Face's `merges.txt`, fastBPE's codes.

How symbols are spelled depends on how words are marked (see `BPEModel.marking`): with `end` and `own` the
other programs spell them as this package does; with `start` they write `##` before every symbol that does not
begin a word, and nothing before symbols that do. Only merges of two parts can be written, since the other
programs have no longer ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from seggrid.base.errors import InputError
from seggrid.base.lines import write_lines
from seggrid.segment.bpe.model import BPEModel, check_merges
from seggrid.text.boundary import BOUNDARY, WORD_END

VERSION = "#version: 0.2"
CONTINUES = "##"


def write_merges(model: BPEModel, path: str | Path) -> None:
    """Write a `merges.txt`, or subword-nmt's codes if the model marks the ends of words."""
    lines = [VERSION, *map(" ".join, spelled_merges(model))]
    if model.dropout:
        raise InputError(
            f"the rate of dropout {model.dropout:g}, which a list of merges cannot store",
            hint="write a tokenizer, or keep it as a model of seggrid's own",
        )
    write_lines(path, lines)


def parse_merges(lines: Sequence[str], path: str | Path, marking: str = "end") -> BPEModel:
    """The model in the lines of a `merges.txt`, subword-nmt's codes of version 0.2, or fastBPE's codes; the
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
    return BPEModel(merges, marking=marking)


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


def marks(model: BPEModel, marking: str) -> bool:
    """Whether words are units of a model and are marked in this way."""
    return model.spaces and model.marking == marking


def spelled_start(part: str, prefix: str = CONTINUES) -> str:
    """How other programs spell a symbol or type that is marked as with `start`; without a prefix, the part
    itself."""
    return part.removeprefix(BOUNDARY) if prefix and part.startswith(BOUNDARY) else prefix + part


def unspelled(part: str, prefix: str) -> str:
    """The inverse of `spelled_start`, for another prefix than `##`; with none, the part itself."""
    if not prefix:
        return part
    return part.removeprefix(prefix) if part.startswith(prefix) else BOUNDARY + part


def spelled_merges(model: BPEModel) -> list[tuple[str, ...]]:
    """The merges as the other programs spell them."""
    longer = next((merge for merge in model.merges if len(merge) != 2), None)
    for what, is_there in (
        (f"the merge {' '.join(longer or ())!r}", longer),
        ("types that are split", model.split),
        ("weights of merges in dropout", model.weights),
    ):
        if is_there:
            hint = "keep it as a model of seggrid's own"
            raise InputError(f"other programs do not know {what}", hint=hint)
    if not marks(model, "start"):
        return model.merges
    if any(part.startswith(BOUNDARY + CONTINUES) for merge in model.merges for part in merge):
        raise InputError(
            f"a symbol that begins with {CONTINUES}", hint="learn the model with another marking"
        )
    return [tuple(map(spelled_start, merge)) for merge in model.merges]
