"""Measures of a language model from its pseudo-log-likelihoods, with bootstrap intervals.

PPPL = exp(−Σ PLL / N) over N tokens (Salazar et al. 2020) cannot be compared between vocabularies: a model
with longer tokens has fewer tokens to predict, which are harder. Bits per character and bits per word can be
compared: they divide the same sum by a number that is equal for all models of a text (as Mielke et al. 2019,
"What kind of language is hard to language-model?", section 2, do for ordinary likelihoods).
"""

from __future__ import annotations

from math import log

import numpy as np
from numpy.typing import NDArray

from seggrid.language_model.sentence_scores import SentenceScores
from seggrid.score.significance import bootstrap_weights

MEASURES = ("pppl", "bits_per_character", "bits_per_word")


def measure(
    scores: SentenceScores, weights: NDArray[np.floating] | None = None
) -> NDArray[np.float64]:
    """The `MEASURES` of a model, shape (3,); with weights, those of each resample, shape (B, 3).

    Args:
        scores: scores of the test sentences.
        weights: number of times that each sentence is drawn in each resample, shape (B, S).
    """
    drawn = np.ones((1, len(scores.pll))) if weights is None else weights.astype(np.float64)
    loss = -(drawn @ scores.pll.astype(np.float64))
    tokens, characters, words = (
        drawn @ counts.astype(np.float64)
        for counts in (scores.tokens, scores.characters, scores.words)
    )
    values = np.stack(
        [np.exp(loss / tokens), loss / (characters * log(2)), loss / (words * log(2))], axis=-1
    )
    return values if weights is not None else values[0]


def interval(
    scores: SentenceScores, rounds: int, seed: int, level: float = 0.95
) -> NDArray[np.float64]:
    """Percentile bootstrap intervals of the measures over sentences, lower and upper ends, shape (3, 2).

    With the same seed, models with the same number of test sentences have the same resamples.
    """
    weights = bootstrap_weights(len(scores.pll), rounds, seed)
    return _ends(measure(scores, weights), level)


def difference(
    scores: SentenceScores, other: SentenceScores, rounds: int, seed: int, level: float = 0.95
) -> NDArray[np.float64]:
    """Measures of a model minus those of another, with the ends of their intervals, shape (3, 3).

    Both models have the same resamples (paired bootstrap). PPPL is compared as a ratio, since it is an
    exponential; 1 means no difference.

    Raises:
        ValueError: the models have different test sentences.
    """
    if not scores.same_text(other):
        raise ValueError("not the same test sentences")
    weights = bootstrap_weights(len(scores.pll), rounds, seed)
    whole = _change(measure(scores), measure(other))
    ends = _ends(_change(measure(scores, weights), measure(other, weights)), level)
    return np.column_stack([whole, ends])


def verdict(low: float, high: float) -> str:
    """The verdict on an interval of a difference, for a measure whose lower values are better.

    >>> verdict(0.1, 0.2), verdict(-0.1, 0.2), verdict(-0.2, -0.1)
    ('worse', 'not shown', 'better')
    """
    return "worse" if low > 0 else "better" if high < 0 else "not shown"


def _change(ours: NDArray[np.float64], theirs: NDArray[np.float64]) -> NDArray[np.float64]:
    change = ours - theirs
    change[..., 0] = ours[..., 0] / theirs[..., 0]
    return change


def _ends(values: NDArray[np.float64], level: float) -> NDArray[np.float64]:
    return np.quantile(values, [(1 - level) / 2, (1 + level) / 2], axis=0).T
