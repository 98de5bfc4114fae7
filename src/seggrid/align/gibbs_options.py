"""The options of gibbs, in a module of their own, so that the config can be checked without its kernels."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from seggrid.base.settings import Settings

LARGE = 100_000
"""A text with more sentence pairs is aligned in a way that takes less memory (`_ramp` and `_lean` of the
package); 100,000 generated pairs of 25 words take less than 1 GB the usual way."""

Concentration = Annotated[float, Field(ge=1e-6, le=1e6)]


class Options(Settings):
    """Options of gibbs; the defaults are those of eflomal, except for `lowercase`."""

    model: Annotated[int, Field(ge=1, le=3)] = 3
    """1: IBM 1; 2: also jumps, as in an HMM; 3: also fertilities."""

    samplers: Annotated[int, Field(ge=1, le=1000)] = 3
    """Independent samplers, whose distributions are averaged."""

    relative_iterations: Annotated[float, Field(gt=0, le=1000)] = 1.0
    """Factor on the number of sweeps in the last stage, which is 5,000 / √(sentence pairs)."""

    null_prior: Annotated[float, Field(ge=0, lt=1)] = 0.2
    """Prior probability of NULL."""

    lexical_prior: Concentration = 0.001
    """Concentration of the Dirichlet prior on translations."""

    jump_prior: Concentration = 0.5
    """Concentration of the Dirichlet prior on jumps."""

    fertility_prior: Concentration = 0.5
    """Concentration of the Dirichlet prior on fertilities."""

    lowercase: bool = False
    """Treat types that differ only in case as one."""
