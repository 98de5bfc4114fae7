"""Inputs of the rules beside this file."""

from __future__ import annotations

from functools import cached_property

from seggrid.grid.grid import Segmented
from seggrid.grid.rules.inputs import Inputs, Wildcards
from seggrid.studies.lexical.study import peers


class LexicalInputs(Inputs):
    """What the rules of lexical segmentations ask."""

    @cached_property
    def peers(self) -> dict[Segmented, list[Segmented]]:
        """Each lexical segmentation with those that it is compared with."""
        return peers(self.grid)

    def models(self, wc: Wildcards) -> list[str | None]:
        """The models of the others."""
        return [other.model for other in self.peers[self.side(wc)]]

    def others(self, wc: Wildcards) -> list[str]:
        """The others, as in paths."""
        return [str(other.spec) for other in self.peers[self.side(wc)]]

    @property
    def tables(self) -> list[str]:
        """The table of each lexical segmentation."""
        return [own.path("lexical") for own in self.peers]
