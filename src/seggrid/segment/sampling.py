"""Names of ways to sample from a unigram language model (subword regularization, Kudo 2018, section 3.3).

`alpha-0.1`: a segmentation x of a word is drawn with a probability proportional to P(x)^0.1, from all
segmentations; `alpha-0.1-best-64`: from the 64 most probable ones.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from seggrid.base.rational import read_rational, spell_rational
from seggrid.errors import InputError

NONE = "none"
MOST = 1000
"""The largest number of best segmentations to draw from."""
_NAME = re.compile(r"alpha-([0-9./]+)(?:-best-([0-9]{1,6}))?")


@dataclass(frozen=True)
class Sampling:
    """A way to draw segmentations.

    Attributes:
        alpha: the exponent of the probabilities; for a BPE, the rate of dropout.
        best: number of best segmentations to draw from; None for all.
    """

    alpha: float
    best: int | None = None


def parse_sampling(name: str | None) -> Sampling | None:
    """Parse a name; None for `none`.

    >>> parse_sampling("alpha-0.5-best-8"), parse_sampling("none")
    (Sampling(alpha=0.5, best=8), None)
    """
    if name is None or name == NONE:
        return None
    alpha, best = _parts(name)
    return Sampling(float(alpha), best)


def canonical_sampling(name: str) -> str:
    """The canonical spelling of a name, so that equal settings have equal paths.

    >>> canonical_sampling("alpha-0.50-best-08")
    'alpha-0.5-best-8'
    """
    if name == NONE:
        return name
    alpha, best = _parts(name)
    return f"alpha-{spell_rational(alpha)}" + (f"-best-{best}" if best else "")


def _parts(name: str) -> tuple[Fraction, int | None]:
    match = _NAME.fullmatch(str(name))
    alpha = None
    if match:
        try:
            alpha = read_rational(match[1])
        except InputError:
            alpha = None
    best = int(match[2]) if match and match[2] else None
    if alpha is None or not 0 < alpha <= 100 or (best is not None and not 2 <= best <= MOST):
        raise InputError(
            f"{name!r} is not a way to sample",
            hint=f"none, alpha-0.1, or alpha-0.1-best-64: α above 0 to 100, 2 to {MOST} best ones",
        )
    return alpha, best
