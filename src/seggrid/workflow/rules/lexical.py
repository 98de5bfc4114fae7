"""What rules ask for lexical segmentations: their tables beside other segmentations of the same size."""

from __future__ import annotations

from functools import cached_property

from seggrid.data.sides import SIDES
from seggrid.grid.axes import path
from seggrid.grid.grid import Grid
from seggrid.segment import SEGMENTERS
from seggrid.segment.side import CORPUS, Side
from seggrid.workflow.rules.files import Files


class Lexical:
    """The lexical segmentations of a grid.

    Args:
        grid: the grid.
        files: the files that its config names.
    """

    def __init__(self, grid: Grid, files: Files) -> None:
        self._grid = grid
        self._files = files

    def reference(self, pair: str, side: str) -> list[str]:
        """A side's morphological reference, if it has one."""
        entry = self._grid.config.pairs[pair].side(side).morphemes
        return [self._files.file(entry.file)] if entry else []

    def reference_options(self, pair: str, side: str) -> list[str]:
        """A script's options for that reference."""
        entry = self._grid.config.pairs[pair].side(side).morphemes
        if entry is None:
            return []
        return [f"--morphemes={self._files.file(entry.file)}", f"--format={entry.format}"]

    @cached_property
    def _lexical(self) -> dict[tuple[str, str, str], list[str]]:
        """The lexical segmentations of each side of a pair, with the other segmentations of the same size."""
        sides: dict[tuple[str, str], dict[Side, None]] = {}
        for cell in self._grid.experiments:
            for side in SIDES:
                sides.setdefault((cell.pair, side), {})[getattr(cell, side)] = None
        found = {}
        for where, of_side in sides.items():
            for own in of_side:
                if SEGMENTERS[own.segmenter].tagged:
                    found[*where, str(own)] = [
                        str(other)
                        for other in of_side
                        if other.learns
                        and not SEGMENTERS[other.segmenter].tagged
                        and not (other.sampled or other.pruned)
                        and all(
                            getattr(other, axis) == getattr(own, axis)
                            for axis in (*CORPUS, "merges")
                        )
                    ]
        return found

    def files(self) -> list[str]:
        """The tables of all lexical segmentations."""
        return [
            path("lexical", pair=pair, side=side, spec=spec)
            for pair, side, spec in sorted(self._lexical)
        ]

    def beside(self, pair: str, side: str, spec: str) -> list[str]:
        """The segmentations of the same text and size that a lexical one is compared with."""
        return self._lexical[pair, side, spec]
