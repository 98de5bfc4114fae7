"""The compiled part of the unigram language model: sums and searches over the lattices of words.

A word's lattice has a node before, between and after its symbols, and an arc for each piece that
stands somewhere in it. The lattices of all words are one array `arcs`, int32, shape (C, L): `arcs[c,
n - 1]` is the piece that is made of the n symbols from symbol c on, -1 if there is none; symbols are
numbered through all words, and word w has those from `offsets[w]` to before `offsets[w + 1]`.
Probabilities are natural logarithms throughout: those of long words are too small for a float.
"""

from __future__ import annotations

from math import exp, inf, log, log1p

import numpy as np
from numpy.typing import NDArray

from seggrid.data.compiled import njit

Array = NDArray


@njit(cache=True, nogil=True)
def expect(
    arcs: NDArray[np.int32],
    offsets: NDArray[np.int64],
    weights: NDArray[np.float64],
    log_p: NDArray[np.float64],
) -> tuple[NDArray[np.float64], float]:
    """The expectation step of EM.

    Args:
        arcs, offsets: the lattices of the words.
        weights: how often each word occurs, shape (W,).
        log_p: of each piece, shape (P,).

    Returns:
        How often each piece is to be expected in the text, shape (P,), and the logarithm of the
        text's marginal likelihood.
    """
    expected = np.zeros(len(log_p))
    likelihood = 0.0
    forward, backward = _room(offsets), _room(offsets)
    for word in range(len(weights)):
        first = offsets[word]
        n = offsets[word + 1] - first
        _sum_forward(arcs, first, n, log_p, forward)
        _sum_backward(arcs, first, n, log_p, backward)
        likelihood += weights[word] * forward[n]
        for i in range(n):
            for length in range(1, min(arcs.shape[1], n - i) + 1):
                piece = arcs[first + i, length - 1]
                if piece >= 0:
                    through = forward[i] + log_p[piece] + backward[i + length]
                    expected[piece] += weights[word] * exp(through - forward[n])
    return expected, likelihood


@njit(cache=True, nogil=True)
def losses(
    arcs: NDArray[np.int32],
    offsets: NDArray[np.int64],
    weights: NDArray[np.float64],
    log_p: NDArray[np.float64],
) -> NDArray[np.float64]:
    """By how much the log likelihood falls if a piece is removed and the others stay as they are.

    Args:
        arcs, offsets, weights, log_p: as for `expect`.

    Returns:
        The loss of each piece, shape (P,); infinite where a word has no segmentation without it.
    """
    loss = np.zeros(len(log_p))
    forward, backward, without = _room(offsets), _room(offsets), _room(offsets)
    times = np.zeros(len(log_p), dtype=np.int32)
    for word in range(len(weights)):
        first = offsets[word]
        n = offsets[word + 1] - first
        _sum_forward(arcs, first, n, log_p, forward)
        _sum_backward(arcs, first, n, log_p, backward)
        for i in range(n):
            for length in range(1, min(arcs.shape[1], n - i) + 1):
                if arcs[first + i, length - 1] >= 0:
                    times[arcs[first + i, length - 1]] += 1
        for i in range(n):
            for length in range(1, min(arcs.shape[1], n - i) + 1):
                piece = arcs[first + i, length - 1]
                if piece < 0 or times[piece] == 0:
                    continue
                through = forward[i] + log_p[piece] + backward[i + length]
                share = exp(through - forward[n])
                if times[piece] == 1 and share < 0.5:
                    loss[piece] -= weights[word] * log1p(-share)
                else:
                    # Nothing is left to subtract from where a share is near 1, and the paths of
                    # several occurrences overlap: the sum is made anew, from the first one on.
                    for node in range(i + 1):
                        without[node] = forward[node]
                    for node in range(i + 1, n + 1):
                        without[node] = _sum_into(arcs, first, node, log_p, without, piece)
                    loss[piece] += weights[word] * (forward[n] - without[n])
                times[piece] = 0
    return loss


@njit(cache=True, nogil=True)
def best_segmentations(
    arcs: NDArray[np.int32], offsets: NDArray[np.int64], log_p: NDArray[np.float64]
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """The most probable segmentation of each word (Viterbi).

    Of equally probable ones, that with the longer last piece, and so on towards the front.

    Returns:
        The pieces of all words, shape (T,), and how many each word has, shape (W,).
    """
    n_words = len(offsets) - 1
    pieces = np.empty(len(arcs), dtype=np.int32)
    counts = np.zeros(n_words, dtype=np.int64)
    score = _room(offsets)
    lengths = np.empty(len(score), dtype=np.int64)
    end = 0
    for word in range(n_words):
        first = offsets[word]
        n = offsets[word + 1] - first
        score[0] = 0.0
        for node in range(1, n + 1):
            score[node] = -inf
            for length in range(min(arcs.shape[1], node), 0, -1):
                piece = arcs[first + node - length, length - 1]
                if piece >= 0 and score[node - length] + log_p[piece] > score[node]:
                    score[node] = score[node - length] + log_p[piece]
                    lengths[node] = length
        node = n
        while node > 0:
            counts[word] += 1
            node -= lengths[node]
        node, at = n, end + counts[word]
        end = at
        while node > 0:
            at -= 1
            length = lengths[node]
            node -= length
            pieces[at] = arcs[first + node, length - 1]
    return pieces[:end].copy(), counts


@njit(cache=True, nogil=True)
def sample_segmentations(
    arcs: NDArray[np.int32],
    offsets: NDArray[np.int64],
    log_p: NDArray[np.float64],
    occurrences: NDArray[np.int32],
    drawn: NDArray[np.float64],
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """A segmentation of each occurrence of words, drawn from all that there are.

    Forward filtering, backward sampling: from the end of a word to its start, a piece is drawn by
    the share of the paths up to there that end with it.

    Args:
        arcs, offsets: the lattices of the words.
        log_p: of each piece, up to a factor that flattens them, shape (P,).
        occurrences: words, shape (N,).
        drawn: numbers in [0, 1), one for each symbol of each occurrence.

    Returns:
        The pieces of all occurrences, shape (T,), and how many each has, shape (N,).
    """
    nodes = np.empty(len(arcs) + len(offsets))  # word w has those from `offsets[w] + w` on
    for word in range(len(offsets) - 1):
        first = offsets[word]
        n = offsets[word + 1] - first
        _sum_forward(arcs, first, n, log_p, nodes[first + word :])
    pieces = np.empty(len(drawn), dtype=np.int32)
    counts = np.zeros(len(occurrences), dtype=np.int64)
    begin = end = 0  # of the occurrence's symbols, and of the pieces so far
    for k in range(len(occurrences)):
        word = occurrences[k]
        first = offsets[word]
        n = offsets[word + 1] - first
        forward = nodes[first + word :]
        node = n
        while node > 0:
            left = drawn[begin + node - 1]
            chosen = 0
            for length in range(1, min(arcs.shape[1], node) + 1):
                piece = arcs[first + node - length, length - 1]
                if piece >= 0 and left >= 0:
                    chosen = length
                    left -= exp(forward[node - length] + log_p[piece] - forward[node])
            pieces[end + counts[k]] = arcs[first + node - chosen, chosen - 1]
            counts[k] += 1
            node -= chosen
        pieces[end : end + counts[k]] = pieces[end : end + counts[k]][::-1].copy()
        end += counts[k]
        begin += n
    return pieces[:end].copy(), counts


@njit(cache=True, nogil=True)
def _room(offsets: Array) -> Array:
    """Room for a number at each node of the longest word."""
    longest = 0
    for word in range(len(offsets) - 1):
        longest = max(longest, offsets[word + 1] - offsets[word])
    return np.empty(longest + 1)


@njit(cache=True, nogil=True)
def _sum_forward(arcs: Array, first: int, n: int, log_p: Array, forward: Array) -> None:
    """For each node, the log probability of all paths from the start of a word to it."""
    forward[0] = 0.0
    for node in range(1, n + 1):
        forward[node] = _sum_into(arcs, first, node, log_p, forward, -1)


@njit(cache=True, nogil=True)
def _sum_into(arcs: Array, first: int, node: int, log_p: Array, forward: Array, but: int) -> float:
    """The log probability of all paths to a node that end with any piece but one."""
    largest = -inf
    for length in range(1, min(arcs.shape[1], node) + 1):
        piece = arcs[first + node - length, length - 1]
        if piece >= 0 and piece != but:
            largest = max(largest, forward[node - length] + log_p[piece])
    if largest == -inf:
        return largest
    total = 0.0
    for length in range(1, min(arcs.shape[1], node) + 1):
        piece = arcs[first + node - length, length - 1]
        if piece >= 0 and piece != but:
            total += exp(forward[node - length] + log_p[piece] - largest)
    return largest + log(total)


@njit(cache=True, nogil=True)
def _sum_backward(arcs: Array, first: int, n: int, log_p: Array, backward: Array) -> None:
    """For each node, the log probability of all paths from it to the end of a word."""
    backward[n] = 0.0
    for node in range(n - 1, -1, -1):
        largest = -inf
        for length in range(1, min(arcs.shape[1], n - node) + 1):
            piece = arcs[first + node, length - 1]
            if piece >= 0:
                largest = max(largest, backward[node + length] + log_p[piece])
        total = 0.0
        for length in range(1, min(arcs.shape[1], n - node) + 1):
            piece = arcs[first + node, length - 1]
            if piece >= 0 and largest > -inf:
                total += exp(backward[node + length] + log_p[piece] - largest)
        backward[node] = largest + log(total) if largest > -inf else -inf
