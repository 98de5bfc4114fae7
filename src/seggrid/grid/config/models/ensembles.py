"""The config's ensembles of cells."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from pydantic import Field

from seggrid.base.settings import OneOrMore, Settings
from seggrid.grid.config.values import Rate

Votes = Annotated[int, Field(ge=0, le=1000, description="Votes of each cell of that experiment.")]


class Choice(Settings):
    """Learn weights and threshold from the gold by logistic regression, in cross-validation: those for each
    part of the gold sentences are learned on all other parts."""

    folds: Annotated[int, Field(ge=2, le=1000)] = 10
    """Number of parts that the gold sentences are divided into; at least as many sentences are needed."""

    penalty: Annotated[float, Field(ge=1e-6, le=1e6)] = 1.0
    """L2 penalty on the weights of the regression."""


class Ensemble(Settings):
    """A vote of the cells of some experiments, separately for each pair."""

    members: Annotated[OneOrMore[str], Field(min_length=1, max_length=1000)]
    """The experiments whose cells vote; a cell with replicates votes with its first replicate."""

    weights: dict[str, Votes] = Field({})
    """Votes per cell, by name of experiment; by default, one."""

    threshold: Annotated[Rate, Field(json_schema_extra={"default": 0.5})] = Fraction(1, 2)
    """Keep a link if it has more than this share of all votes, such as 0.5 or 1/3."""

    choose: Choice | None = None
