"""The options of gibbs."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from seggrid.base.settings import Settings

Concentration = Annotated[float, Field(ge=1e-6, le=1e6)]


LITTLE = 5_000
"""The most sentence pairs of a text for which there are eight samplers: the four that share jumps and
fertilities are not independent, and independence gains more there than sweeps do."""


class Options(Settings):
    """Options of gibbs; eflomal has a `lexical_prior` of 0.001, and no `spelling_prior`."""

    model: Annotated[int, Field(ge=1, le=3)] = 3
    """1: IBM 1; 2: also jumps, as in an HMM; 3: also fertilities."""

    samplers: Annotated[int, Field(ge=1, le=1000)] | None = None
    """Samplers whose distributions are averaged. They run in fours, which share jumps and fertilities.
    Without a number: 8, with three quarters of the sweeps, for up to 5,000 sentence pairs without priors;
    otherwise 4."""

    relative_iterations: Annotated[float, Field(gt=0, le=1000)] = 1.0
    """Factor on the number of sweeps in the last stage, which is 3,000 / √(sentence pairs);
    above 20,000 pairs it falls faster, as 424,000 / (sentence pairs)."""

    null_prior: Annotated[float, Field(ge=0, lt=1)] = 0.2
    """Prior probability of NULL."""

    lexical_prior: Concentration | None = None
    """Concentration of the Dirichlet prior on translations. Without a number: 0.4 T / V², at most 0.001, for
    T tokens and V types of the generated side."""

    spelling_prior: Annotated[int, Field(ge=0, le=1000)] = 1
    """How many links each pair of words that are spelled alike counts before the first; for texts that are
    aligned as words, without a model or priors."""

    jump_prior: Concentration = 0.5
    """Concentration of the Dirichlet prior on jumps."""

    fertility_prior: Concentration = 0.5
    """Concentration of the Dirichlet prior on fertilities."""

    lowercase: bool = False
    """Treat types that differ only in case as one."""
