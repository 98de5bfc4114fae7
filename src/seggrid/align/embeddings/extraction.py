"""Links from the similarities of two sentences' vectors (Jalili Sabet et al. 2020, "SimAlign").

A matrix of similarities holds one number for each source piece i and target piece j, shape (n, m); a set of
links is a matrix of flags of the same shape. Nothing is learned: each sentence pair is aligned by itself.
Ties go to the smallest index.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from seggrid.align.embeddings.options import BY_LENGTH, DEVIATION, EXTRACTIONS
from seggrid.base.extras import check_installed

Flags = NDArray[np.bool_]
Matrix = NDArray[np.floating]


def similarities(source: Matrix, target: Matrix) -> Matrix:
    """Cosine similarities from 0 to 1, (1 + cos) / 2, shape (n, m), of the rows of two matrices; a zero
    vector has similarity 0.5 to all others."""
    return (normalize(source) @ normalize(target).T + 1) / 2


def normalize(vectors: Matrix) -> Matrix:
    """The same vectors, each of length 1; a vector of zeros stays one.

    >>> normalize(np.array([[3.0, 4.0], [0.0, 0.0]])).tolist()
    [[0.6, 0.8], [0.0, 0.0]]
    """
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))[:, None]
    return vectors / np.where(lengths > 0, lengths, 1)


def argmax(similarity: Matrix) -> Flags:
    """Link pieces that are mutually the most similar (section 2.2 of the paper).

    >>> argmax(np.array([[0.9, 0.8], [0.7, 0.6]])).astype(int).tolist()
    [[1, 0], [0, 0]]
    """
    n, m = similarity.shape
    linked = np.zeros((n, m), dtype=np.bool_)
    if n and m:
        best = similarity.argmax(axis=1)
        mutual = similarity.argmax(axis=0)[best] == np.arange(n)
        linked[mutual, best[mutual]] = True
    return linked


def diagonal_prior(n: int, m: int, diagonal: str) -> Matrix:
    """The logarithm of the prior probability of each link, up to a constant, shape (n, m): that of a Gaussian
    of the distance from the diagonal, in pieces of the longer side.

    Args:
        diagonal: the standard deviation in such pieces, or `BY_LENGTH`, see `DEVIATION`.

    >>> diagonal_prior(2, 2, "1").tolist()
    [[-0.0, -0.5], [-0.5, -0.0]]
    """
    longer = max(n, m)
    deviation = DEVIATION * longer**0.5 if diagonal == BY_LENGTH else float(diagonal)
    places = ((np.arange(length, dtype=np.float32) + 0.5) / max(length, 1) for length in (n, m))
    distance = longer * np.subtract.outer(*places)
    prior: Matrix = -((distance / np.float32(deviation)) ** 2) / 2
    return prior


DISCOUNT = 0.9
"""Factor of the second round of `itermax` for pairs of which one piece is linked."""


def itermax(similarity: Matrix) -> Flags:
    """Iterated argmax, as SimAlign computes it: two rounds.

    After the first one, the similarity of pairs with one linked piece is discounted, and that of pairs
    with two is 0. There is only one round if it links all pieces of a side or a side has at most two.
    """
    linked = argmax(similarity)
    rows: NDArray[np.bool_] = np.any(linked, axis=1)
    columns: NDArray[np.bool_] = np.any(linked, axis=0)
    if min(similarity.shape) <= 2 or rows.all() or columns.all():
        return linked
    both = rows[:, None] & columns
    either = rows[:, None] ^ columns
    left = similarity * np.where(both, 0.0, np.where(either, DISCOUNT, 1.0))
    return linked | (argmax(left) & ~both)


def match_pieces(similarity: Matrix) -> Flags:
    """One-to-one links that maximize the sum of similarities, as many as the shorter side has pieces.

    This is the assignment problem; SimAlign solves it as a maximum-weight matching of a bipartite graph.
    """
    check_installed("grid", "scipy", user="match", instead="pip install scipy")
    from scipy.optimize import linear_sum_assignment

    linked = np.zeros(similarity.shape, dtype=np.bool_)
    linked[linear_sum_assignment(similarity, maximize=True)] = True
    return linked


_METHODS: dict[str, Callable[[Matrix], Flags]] = dict(
    zip(EXTRACTIONS, (argmax, itermax, match_pieces), strict=True)
)


def entropies(similarity: Matrix, linked: Flags) -> NDArray[np.float64]:
    """The normalized entropy of each link, from 0 to 1, in the order of `np.argwhere(linked)`.

    The similarities of a row or column, divided by their sum, are a distribution; its entropy is
    divided by that of the uniform distribution. A link gets the smaller value of its row and its column
    (section 2.3 of the paper, "Null").
    """
    # With a prior, similarities far from the diagonal may be below 0.
    exact = similarity.astype(np.float64).clip(min=0)
    rows, columns = (_normalized_entropy(exact, axis) for axis in (1, 0))
    i, j = np.nonzero(linked)
    return np.minimum(rows[i], columns[j])


def _normalized_entropy(similarity: NDArray[np.float64], axis: int) -> NDArray[np.float64]:
    sums = similarity.sum(axis=axis, keepdims=True)
    shares = similarity / np.where(sums > 0, sums, 1)
    logs: NDArray[np.float64] = np.log(shares, out=np.zeros_like(shares), where=shares > 0)
    # A distribution over one piece has entropy 0.
    entropy: NDArray[np.float64] = -(shares * logs).sum(axis=axis)
    return entropy / float(np.log(max(similarity.shape[axis], 2)))


def probabilities(similarity: Matrix, temperature: float) -> Matrix:
    """The probability that two pieces are linked, shape (n, m).

    The softmax of cosines divided by the temperature is a distribution over the target pieces for each source
    piece, and one over the source pieces for each target piece; the probability is the mean of both.

    >>> probabilities(np.array([[1.0, 1.0]]), 0.1).tolist()
    [[0.75, 0.75]]
    """
    # A cosine is 2 · similarity − 1, and softmax ignores what is added to all.
    odds = similarity * (2 / temperature)
    return (_softmax(odds, 0) + _softmax(odds, 1)) / 2


def _softmax(odds: Matrix, axis: int) -> Matrix:
    powers: Matrix = np.exp(odds - odds.max(axis=axis, keepdims=True, initial=-np.inf))
    shares: Matrix = powers / powers.sum(axis=axis, keepdims=True)
    return shares


def extract(
    similarity: Matrix, extraction: str = "argmax", null_threshold: Fraction | float = 1
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """The links of a sentence pair, shape (L, 2), and their entropies; none if all links are kept."""
    linked = _METHODS[extraction](similarity)
    entropy = entropies(similarity, linked) if null_threshold < 1 else np.empty(0)
    return np.argwhere(linked), entropy


def decided(
    links: Sequence[NDArray[np.intp]], entropy: Sequence[NDArray[np.float64]], null_threshold: float
) -> list[NDArray[np.intp]]:
    """The links of all sentence pairs without the most undecided ones.

    Args:
        links, entropy: what `extract` gives for each pair.
        null_threshold: the share of links to keep: those whose entropy is at most this quantile of all
            links' entropies; 1 keeps all.
    """
    every = np.concatenate(entropy) if entropy else np.empty(0)
    if not len(every):
        return list(links)
    most = np.quantile(every, null_threshold)
    return [own[of <= most] for own, of in zip(links, entropy, strict=True)]
