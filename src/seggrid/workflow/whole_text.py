"""Arguments and files of the scripts that align a large text with models learned on a sample of it."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from seggrid.align import ALIGNERS, SYMMETRIZATIONS
from seggrid.corpus.stored import read_lines_of
from seggrid.grid.cell import Cell
from seggrid.segment.side import parse_spec


def add_cell_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of both texts and of the cell's settings."""
    parser.add_argument("--source", type=Path, required=True, help="the whole text")
    parser.add_argument("--target", type=Path, required=True)
    parser.add_argument("--pair", required=True)
    parser.add_argument("--source-spec", required=True, help="the segmentation, as in the path")
    parser.add_argument("--target-spec", required=True)
    parser.add_argument("--aligner", choices=list(ALIGNERS), required=True)
    parser.add_argument(
        "--options", type=json.loads, default={}, help="options of the aligner, as JSON"
    )
    parser.add_argument("--symmetrization", choices=SYMMETRIZATIONS, default=SYMMETRIZATIONS[0])
    parser.add_argument("--samples", type=int, required=True)
    parser.add_argument("--aggregate", default="union", help="as in the path")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--output", type=Path, required=True, help="a folder")


def cell_of(arguments: argparse.Namespace) -> Cell:
    """The cell with the settings in these arguments."""
    return Cell(
        arguments.pair,
        parse_spec(arguments.source_spec),
        parse_spec(arguments.target_spec),
        arguments.aligner,
        arguments.symmetrization,
        1,
        arguments.samples,
        arguments.aggregate.replace("of", "/"),
    )


def read_sides(
    arguments: argparse.Namespace, lines: Sequence[int]
) -> tuple[list[list[str]], list[list[str]]]:
    """The words of some sentence pairs of both texts, given by zero-based numbers, ascending.

    Raises:
        InputError: a text has fewer sentences.
    """
    return read_lines_of(arguments.source, lines), read_lines_of(arguments.target, lines)


def alignment_settings(arguments: argparse.Namespace) -> dict[str, Any]:
    """The keywords of `seggrid.grid.run.align_cell` that these arguments give."""
    return {name: getattr(arguments, name) for name in ("options", "seed", "threads")}


def slice_file(folder: str | Path, what: str) -> Path:
    """The file of a slice with its `links`, or with the tokens of its `source` or `target`."""
    return Path(folder) / f"{what}.zst"
