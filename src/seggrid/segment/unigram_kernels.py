"""The compiled part of the unigram language model, over lattices of words.

A word's lattice has a node before, between and after its symbols, and an arc for each occurrence of a piece
in the word. The lattices of all words are one array `arcs`, int32, shape (C, L): `arcs[c, n - 1]` is the
piece that consists of the n symbols from symbol c on, or -1 if there is none. Symbols are numbered across
all words; word w has those from `offsets[w]` to before `offsets[w + 1]`, shape (W + 1,). `log_p` is the log
probability of each piece, shape (P,). All probabilities are natural logarithms, since those of long words are
too small for a float.
"""

from __future__ import annotations

from math import exp, inf, log, log1p

import numpy as np
from numpy.typing import NDArray

from seggrid.base.compiled import njit
from seggrid.segment.trie import NONE, Array, longest_unit, slot_of

Ints = NDArray[np.integer]
Floats = NDArray[np.float64]


@njit
def sum_forward(arcs: Ints, first: int, n: int, log_p: Floats, forward: Floats) -> None:
    """The log probability of all paths from the start of a word to each node, into `forward`."""
    forward[0] = 0.0
    for node in range(1, n + 1):
        forward[node] = sum_into(arcs, first, node, log_p, forward, -1)


@njit
def sum_into(arcs: Ints, first: int, node: int, log_p: Floats, forward: Floats, but: int) -> float:
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
def sum_backward(arcs: Ints, first: int, n: int, log_p: Floats, backward: Floats) -> None:
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


@njit
def expect_pieces(arcs: Ints, offsets: Ints, weights: Floats, log_p: Floats) -> Floats:
    """The expectation step of EM for a text in which each word occurs as often as `weights` says: the
    expected count of each piece, shape (P,)."""
    expected = np.zeros(len(log_p))
    nodes = longest_unit(offsets) + 1
    forward, backward = np.empty(nodes), np.empty(nodes)
    for word in range(len(weights)):
        first = offsets[word]
        n = offsets[word + 1] - first
        sum_forward(arcs, first, n, log_p, forward)
        sum_backward(arcs, first, n, log_p, backward)
        for i in range(n):
            for length in range(1, min(arcs.shape[1], n - i) + 1):
                piece = arcs[first + i, length - 1]
                if piece >= 0:
                    through = forward[i] + log_p[piece] + backward[i + length]
                    expected[piece] += weights[word] * exp(through - forward[n])
    return expected


@njit
def losses(arcs: Ints, offsets: Ints, weights: Floats, log_p: Floats, kept: int) -> Floats:
    """How much the log likelihood falls if one piece is removed and the others keep their probabilities,
    shape (P,): infinite if a word has no segmentation without it, 0 for the first `kept` pieces."""
    loss = np.zeros(len(log_p))
    nodes = longest_unit(offsets) + 1
    forward, backward, without = np.empty(nodes), np.empty(nodes), np.empty(nodes)
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
    arcs: Ints,
    first: int,
    n: int,
    log_p: Floats,
    before: Floats,
    backward: Floats,
    node: int,
    but: int,
) -> float:
    """The log probability of all paths of a word in which the one piece that begins before a node, and ends
    at it or after it, is not `but`; from the paths to each node before, and those from each to the end."""
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


@njit
def best_segmentations(arcs: Ints, offsets: Ints, log_p: Floats) -> tuple[Ints, Ints]:
    """The most probable segmentation of each word (Viterbi), ties resolved as in
    `Unigram.segment`: the pieces of all words, shape (T,), and of each their number, (W,)."""
    n_words = len(offsets) - 1
    pieces = np.empty(len(arcs), dtype=np.int32)
    counts = np.zeros(n_words, dtype=np.int64)
    score = np.empty(longest_unit(offsets) + 1)
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


@njit
def sample_segmentations(
    arcs: Ints,
    offsets: Ints,
    log_p: Floats,
    occurrences: Ints,
    drawn: Floats,
) -> tuple[Ints, Ints]:
    """Draw a segmentation of each occurrence of words, shape (N,), among all segmentations: the pieces of all
    occurrences, shape (T,), and the number of pieces of each.

    Forward filtering, backward sampling: from the end of a word to its start, each piece is drawn with the
    probability that a path to that node ends with it, by `drawn`, a number in [0, 1) for each symbol of each
    occurrence. `log_p` is divided by the temperature.
    """
    nodes = np.empty(len(arcs) + len(offsets))  # those of word w begin at `offsets[w] + w`
    for word in range(len(offsets) - 1):
        first = offsets[word]
        n = offsets[word + 1] - first
        sum_forward(arcs, first, n, log_p, nodes[first + word :])
    pieces = np.empty(len(drawn), dtype=np.int32)
    counts = np.zeros(len(occurrences), dtype=np.int64)
    begin = end = 0  # first symbol of the occurrence; number of pieces so far
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
                # No path leads to some nodes; what rounding leaves over must not, either.
                if piece >= 0 and left >= 0 and forward[node - length] > -inf:
                    chosen = length
                    left -= exp(forward[node - length] + log_p[piece] - forward[node])
            pieces[end + counts[k]] = arcs[first + node - chosen, chosen - 1]
            counts[k] += 1
            node -= chosen
        pieces[end : end + counts[k]] = pieces[end : end + counts[k]][::-1].copy()
        end += counts[k]
        begin += n
    return pieces[:end].copy(), counts


@njit
def lattices(symbols: Ints, offsets: Ints, table: Array, longest: int) -> Ints:
    """The lattices of words whose pieces of two or more of A symbols are in the table of a trie, by their
    ranks: piece a < A is symbol a, piece A + r has rank r."""
    n_symbols = symbols.max() + 1
    arcs = np.full((len(symbols), longest), -1, dtype=np.int32)
    for word in range(len(offsets) - 1):
        for first in range(offsets[word], offsets[word + 1]):
            node = symbols[first]
            arcs[first, 0] = node
            for place in range(first + 1, offsets[word + 1]):
                slot = slot_of(table, node, symbols[place])
                if table[slot].rank != NONE:
                    arcs[first, place - first] = n_symbols + table[slot].rank
                node = table[slot].next
                if node < 0:
                    break
    return arcs


@njit
def has_rivals(arcs: Ints, offsets: Ints, log_p: Floats, margin: float) -> NDArray[np.bool_]:
    """Whether a segmentation of a word has a log probability that is lower than that of its most probable one
    by `margin` at most, shape (W,)."""
    found = np.empty(len(offsets) - 1, dtype=np.bool_)
    nodes = longest_unit(offsets) + 1
    before, after = np.empty(nodes), np.empty(nodes)  # the best path to each node, and from it
    for word in range(len(found)):
        first = offsets[word]
        n = offsets[word + 1] - first
        for node in range(n + 1):
            before[node] = after[node] = -inf
        before[0] = after[n] = 0.0
        for i in range(n):
            for length in range(1, min(arcs.shape[1], n - i) + 1):
                piece = arcs[first + i, length - 1]
                if piece >= 0:
                    before[i + length] = max(before[i + length], before[i] + log_p[piece])
        # A single path has each symbol in one of its arcs.
        covered = 0
        for i in range(n - 1, -1, -1):
            for length in range(1, min(arcs.shape[1], n - i) + 1):
                piece = arcs[first + i, length - 1]
                if piece >= 0:
                    through = log_p[piece] + after[i + length]
                    after[i] = max(after[i], through)
                    if before[i] + through >= before[n] - margin:
                        covered += length
        found[word] = covered > n
    return found
