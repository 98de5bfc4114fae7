"""The file of the scores of a language model."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

from seggrid.data.npz import read_arrays, write_arrays
from seggrid.language_model.measures import SentenceScores


def write_scores(path: str | Path, scores: SentenceScores) -> None:
    """Write the scores of a model."""
    write_arrays(path, {field.name: getattr(scores, field.name) for field in fields(scores)})


def read_scores(path: str | Path) -> SentenceScores:
    """Read what `write_scores` wrote.

    Raises:
        InputError: the file is damaged.
    """
    arrays = read_arrays(path)
    pll = arrays.floats("pll", (None,))
    counts = [
        arrays.integers(name, pll.shape) for name in ("tokens", "characters", "words", "unknown")
    ]
    return SentenceScores(pll, *counts)
