"""The options of fast_align."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from seggrid.align.fast_align._model import MAX_TENSION, MIN_TENSION
from seggrid.base.settings import Settings


class Options(Settings):
    """Options of our fast_align; the defaults are those of the authors' program."""

    iterations: Annotated[int, Field(ge=1, le=1000)] = 5
    """Passes over the corpus; the last one only decodes (`-I` of the program)."""

    p0: Annotated[float, Field(ge=0, lt=1)] = 0.08
    """Prior probability of NULL (`-q`)."""

    alpha: Annotated[float, Field(gt=0, le=1e6)] = 0.01
    """Concentration of the Dirichlet prior of variational Bayes (`-a`)."""

    tension: Annotated[float, Field(ge=MIN_TENSION, le=MAX_TENSION)] = 4.0
    """How strongly the prior favors the diagonal, at the start (`-T`)."""

    fixed_tension: bool = False
    """Do not optimize the tension (leaves out `-o`)."""

    no_null: bool = False
    """No NULL word: every token is linked; `p0` is not used (`-N`)."""

    em: bool = False
    """Maximum likelihood in place of variational Bayes; `alpha` is not used (leaves out `-v`)."""
