"""Inputs of the rules beside this file."""

from __future__ import annotations

from typing import Any

from seggrid.grid.rules.inputs import Inputs, Wildcards
from seggrid.studies.published.study import Published


class PublishedInputs(Inputs):
    """What the rule `compare` asks."""

    def tables(self, wc: Wildcards) -> Any:
        """The tables of published figures."""
        return self.outside_all(Published.given(self.config))
