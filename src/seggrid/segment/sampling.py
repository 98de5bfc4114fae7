"""How a unigram language model is sampled from (subword regularization, Kudo 2018, section 3.3).

`alpha-0.1`: a segmentation x is drawn with a probability in proportion to P(x)^0.1, of all that there
are; `alpha-0.1-best-64`: of the 64 best alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from seggrid.data.rational import read_rational, spell_rational
from seggrid.errors import InputError

NONE = "none"
MOST = 1000
"""Best segmentations at most."""
_NAME = re.compile(r"alpha-([0-9./]+)(?:-best-([0-9]{1,6}))?")


@dataclass(frozen=True)
class Sampling:
    """A way to draw segmentations.

    Attributes:
        alpha: the exponent of their probabilities; of a BPE, the rate of dropout.
        best: how many of the best are drawn from; None for all.
    """

    alpha: float
    best: int | None = None


def parse_sampling(name: str | None) -> Sampling | None:
    """What a name stands for; None where there is no sampling.

    Raises:
        InputError: it is no such name.

    >>> parse_sampling("alpha-0.5-best-8"), parse_sampling("none")
    (Sampling(alpha=0.5, best=8), None)
    """
    if name in (None, NONE):
        return None
    alpha, best = _parts(str(name))
    return Sampling(float(alpha), best)


def canonical_sampling(name: str) -> str:
    """The one spelling of a name.

    Raises:
        InputError: it is none.

    >>> canonical_sampling("alpha-0.50-best-08")
    'alpha-0.5-best-8'
    """
    if name == NONE:
        return name
    alpha, best = _parts(name)
    return f"alpha-{spell_rational(alpha)}" + (f"-best-{best}" if best else "")


def _parts(name: str) -> tuple[Fraction, int | None]:
    match = _NAME.fullmatch(name)
    alpha = None
    if match:
        try:
            alpha = read_rational(match[1])
        except InputError:
            alpha = None
    best = int(match[2]) if match and match[2] else None
    if alpha is None or not 0 < alpha <= 100 or (best is not None and not 2 <= best <= MOST):
        raise InputError(
            f"{name!r} is no way to sample",
            hint=f"none, alpha-0.1, or alpha-0.1-best-64: α above 0 to 100, 2 to {MOST} best ones",
        )
    return alpha, best
