"""Sums of probabilities over the lattices of words, for learning and applying a unigram language model.

A word's lattice has a node before, between and after its symbols, and an arc for each occurrence of a piece
in the word. The lattices of all words are one array `arcs`, int32, shape (C, L): `arcs[c, n - 1]` is the
piece that consists of the n symbols from symbol c on, or -1 if there is none. Symbols are numbered across
all words; word w has those from `offsets[w]` to before `offsets[w + 1]`. All probabilities are natural
logarithms, since those of long words are too small for a float.
"""

from __future__ import annotations

from math import exp, inf, log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seggrid.base.compiled import njit

Array = NDArray[Any]


@njit
def node_values(offsets: Array) -> Array:
    """Allocate a number for each node of the longest word, shape (longest + 1,)."""
    longest = 0
    for word in range(len(offsets) - 1):
        longest = max(longest, offsets[word + 1] - offsets[word])
    return np.empty(longest + 1)


@njit
def sum_forward(arcs: Array, first: int, n: int, log_p: Array, forward: Array) -> None:
    """The log probability of all paths from the start of a word to each node, into `forward`."""
    forward[0] = 0.0
    for node in range(1, n + 1):
        forward[node] = sum_into(arcs, first, node, log_p, forward, -1)


@njit
def sum_into(arcs: Array, first: int, node: int, log_p: Array, forward: Array, but: int) -> float:
    """The log probability of all paths to a node whose last piece is not `but`."""
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


@njit
def sum_backward(arcs: Array, first: int, n: int, log_p: Array, backward: Array) -> None:
    """The log probability of all paths from each node to the end of a word, into `backward`."""
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
