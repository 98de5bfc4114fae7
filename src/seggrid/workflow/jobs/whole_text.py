"""Arguments and files of the scripts that align a large text in parts."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from seggrid.align import SYMMETRIZATIONS, read_alignment
from seggrid.base.axis import unescape
from seggrid.base.lines import write_lines
from seggrid.corpus.selection import Lines, draw_lines
from seggrid.data.sides import SIDES, SideName
from seggrid.errors import InputError
from seggrid.grid.cell import Cell
from seggrid.grid.run import Aligned
from seggrid.grid.samples import parse_part, sample_seeds
from seggrid.segment.side import parse_spec

SLICED = ("links", *SIDES)
"""The files that are written, with a line for each sentence pair: its links, and the tokens of each side."""


def add_cell_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of both texts and of the cell's settings."""
    parser.add_argument("--source", type=Path, required=True, help="the whole text")
    parser.add_argument("--target", type=Path, required=True)
    parser.add_argument("--pair", required=True)
    parser.add_argument("--source-spec", required=True, help="the segmentation, as in the path")
    parser.add_argument("--target-spec", required=True)
    parser.add_argument("--aligner", required=True, help="with its axes, as in the path")
    parser.add_argument(
        "--options", type=json.loads, default={}, help="options of the aligner, as JSON"
    )
    parser.add_argument("--symmetrization", choices=SYMMETRIZATIONS, default=SYMMETRIZATIONS[0])
    parser.add_argument("--samples", type=int, required=True)
    parser.add_argument("--aggregate", default="union", help="as in the path")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--output", type=Path, required=True, help="a folder")


def add_sample_argument(parser: argparse.ArgumentParser) -> None:
    """Add the argument with the size of the sample that is drawn from both texts."""
    parser.add_argument("--drawn", type=int, required=True, help="sentence pairs of the sample")


def add_lines_argument(parser: argparse.ArgumentParser) -> None:
    """Add the argument of the slice of both texts that is aligned."""
    parser.add_argument("--lines", required=True, help="range of lines, such as 0-9999")


def add_model_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the segmenters' models."""
    for side in SIDES:
        parser.add_argument(
            f"--{side}-model", type=Path, help="model of its segmenter, if it has one"
        )


def model_files(arguments: argparse.Namespace) -> dict[SideName, Path]:
    """The file of each side's segmenter model; sides whose segmenter learns nothing are left out."""
    files = {side: getattr(arguments, f"{side}_model") for side in SIDES}
    return {side: file for side, file in files.items() if file is not None}


def cell_of(arguments: argparse.Namespace) -> Cell:
    """The cell with the settings in these arguments."""
    aligner, axes = read_alignment(arguments.aligner)
    return Cell(
        arguments.pair,
        parse_spec(arguments.source_spec),
        parse_spec(arguments.target_spec),
        aligner,
        arguments.symmetrization,
        1,
        arguments.samples,
        unescape(arguments.aggregate),
        **axes,
    )


def drawn_lines(arguments: argparse.Namespace) -> Lines:
    """The zero-based numbers of the sample's sentence pairs, drawn from the whole text with the seed."""
    (seed,) = sample_seeds(arguments.seed, [arguments.pair, "drawn"], (0, 0))
    return draw_lines(count_lines(arguments.source), arguments.drawn, seed)


def read_sides(
    arguments: argparse.Namespace, lines: Sequence[int]
) -> tuple[list[list[str]], list[list[str]]]:
    """The words of some sentence pairs, in both texts; `lines` are their zero-based numbers, ascending.

    Raises:
        InputError: a text has fewer sentences.
    """
    return read_lines_of(arguments.source, lines), read_lines_of(arguments.target, lines)


def read_slice(arguments: argparse.Namespace) -> tuple[list[list[str]], list[list[str]]]:
    """The words of the slice `--lines` of both texts.

    Raises:
        InputError: a text has fewer sentences.
    """
    first, last = parse_part(arguments.lines)
    return read_sides(arguments, range(first, last + 1))


def alignment_settings(arguments: argparse.Namespace) -> dict[str, Any]:
    """The keyword arguments for `seggrid.grid.run.align_cell`."""
    return {name: getattr(arguments, name) for name in ("options", "seed", "threads")}


def slice_file(folder: str | Path, what: str) -> Path:
    """The file of a slice or sample for one of `SLICED`, with one sentence pair per line."""
    return Path(folder) / f"{what}.zst"


def lines_of(found: Aligned) -> dict[str, list[str]]:
    """The lines of the files of a slice or sample."""
    values = [found.links.lines(), *(tokens.lines() for tokens in found.tokens)]
    return dict(zip(SLICED, values, strict=True))


def write_sliced(folder: Path, lines: Mapping[str, list[str]]) -> None:
    """Write the files of a slice or sample into an existing folder."""
    for what in SLICED:
        write_lines(slice_file(folder, what), lines[what])


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
    """The lines of a file with their zero-based numbers."""
    return ((number, line.removesuffix("\n")) for number, line in enumerate(file))
