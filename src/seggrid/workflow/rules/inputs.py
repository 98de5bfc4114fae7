"""What the rules ask: which files are made, and from what, by an object for each stage."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from seggrid.data.sides import SIDES
from seggrid.grid.config import Source
from seggrid.grid.grid import Grid
from seggrid.workflow.rules.alignments import Alignments
from seggrid.workflow.rules.ensembles import Ensembles
from seggrid.workflow.rules.exports import Exports
from seggrid.workflow.rules.files import Files
from seggrid.workflow.rules.language_models import LanguageModels
from seggrid.workflow.rules.lexical import Lexical
from seggrid.workflow.rules.morphology import Morphology
from seggrid.workflow.rules.resources import Sizes
from seggrid.workflow.rules.sides import Sides


class Inputs(Grid):
    """A grid, with what the rules of each stage ask of it.

    Arguments and errors as in `seggrid.grid.grid.Grid`.
    """

    def __init__(self, config: Source | Mapping[str, Any]) -> None:
        super().__init__(config)
        self.files = Files(self)
        self.sides = Sides(self, self.files)
        self.alignments = Alignments(self, self.sides)
        self.exports = Exports(self, self.sides, self.alignments)
        self.morphology = Morphology(self, self.sides)
        self.language_models = LanguageModels(self, self.sides)
        self.lexical = Lexical(self, self.files)
        self.ensembles = Ensembles(self)
        self.sizes = Sizes(self, self.files, self.morphology)

    def about(self) -> dict[str, Any]:
        """Facts about the run for the report: `title`, `seed`, and the `languages` of each pair's sides."""
        languages = {
            pair: {side: self.config.pairs[pair].side(side).language or side for side in SIDES}
            for pair in self.pairs
        }
        return {
            "title": self.config.report.title,
            "seed": self.config.seed,
            "languages": languages,
        }
