"""What models are scored by, by definition: pseudo-log-likelihood, and the credit of an item."""

from fractions import Fraction

import numpy as np

from seggrid.studies.language_model.vocabulary import BEGIN, END, MASK


def pll(predict, tokens):
    """Σ_t ln P(w_t | W without w_t) of one sentence of ids."""
    total = 0.0
    for position, token in enumerate(tokens):
        masked = [BEGIN, *tokens, END]
        masked[position + 1] = MASK
        (value,) = predict(
            np.array([masked], dtype=np.int32), np.array([position + 1]), np.array([token])
        )
        total += float(value)
    return total


def credits(pll, counts, tie):
    found, first = [], 0
    for count in counts:
        own = [float(value) for value in pll[first : first + count]]
        first += count
        best = [place for place, value in enumerate(own) if value >= max(own) - tie]
        found.append(float(Fraction(1, len(best))) if 0 in best else 0.0)
    return found
