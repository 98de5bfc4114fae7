"""The inputs of rules that read parts of speech: tags, lexicons, the tables of lexical segmentations."""

from __future__ import annotations

from functools import cached_property

from seggrid.corpus.fetch import Entry
from seggrid.data.sides import SIDES
from seggrid.grid.axes import path
from seggrid.grid.cell import Cell
from seggrid.grid.config.models import Config
from seggrid.segment import SEGMENTERS
from seggrid.segment.side import CORPUS, Side, parse_spec


class OfTags:
    """The part of `seggrid.workflow.rules.inputs.Inputs` for these rules."""

    config: Config
    experiments: dict[Cell, tuple[str, ...]]

    def file(self, entry: Entry) -> str:
        """The path of a file that the config names."""
        raise NotImplementedError

    def tags(self, pair: str, side: str, spec: str) -> list[str]:
        """The tagged text of a side, if its segmenter reads tags."""
        values = parse_spec(spec)
        if not SEGMENTERS[values.segmenter].tagged:
            return []
        return [path("tag", pair=pair, side=side, spec=values.spec(CORPUS, case="keep"))]

    def lexicon(self, pair: str, side: str, spec: str) -> list[str]:
        """The lexicon of a side, if its segmenter reads tags and there is one."""
        if not self.tags(pair, side, spec):
            return []
        entry = self.config.pairs[pair].side(side).lexicon
        return [self.file(entry)] if entry else []

    def language(self, pair: str, side: str) -> str:
        """The language of a side's tagger."""
        return self.config.pairs[pair].side(side).language or side

    def reference(self, pair: str, side: str) -> list[str]:
        """A side's morphological reference, if it has one."""
        entry = self.config.pairs[pair].side(side).morphemes
        return [self.file(entry.file)] if entry else []

    def reference_options(self, pair: str, side: str) -> list[str]:
        """A script's options for that reference."""
        entry = self.config.pairs[pair].side(side).morphemes
        if entry is None:
            return []
        return [f"--morphemes={self.file(entry.file)}", f"--format={entry.format}"]

    @cached_property
    def _lexical(self) -> dict[tuple[str, str, str], list[str]]:
        """The lexical segmentations of each side of a pair, with the other segmentations of the same size."""
        sides: dict[tuple[str, str], dict[Side, None]] = {}
        for cell in self.experiments:
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

    def lexical_files(self) -> list[str]:
        """The tables of all lexical segmentations."""
        return [
            path("lexical", pair=pair, side=side, spec=spec)
            for pair, side, spec in sorted(self._lexical)
        ]

    def beside(self, pair: str, side: str, spec: str) -> list[str]:
        """The segmentations of the same text and size that a lexical one is compared with."""
        return self._lexical[pair, side, spec]
