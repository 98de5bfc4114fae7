"""What rules ask for ensembles: which cells vote, and how."""

from __future__ import annotations

import json

from seggrid.base.rational import spell_rational
from seggrid.grid.cell import Cell
from seggrid.grid.grid import Grid


class Ensembles:
    """The ensembles of a grid, each given by its name.

    Args:
        grid: the grid.
    """

    def __init__(self, grid: Grid) -> None:
        self._grid = grid

    def _member_cells(self, name: str, pair: str) -> list[Cell]:
        """The cells of a pair that are members of an ensemble, in the order of the tables."""
        members = {*self._grid.config.ensemble[name].members}
        cells = self._grid.experiments.items()
        return [cell for cell, names in cells if cell.pair == pair and members & {*names}]

    def voting_pairs(self, name: str) -> list[str]:
        """The pairs of which several cells are members."""
        return [pair for pair in self._grid.pairs if len(self._member_cells(name, pair)) > 1]

    def score_files(self, name: str, pair: str) -> list[str]:
        """The score files of the members."""
        return list(dict.fromkeys(cell.path("score") for cell in self._member_cells(name, pair)))

    def members(self, name: str, pair: str) -> str:
        """The members as JSON: name, score file, aggregate, and votes. A cell of several experiments has the
        largest of their numbers of votes."""
        entry = self._grid.config.ensemble[name]

        def votes(cell: Cell) -> int:
            names = self._grid.experiments[cell]
            return max(entry.weights.get(m, 1) for m in names if m in entry.members)

        cells = self._member_cells(name, pair)
        return json.dumps([[str(c), c.path("score"), c.aggregate, votes(c)] for c in cells])

    def options(self, name: str) -> list[str]:
        """The script's options for weights and threshold."""
        entry = self._grid.config.ensemble[name]
        choice = entry.choose
        if choice is None:
            return [f"--threshold={spell_rational(entry.threshold)}"]
        return ["--choose", f"--folds={choice.folds}", f"--penalty={choice.penalty}"]

    def seed(self, name: str) -> int:
        """The config's seed; 0 if there is no cross-validation."""
        return 0 if self._grid.config.ensemble[name].choose is None else self._grid.config.seed
