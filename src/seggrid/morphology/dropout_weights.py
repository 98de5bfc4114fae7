"""Which merges dropout takes more often: the axis `dropout_weight`.

The thesis (chapter 7) drops merges alike, and asks whether a more intelligent sampling would do better.
A weight says how readily a merge is dropped beside the others; `seggrid.segment.bpe.apply.weighted_rates`
makes rates of them, so that as many applications are dropped as with uniform dropout.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from seggrid.errors import InputError
from seggrid.morphology.knockout import blame_merges
from seggrid.morphology.references import Reference
from seggrid.segment.bpe.apply import count_applications
from seggrid.segment.bpe.model import BPEModel


def dropout_weights(
    model: BPEModel,
    by: str,
    sentences: Sequence[Sequence[str]],
    reference: Reference | None = None,
) -> tuple[float, ...]:
    """The weight of each of the model's M merges, above 0.

    Args:
        model: its merges.
        by: `rank`: the merge's place, counted from 1, so late merges go first; `frequency`: how often
            it is applied in the text, so early ones do; `blame`: the share of its applications to the
            reference's words that deletes a morpheme boundary, a merge having one more application
            with the share of all merges together, so that rare ones are not judged by a word or two.
        sentences: the text, for `frequency`.
        reference: the words, for `blame`.

    Raises:
        InputError: no such weight, or no reference where one is needed.
    """
    if by == "rank":
        return tuple(map(float, range(1, len(model.merges) + 1)))
    if by == "frequency":
        return tuple(np.maximum(count_applications(model, sentences), 1).astype(float).tolist())
    if by != "blame":
        raise InputError(f"unknown weights {by!r}", hint="rank, frequency or blame")
    if reference is None:
        raise InputError("blame as the weight of merges needs a morphological reference")
    found = blame_merges(model, reference, reference.weights(None))
    share = max(found.blamed.sum(), 1) / max(found.applied.sum(), 1)
    return tuple(((found.blamed + share) / (found.applied + 1)).tolist())
