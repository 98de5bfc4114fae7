"""Inputs and parameters of the rules beside this file."""

from __future__ import annotations

import json

from seggrid.base.rational import spell_rational
from seggrid.grid.cell import Cell
from seggrid.grid.rules.inputs import Inputs, Wildcards, options
from seggrid.studies.votes.study import Votes, members, voting_pairs


class VoteInputs(Inputs):
    """What the rules of votes ask."""

    def scores(self, wc: Wildcards) -> list[str]:
        """The score files of the members."""
        cells = members(self.grid, wc.ensemble, wc.pair)
        return list(dict.fromkeys(cell.path("score") for cell in cells))

    def members(self, wc: Wildcards) -> str:
        """Name, score file, aggregate and number of votes of each member; a cell in several experiments has
        the largest of their numbers."""
        entry = Votes.given(self.config)[wc.ensemble]

        def votes(cell: Cell) -> int:
            own = {*self.grid.experiments[cell]} & {*entry.members}
            return max(int(entry.weights.get(experiment, 1)) for experiment in own)

        cells = members(self.grid, wc.ensemble, wc.pair)
        return json.dumps([[str(c), c.path("score"), c.aggregate, votes(c)] for c in cells])

    def settings(self, wc: Wildcards) -> list[str]:
        """How weights and threshold are found."""
        entry = Votes.given(self.config)[wc.ensemble]
        if entry.choose is None:
            return options({"threshold": spell_rational(entry.threshold), "seed": 0})
        return options({**dict(entry.choose), "seed": self.config.seed})

    def voted(self, ending: str) -> list[str]:
        """A file of each vote of each pair."""
        return [
            self.table(f"ensemble/{ensemble}/{pair}.{ending}")
            for ensemble in Votes.given(self.config)
            for pair in voting_pairs(self.grid, ensemble)
        ]
