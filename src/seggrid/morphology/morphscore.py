"""How well tokens agree with morphemes (MorphScore, and a measure of MorphBPE), and how well two tokenizers
agree with each other."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from seggrid.morphology.cuts import Cuts
from seggrid.morphology.knockout import best_analyses
from seggrid.morphology.references import Reference


def against_morphemes(
    predicted: Cuts, reference: Reference, known: NDArray[np.bool_]
) -> dict[str, float]:
    """The measures of this module, over the entries of a reference; MorphScore over those that are `known`,
    bool, shape (E,), since an unknown token would count as a word that is left whole.

    If an entry has several analyses, all measures use the one whose cuts have the highest F1.
    """
    rows = best_analyses(predicted, reference.morphemes, reference)
    gold = reference.morphemes.take(rows)
    tokens, morphemes = predicted.pieces(reference.words), gold.pieces(reference.words)
    edits = [edit_distance(*both) for both in zip(tokens, morphemes, strict=True)]
    scores = morphscore(*(cuts.take(np.flatnonzero(known)) for cuts in (predicted, gold)))
    return {
        "morphscore_precision": scores[0],
        "morphscore_recall": scores[1],
        "morpheme_edits": float(np.mean(edits)),
    }


def morphscore(predicted: Cuts, gold: Cuts) -> tuple[float, float]:
    """Precision and recall of MorphScore, as its second version computes them by default, without weights
    (Arnett et al. 2025, "Evaluating morphological alignment of tokenizers in 70 languages").

    These are means over the words with two or more morphemes. Recall is the share of the cuts between
    morphemes that are found. Precision is the number of found cuts divided by the number of the word's
    tokens, so it is below 1 even for a word that is cut exactly between its morphemes. A word that is left
    whole has 1 for both.
    """
    shared = predicted.shared(gold)
    whole = predicted.counts == 0
    precision = np.where(whole, 1.0, shared / (predicted.counts + 1))
    recall = np.where(whole, 1.0, shared / np.maximum(gold.counts, 1))
    several = gold.counts > 0
    found, correct = (share[several] for share in (recall, precision))
    return _ratio(float(correct.sum()), len(found)), _ratio(float(found.sum()), len(found))


def edit_distance(tokens: Sequence[str], morphemes: Sequence[str]) -> int:
    """The fewest insertions, deletions and replacements that turn the tokens of a word into its morphemes
    (μ_e of Asgari et al. 2025, "MorphBPE").

    >>> edit_distance(["hors", "es", "hoe"], ["horse", "shoe"])
    3
    """
    row = list(range(len(morphemes) + 1))
    for i, token in enumerate(tokens, 1):
        before, row = row, [i]
        for j, morpheme in enumerate(morphemes, 1):
            row.append(min(before[j] + 1, row[-1] + 1, before[j - 1] + (token != morpheme)))
    return row[-1]


def agreement(one: Cuts, other: Cuts, weights: NDArray[np.int64]) -> tuple[float, float]:
    """How much two tokenizers agree in how they cut the same E words: the share of words, weighted by
    occurrences, that both cut in the same way; and the Jaccard index of cuts, those that both make divided by
    those that either makes; nan if there are none."""
    shared = one.shared(other)
    either = one.counts + other.counts - shared
    alike = int(weights[shared == either].sum())
    return (
        _ratio(alike, int(weights.sum())),
        _ratio(int((shared * weights).sum()), int((either * weights).sum())),
    )


def _ratio(numerator: float, denominator: float) -> float:
    return numerator / denominator if denominator else math.nan
