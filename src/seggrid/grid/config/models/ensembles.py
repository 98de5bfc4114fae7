"""The config's ensembles of cells."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from seggrid.data.settings import OneOrMore, Settings
from seggrid.grid.config.values import Rate

Votes = Annotated[int, Field(ge=0, le=1000, description="Votes of each cell of that experiment.")]


class Choice(Settings):
    """How weights and threshold are chosen, on the gold, by logistic regression: for each part of the
    sentences on all others, so that no sentence helps to decide itself."""

    folds: Annotated[int, Field(ge=2, le=1000)] = 10
    """Parts that the gold sentences are dealt into."""

    penalty: Annotated[float, Field(ge=1e-6, le=1e6)] = 1.0
    """On the squares of the weights."""


class Ensemble(Settings):
    """A vote of the cells of some experiments, for each pair by itself."""

    members: Annotated[OneOrMore[str], Field(min_length=1, max_length=1000)]
    """The experiments whose cells vote; of one with replicates, the first replicate."""

    weights: dict[str, Votes] = Field({})
    """How many votes each cell of an experiment has, by its name; by default, one."""

    threshold: Rate = 0.5
    """A link is kept that more than this share of all votes is for, such as 0.5 or 1/3."""

    choose: Choice | None = None
