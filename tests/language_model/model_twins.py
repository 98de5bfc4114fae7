"""What models are scored by, by definition: pseudo-log-likelihood, the credit of an item, first tokens."""

from fractions import Fraction

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


def credits(pll, counts, tie):
    found, first = [], 0
    for count in counts:
        own = [float(value) for value in pll[first : first + count]]
        first += count
        best = [place for place, value in enumerate(own) if value >= max(own) - tie]
        found.append(float(Fraction(1, len(best))) if 0 in best else 0.0)
    return found


def first_tokens(sentences):
    """For each word, the position of its first token among all tokens, or -1.

    Args:
        sentences: of each, its tokens as (first word, last word), and its number of words.
    """
    found, before = [], 0
    for tokens, words in sentences:
        for word in range(words):
            own = [at for at, (first, last) in enumerate(tokens) if first <= last and first == word]
            found.append(before + own[0] if own else -1)
        before += len(tokens)
    return found
