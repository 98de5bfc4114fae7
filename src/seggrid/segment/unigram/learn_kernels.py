"""The compiled part of learning a unigram language model: the E-step, and the loss of each piece."""

from __future__ import annotations

from math import exp, inf, log, log1p

import numpy as np
from numpy.typing import NDArray

from seggrid.base.compiled import njit
from seggrid.segment.unigram.lattice import node_values, sum_backward, sum_forward, sum_into


@njit
def expect(
    arcs: NDArray[np.int32],
    offsets: NDArray[np.int64],
    weights: NDArray[np.float64],
    log_p: NDArray[np.float64],
) -> tuple[NDArray[np.float64], float]:
    """The expectation step of EM.

    Args:
        arcs, offsets: the lattices of the words, see `lattice`.
        weights: occurrences of each word, shape (W,).
        log_p: log probability of each piece, shape (P,).

    Returns:
        The expected count of each piece in the text, shape (P,), and the log marginal likelihood of the
        text.
    """
    expected = np.zeros(len(log_p))
    likelihood = 0.0
    forward, backward = node_values(offsets), node_values(offsets)
    for word in range(len(weights)):
        first = offsets[word]
        n = offsets[word + 1] - first
        sum_forward(arcs, first, n, log_p, forward)
        sum_backward(arcs, first, n, log_p, backward)
        likelihood += weights[word] * forward[n]
        for i in range(n):
            for length in range(1, min(arcs.shape[1], n - i) + 1):
                piece = arcs[first + i, length - 1]
                if piece >= 0:
                    through = forward[i] + log_p[piece] + backward[i + length]
                    expected[piece] += weights[word] * exp(through - forward[n])
    return expected, likelihood


@njit
def losses(
    arcs: NDArray[np.int32],
    offsets: NDArray[np.int64],
    weights: NDArray[np.float64],
    log_p: NDArray[np.float64],
    kept: int,
) -> NDArray[np.float64]:
    """The decrease of the log likelihood if one piece is removed and the others keep their probabilities.

    Args:
        kept: how many of the first pieces are never removed; their loss is given as 0.

    Returns:
        The loss of each piece, shape (P,); infinite if a word has no segmentation without it.
    """
    loss = np.zeros(len(log_p))
    forward, backward, without = node_values(offsets), node_values(offsets), node_values(offsets)
    times = np.zeros(len(log_p), dtype=np.int32)
    end = np.zeros(len(log_p), dtype=np.int64)
    for word in range(len(weights)):
        first = offsets[word]
        n = offsets[word + 1] - first
        sum_forward(arcs, first, n, log_p, forward)
        sum_backward(arcs, first, n, log_p, backward)
        for i in range(n):
            for length in range(1, min(arcs.shape[1], n - i) + 1):
                piece = arcs[first + i, length - 1]
                if piece >= kept:
                    times[piece] += 1
                    end[piece] = i + length
        for i in range(n):
            for length in range(1, min(arcs.shape[1], n - i) + 1):
                piece = arcs[first + i, length - 1]
                if piece < kept or times[piece] == 0:
                    continue
                through = forward[i] + log_p[piece] + backward[i + length]
                share = exp(through - forward[n])
                if times[piece] == 1 and share < 0.5:
                    loss[piece] -= weights[word] * log1p(-share)
                else:
                    # Subtraction would lose precision if the piece's share is near 1, and would count paths
                    # with several occurrences twice: compute the sum anew from the first occurrence to the
                    # last, or to the end of the word if that is near.
                    last = end[piece] - 1 if n - end[piece] > arcs.shape[1] else n
                    for node in range(max(0, i + 1 - arcs.shape[1]), i + 1):
                        without[node] = forward[node]
                    for node in range(i + 1, last + 1):
                        without[node] = sum_into(arcs, first, node, log_p, without, piece)
                    total = (
                        without[n]
                        if last == n
                        else _sum_across(arcs, first, n, log_p, without, backward, last + 1, piece)
                    )
                    loss[piece] += weights[word] * (forward[n] - total)
                times[piece] = 0
    return loss


@njit
def _sum_across(
    arcs: NDArray[np.int32],
    first: int,
    n: int,
    log_p: NDArray[np.float64],
    before: NDArray[np.float64],
    backward: NDArray[np.float64],
    node: int,
    but: int,
) -> float:
    """The log probability of all paths of a word that go past a node without using the piece `but` there.

    Args:
        arcs, first, n, log_p: the word's lattice, see `lattice`.
        before: log probability of the paths to each node before `node`.
        backward: log probability of the paths from each node to the end.
        node: each path has exactly one piece that begins before this node and ends at it or after it.
        but: paths in which this piece is `but` are left out.
    """
    largest = -inf
    for begin in range(max(0, node - arcs.shape[1]), node):
        for length in range(node - begin, min(arcs.shape[1], n - begin) + 1):
            piece = arcs[first + begin, length - 1]
            if piece >= 0 and piece != but:
                largest = max(largest, before[begin] + log_p[piece] + backward[begin + length])
    if largest == -inf:
        return largest
    total = 0.0
    for begin in range(max(0, node - arcs.shape[1]), node):
        for length in range(node - begin, min(arcs.shape[1], n - begin) + 1):
            piece = arcs[first + begin, length - 1]
            if piece >= 0 and piece != but:
                total += exp(before[begin] + log_p[piece] + backward[begin + length] - largest)
    return largest + log(total)
