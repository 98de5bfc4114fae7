"""What aligners require of their texts."""

from __future__ import annotations

import numpy as np

from seggrid.data.segmentation import Segmentation
from seggrid.errors import InputError


def check_parallel(
    source: Segmentation, target: Segmentation, *, longest: int | None = None
) -> None:
    """Check that two sides can be aligned.

    Args:
        source, target: the two sides.
        longest: the most tokens that a sentence may have; None if there is no limit.

    Raises:
        InputError: the sides differ in length, there are no sentences, or one is empty or too long (its
            number is named).
    """
    if len(source) != len(target):
        raise InputError(
            f"{len(source)} source sentences against {len(target)} target sentences",
            hint="give two texts that are parallel line by line",
        )
    if len(source) == 0:
        raise InputError("no sentence pairs", hint="give at least one")
    for side, lengths in (("source", source.lengths), ("target", target.lengths)):
        empty = np.flatnonzero(lengths == 0)
        if len(empty):
            raise InputError(
                f"sentence {empty[0] + 1} of the {side} side is empty",
                hint="remove this sentence pair from both sides",
            )
        long = np.flatnonzero(lengths > (np.inf if longest is None else longest))
        if len(long):
            raise InputError(
                f"sentence {long[0] + 1} of the {side} side has {lengths[long[0]]} tokens; "
                f"the aligner takes at most {longest}",
                hint="leave this sentence pair out, or use the aligner gibbs",
            )
