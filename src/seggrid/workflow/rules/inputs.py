"""The inputs and parameters of the rules, in an object for each stage."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from seggrid.grid.config import Source
from seggrid.grid.grid import Grid
from seggrid.grid.recipes import DEFAULT, read_recipe
from seggrid.workflow.rules.alignments import Alignments, Ensembles
from seggrid.workflow.rules.exports import Exports
from seggrid.workflow.rules.files import Files
from seggrid.workflow.rules.language_models import LanguageModels
from seggrid.workflow.rules.morphology import Morphology
from seggrid.workflow.rules.resources import Sizes
from seggrid.workflow.rules.sides import Sides


class Inputs:
    """A grid, with an object for the rules of each stage.

    Args:
        config: as for `seggrid.grid.grid.Grid`, with the same errors.

    Attributes:
        grid: its cells.
        config: its config.
    """

    def __init__(self, config: Source | Mapping[str, Any]) -> None:
        self.grid = grid = Grid(config)
        self.config = grid.config
        self.files = Files(grid)
        self.sides = Sides(grid, self.files)
        self.alignments = Alignments(grid, self.sides)
        self.morphology = Morphology(grid, self.sides)
        self.language_models = LanguageModels(grid, self.sides)
        self.ensembles = Ensembles(grid)
        self.exports = Exports(grid, self.sides, self.alignments, self.ensembles)
        self.sizes = Sizes(grid, self.files, self.morphology)

    def about(self) -> dict[str, Any]:
        """Facts about the run for the report: `title`, `seed`, and the `languages` of each pair's sides."""
        languages = {pair: self.config.pairs[pair].languages for pair in self.grid.pairs}
        return {
            "title": self.config.report.title,
            "seed": self.config.seed,
            "languages": languages,
        }

    def development(self) -> dict[str, int]:
        """By pair, how many of its first gold sentences are used to choose settings, and so are not
        scored."""
        golds = {pair: self.config.pairs[pair].gold for pair in self.grid.pairs}
        return {pair: gold.development for pair, gold in golds.items() if gold and gold.development}

    def default_cells(self) -> dict[str, str]:
        """By pair, the name of the cell with the default settings of the commands, if the grid has it. If
        several differ only in their number of replicates, the one with the most."""
        recipe = read_recipe(DEFAULT)
        defaults = {
            pair: recipe.cell(pair, types=self.files.types(pair)) for pair in self.grid.pairs
        }
        # Cells with more replicates come later.
        return {
            cell.pair: str(cell)
            for cell in self.grid.experiments
            if replace(cell, replicates=1) == defaults[cell.pair]
        }
