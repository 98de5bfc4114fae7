"""Pseudo-log-likelihood by its definition: one sentence, one mask at a time."""

import numpy as np

from seggrid.language_model.vocabulary import BEGIN, END, MASK


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
