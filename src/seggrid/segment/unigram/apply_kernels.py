"""The compiled part of applying a unigram language model: best paths and random paths of a lattice."""

from __future__ import annotations

from math import exp, inf

import numpy as np
from numpy.typing import NDArray

from seggrid.base.compiled import njit
from seggrid.segment.unigram.lattice import node_values, sum_forward


@njit
def best_segmentations(
    arcs: NDArray[np.int32], offsets: NDArray[np.int64], log_p: NDArray[np.float64]
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """The most probable segmentation of each word (Viterbi).

    Ties are resolved as in `seggrid.segment.unigram.apply.apply`.

    Returns:
        The pieces of all words, shape (T,), and the number of pieces of each word, shape (W,).
    """
    n_words = len(offsets) - 1
    pieces = np.empty(len(arcs), dtype=np.int32)
    counts = np.zeros(n_words, dtype=np.int64)
    score = node_values(offsets)
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
    arcs: NDArray[np.int32],
    offsets: NDArray[np.int64],
    log_p: NDArray[np.float64],
    occurrences: NDArray[np.int32],
    drawn: NDArray[np.float64],
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Draw a segmentation of each occurrence of words, among all segmentations.

    Forward filtering, backward sampling: from the end of a word to its start, each piece is drawn with the
    probability that a path to that node ends with it.

    Args:
        arcs, offsets: the lattices of the words, see `lattice`.
        log_p: log probability of each piece, divided by the temperature, shape (P,).
        occurrences: index of the word of each occurrence, shape (N,).
        drawn: numbers in [0, 1), one for each symbol of each occurrence.

    Returns:
        The pieces of all occurrences, shape (T,), and the number of pieces of each, shape (N,).
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


@njit
def best_of_each(
    arcs: NDArray[np.int32], offsets: NDArray[np.int64], log_p: NDArray[np.float64], best: int
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.float64], NDArray[np.int64]]:
    """The most probable segmentations of each word, at most `best` of them, the best first.

    Each node stores its `best` best paths. A path is stored as the length of its last piece and the
    rank of the path to the node where that piece begins. Among equally probable paths the one with the
    longer last piece comes first.

    Returns:
        The pieces of all segmentations, one after another; where each begins, shape (M + 1,); the log
        probability of each, shape (M,); where those of each word begin, shape (W + 1,).
    """
    n_words = len(offsets) - 1
    longest = len(node_values(offsets))
    score = np.empty((longest, best))
    length_of = np.empty((longest, best), dtype=np.int64)
    rank_of = np.empty((longest, best), dtype=np.int64)
    kept = np.zeros(longest, dtype=np.int64)
    pieces, begins, values, words = [np.int32(0)], [0], [0.0], [0]
    pieces.pop()
    values.pop()
    for word in range(n_words):
        first = offsets[word]
        n = offsets[word + 1] - first
        score[0, 0] = 0.0
        kept[0] = 1
        for node in range(1, n + 1):
            kept[node] = 0
            for length in range(min(arcs.shape[1], node), 0, -1):
                piece = arcs[first + node - length, length - 1]
                if piece < 0:
                    continue
                for rank in range(kept[node - length]):
                    total = score[node - length, rank] + log_p[piece]
                    place = kept[node]
                    while place > 0 and score[node, place - 1] < total:
                        place -= 1
                    if place >= best:
                        break
                    for k in range(min(kept[node], best - 1), place, -1):
                        score[node, k] = score[node, k - 1]
                        length_of[node, k] = length_of[node, k - 1]
                        rank_of[node, k] = rank_of[node, k - 1]
                    score[node, place] = total
                    length_of[node, place] = length
                    rank_of[node, place] = rank
                    kept[node] = min(kept[node] + 1, best)
        for k in range(kept[n]):
            begin = len(pieces)
            node, rank = n, k
            while node > 0:
                length = length_of[node, rank]
                pieces.append(arcs[first + node - length, length - 1])
                rank = rank_of[node, rank]
                node -= length
            pieces[begin:] = pieces[begin:][::-1]
            begins.append(len(pieces))
            values.append(score[n, k])
        words.append(len(values))
    return np.array(pieces), np.array(begins), np.array(values), np.array(words)


@njit
def sample_best(
    pieces: NDArray[np.int32],
    begins: NDArray[np.int64],
    values: NDArray[np.float64],
    words: NDArray[np.int64],
    alpha: float,
    occurrences: NDArray[np.int32],
    drawn: NDArray[np.float64],
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Draw one of the best segmentations for each occurrence of a word, in proportion to P(x)^alpha.

    Args:
        pieces, begins, values, words: the results of `best_of_each`.
        alpha: the exponent.
        occurrences: index of the word of each occurrence, shape (N,).
        drawn: a number in [0, 1) for each occurrence, shape (N,).

    Returns:
        As `sample_segmentations`.
    """
    chosen = np.empty(len(occurrences), dtype=np.int64)
    total = 0
    for k in range(len(occurrences)):
        start, end = words[occurrences[k]], words[occurrences[k] + 1]
        mass = 0.0
        for m in range(start, end):
            mass += exp(alpha * (values[m] - values[start]))
        left = drawn[k] * mass
        place = start
        while place + 1 < end and left >= exp(alpha * (values[place] - values[start])):
            left -= exp(alpha * (values[place] - values[start]))
            place += 1
        chosen[k] = place
        total += begins[place + 1] - begins[place]
    found = np.empty(total, dtype=np.int32)
    counts = np.empty(len(occurrences), dtype=np.int64)
    at = 0
    for k in range(len(occurrences)):
        begin, end = begins[chosen[k]], begins[chosen[k] + 1]
        counts[k] = end - begin
        found[at : at + end - begin] = pieces[begin:end]
        at += end - begin
    return found, counts
