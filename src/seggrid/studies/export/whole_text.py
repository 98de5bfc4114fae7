"""Inputs and files of the scripts that align a large text in parts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from seggrid.align import SYMMETRIZATIONS, read_alignment
from seggrid.base.axis import unescape
from seggrid.base.lines import write_lines
from seggrid.grid.align_cell import Aligned, Earlier, Process, Request, align_cell
from seggrid.grid.cell import Cell
from seggrid.grid.jobs.script import timed
from seggrid.grid.samples import ONE, Part, sample_seeds
from seggrid.segment.side import Side
from seggrid.text.selection import Lines, draw_lines, slices
from seggrid.text.sides import SIDES, SideName

SLICED = ("links", *SIDES)
"""The files that are written, with a line for each sentence pair: its links, and the tokens of each side."""


@dataclass(frozen=True)
class WholeText:
    """Both texts of a pair, and the settings of the cell with which parts of them are aligned.

    Attributes:
        source, target: the text of each side.
        pair: name of the pair.
        source_spec, target_spec: segmentation of each side.
        aligner: aligner with its axes, as in paths.
        samples: number of samples of the cell.
        seed: seed of the config.
        options: options of the aligner.
        symmetrization: of the cell.
        aggregate: of the cell, as in paths.
        threads: threads of a part.
        source_model, target_model: model of each segmenter, if it learns.
    """

    source: Path
    target: Path
    pair: str
    source_spec: Side
    target_spec: Side
    aligner: str
    samples: int
    seed: int
    options: dict = field(default_factory=dict)  # type: ignore[type-arg]
    symmetrization: str = SYMMETRIZATIONS[0]
    aggregate: str = "union"
    threads: int = 1
    source_model: Path | None = None
    target_model: Path | None = None

    @property
    def cell(self) -> Cell:
        """The cell with these settings."""
        aligner, axes = read_alignment(self.aligner)
        return Cell(
            self.pair,
            self.source_spec,
            self.target_spec,
            aligner,
            self.symmetrization,
            samples=self.samples,
            aggregate=unescape(self.aggregate),
            own=tuple(axes.items()),
        )

    @property
    def models(self) -> dict[SideName, Path]:
        """The file of each side's segmenter model."""
        both = zip(SIDES, (self.source_model, self.target_model), strict=True)
        return {side: file for side, file in both if file is not None}

    def drawn(self, size: int) -> Lines:
        """The zero-based numbers of a sample's sentence pairs, drawn with the seed."""
        (seed,) = sample_seeds(self.seed, [self.pair, "drawn"], ONE)
        return draw_lines(count_sentences(self.source), size, seed)

    def align(self, lines: Sequence[int], earlier: Earlier, request: Request) -> Aligned:
        """Align sentence pairs, by their zero-based numbers, ascending; other arguments as for
        `align_cell`."""
        source, target = (read_lines_of(file, lines) for file in (self.source, self.target))
        how: dict[str, Any] = {"options": self.options, "earlier": earlier}
        how["process"] = Process(self.seed, self.threads)
        with timed():
            return align_cell(self.cell, source, target, request, **how)


def slice_folders(pattern: str, lines: int, size: int) -> list[Path]:
    """The folders of all slices of a text of so many lines; `*` in the pattern stands for a slice's lines."""
    return [Path(pattern.replace("*", str(Part(*own)))) for own in slices(lines, size)]


def slice_file(folder: str | Path, what: str) -> Path:
    """The file of a slice or sample for one of `SLICED`, with one sentence pair per line."""
    return Path(folder) / f"{what}.zst"


def lines_of_files(found: Aligned) -> dict[str, list[str]]:
    """The lines of the files of a slice or sample."""
    values = [found.links.lines(), *(tokens.lines() for tokens in found.tokens)]
    return dict(zip(SLICED, values, strict=True))


def write_sliced(folder: Path, lines: Mapping[str, list[str]]) -> None:
    """Write the files of a slice or sample into an existing folder."""
    for what in SLICED:
        write_lines(slice_file(folder, what), lines[what])


def count_sentences(path: str | Path) -> int:
    """The number of sentences of a text."""
    with open(path, "rb") as file:
        return sum(1 for _ in file)


def read_lines_of(path: str | Path, lines: Iterable[int]) -> list[list[str]]:
    """The words of some sentences, given by their zero-based numbers."""
    wanted = set(lines)
    with open(path, encoding="utf-8", newline="\n") as file:
        rows = enumerate(islice(file, max(wanted, default=-1) + 1))
        return [line.removesuffix("\n").split(" ") for number, line in rows if number in wanted]
