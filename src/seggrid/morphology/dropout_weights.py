"""Weights of merges in dropout: the axis `dropout_weight`.

The thesis drops all merges at the same rate, and asks (chapter 7) whether a more intelligent sampling would
do better. Rates of dropout are proportional to the weights; `seggrid.segment.bpe.apply.weighted_rates`
scales them so that the expected number of dropped applications is that of uniform dropout.
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
        model: the merges.
        by: `rank`: the rank of the merge, counted from 1, so that late merges are dropped more often;
            `frequency`: the number of its applications in the text, so that early ones are; `blame`: the
            share of its applications to the reference's words that delete a morpheme boundary. For `blame`,
            each merge gets one more application with the mean share of all merges, so that the weight of a
            rare merge does not depend on one or two words alone.
        sentences: the text, for `frequency`.
        reference: the words, for `blame`.

    Raises:
        InputError: the weight is unknown, or a reference is needed and not given.
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
