"""The registry of word aligners, and their axes.

To add an aligner, write a class derived from `Aligner` in a module and register it here. No other
module names aligners.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from seggrid.align.aligner import Aligner as Aligner
from seggrid.align.aligner import Probabilities
from seggrid.base.axis import Axis, read_part, spell_part
from seggrid.base.registry import Registry

ALIGNERS: Registry[Aligner] = Registry(
    {
        "fast_align": "seggrid.align.fast_align:FastAlign",
        "gibbs": "seggrid.align.gibbs:Gibbs",
        "eflomal": "seggrid.align.eflomal:Eflomal",
        "embeddings": "seggrid.align.embeddings:Embeddings",
    }
)

ENCODING = "embeddings"
"""The one aligner that reads the vectors of an encoder in place of segmentations."""

AXES: dict[str, Axis[Any]] = {
    name: axis for entry in ALIGNERS.values() for name, axis in entry.axes().items()
}
"""The axes of cells that only some aligners read, by name, in the order of paths; plug-ins add to these."""


def register_aligner(name: str, entry: type[Aligner]) -> None:
    """Add an aligner and its axes, or put it in the place of that of the same name."""
    for axis in ALIGNERS[name].axes() if name in ALIGNERS else ():
        del AXES[axis]
    ALIGNERS[name] = entry
    AXES.update(entry.axes())


SYMMETRIZATIONS = ("intersect", "union", "grow-diag", "grow-diag-final", "grow-diag-final-and")
"""The heuristics of `seggrid.align.symmetrize`, by name."""


def gives_probabilities(aligner: str) -> bool:
    """Whether an aligner gives probabilities of links."""
    return issubclass(ALIGNERS[aligner], Probabilities)


def without_posteriors(aligner: str) -> tuple[str, str]:
    """Message and hint for the error that an aligner gives no probabilities."""
    others = filter(gives_probabilities, ALIGNERS)
    return (
        f"{aligner} gives no probabilities of links",
        f"use the aligner {' or '.join(others)}, or an aggregate that counts votes, such as 0.5",
    )


def spell_alignment(aligner: str, values: Mapping[str, Any]) -> str:
    """An aligner and the values of the axes that it reads, as one part of a path."""
    return "+".join([aligner, *spell_part(AXES, values)])


def read_alignment(text: str) -> tuple[str, dict[str, Any]]:
    """The aligner's name and the values of the axes that it reads, from a part of a path (`spell_alignment`).

    >>> name, axes = read_alignment("embeddings+layer=7")
    >>> name, axes["layer"], axes["null_threshold"]
    ('embeddings', 7, Fraction(1, 1))
    """
    name, *rest = text.split("+")
    axes = ALIGNERS[name].axes()
    given = read_part(axes, rest)
    return name, {axis: given.get(axis, axes[axis].neutral) for axis in axes}
