"""A trained model of fast_align."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np

from seggrid.base.arrays import (
    Float64,
    Int32,
    Int64,
    pack_strings,
    read_arrays,
    unpack_strings,
    write_arrays,
)
from seggrid.base.errors import InputError
from seggrid.text.segmentation import Segmentation

# The tension stays within these bounds during gradient ascent, as in the authors' program.
MIN_TENSION, MAX_TENSION = 0.1, 14.0

# t(f | e) of a pair that was never seen together in training, as in the authors' program.
UNSEEN = 1e-9
_HINT = "train and save it anew"


class Direction(NamedTuple):
    """What a trained direction has besides its table: the tension, and the number of generated tokens per
    conditioning token, averaged over the training pairs."""

    tension: float
    length_ratio: float


@dataclass(frozen=True)
class Model:
    """A trained model of both directions, over C cells.

    A cell is a pair of a source and a target type that occur together in training; cells are sorted.

    Attributes:
        source_types: the source types, of which there are V.
        target_types: the target types, of which there are W.
        row: first cell of each source type, shape (V + 1,).
        column: target type of each cell, shape (C,).
        probability: t(target | source) and t(source | target) of each cell, shape (C, 2).
        source_null: t(source | NULL) of each source type, shape (V,).
        target_null: t(target | NULL) of each target type, shape (W,).
        p0: probability of NULL.
        directions: the forward direction, which generates the target, and the reverse one.
    """

    source_types: list[str]
    target_types: list[str]
    row: Int64
    column: Int32
    probability: Float64
    source_null: Float64
    target_null: Float64
    p0: float
    directions: tuple[Direction, Direction]

    def save(self, path: str | Path) -> None:
        """Write the model as `.npz`, atomically."""
        arrays = {
            "source_types": pack_strings(self.source_types),
            "target_types": pack_strings(self.target_types),
            "p0": np.array(self.p0),
            "directions": np.array(self.directions),
        }
        names = "row", "column", "probability", "source_null", "target_null"
        write_arrays(path, arrays | {name: getattr(self, name) for name in names})

    @classmethod
    def load(cls, path: str | Path) -> Model:
        """Read back what `save` wrote."""
        try:
            arrays = read_arrays(path)
        except FileNotFoundError:
            raise InputError("no such file", file=path, hint="check the path") from None
        except InputError as error:
            raise InputError(f"not a saved model: {error.message}", file=path, hint=_HINT) from None
        (tension, ratio), (back, other_ratio) = arrays["directions"].tolist()
        return cls(
            unpack_strings(arrays, "source_types"),
            unpack_strings(arrays, "target_types"),
            arrays["row"].astype(np.int64),
            arrays["column"].astype(np.int32),
            arrays["probability"].astype(np.float64),
            arrays["source_null"].astype(np.float64),
            arrays["target_null"].astype(np.float64),
            float(arrays["p0"]),
            (Direction(tension, ratio), Direction(back, other_ratio)),
        )

    @cached_property
    def _numbers(self) -> tuple[dict[str, int], dict[str, int]]:
        """The number of each type, kept because a model may align many texts of a single sentence."""
        source, target = (
            {word: k for k, word in enumerate(types)}
            for types in (self.source_types, self.target_types)
        )
        return source, target

    def numbers_of(self, source: Segmentation, target: Segmentation) -> tuple[Int64, Int64]:
        """The number in this model of each type of another corpus, or -1, int64, shapes (types,)."""
        known_source, known_target = self._numbers
        return (
            np.array([known_source.get(word, -1) for word in source.types], dtype=np.int64),
            np.array([known_target.get(word, -1) for word in target.types], dtype=np.int64),
        )


def null_of(null: Float64, number: Int64) -> Float64:
    """t(f | NULL) of the types with these numbers in the model; 0 for -1, an unknown type."""
    probability = np.append(null, 0.0)[number]  # -1 is the 0 at the end
    return np.where(probability > 0, probability, UNSEEN)
