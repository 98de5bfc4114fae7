"""How a language model answers a probe, in memory and in a file."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seggrid.base.npz import read_arrays, write_arrays


@dataclass(frozen=True)
class ProbeScores:
    """The items of one probe as one model answers them.

    Attributes:
        credits: of each item, see `seggrid.language_model.probes.credits`, shape (I,).
        candidates: of each item, shape (I,).
        unknown: tokens of each item that the vocabulary does not hold, shape (I,).
    """

    credits: NDArray[np.floating]
    candidates: NDArray[np.integer]
    unknown: NDArray[np.integer]

    @property
    def accuracy(self) -> float:
        """The mean credit of an item."""
        return float(self.credits.mean())

    @property
    def chance(self) -> float:
        """The accuracy to expect of random choices."""
        return float((1 / self.candidates).mean())


def write_probe_scores(path: str | Path, scores: ProbeScores) -> None:
    """Write the scores of a model and probe."""
    write_arrays(path, {field.name: getattr(scores, field.name) for field in fields(scores)})


def read_probe_scores(path: str | Path) -> ProbeScores:
    """Read what `write_probe_scores` wrote.

    Raises:
        InputError: the file is damaged.
    """
    arrays = read_arrays(path)
    credits = arrays.floats("credits", (None,))
    counts = [arrays.integers(name, credits.shape) for name in ("candidates", "unknown")]
    if not len(credits) or counts[0].min() < 1:
        raise arrays.damaged("no items, or items without candidates")
    return ProbeScores(credits, *counts)
