"""The sampler's kernel: one sweep over the generated tokens of one direction.

Several samplers (the *lanes* of a group) go over the corpus together, token by token, so that one
memory access serves them all: the counts of a cell in all lanes are bit fields of one word. What a lane
draws depends neither on other lanes nor on how lanes are grouped.
"""

from __future__ import annotations

import numpy as np

from seggrid.align.gibbs._chains import Chains, Prior, draw_ratio
from seggrid.align.gibbs._corpus import LOOKAHEAD, Corpus
from seggrid.align.gibbs._prior_counts import FERTILITIES
from seggrid.align.gibbs._random import short_uniform
from seggrid.align.gibbs._vectors import WIDTH, count_at_most, prefetch, weigh
from seggrid.base.arrays import Float32, Int32, Int64
from seggrid.base.compiled import float32, int64, njit, uint64

JUMP_SUM = float32(100.0)
"""Prior count of all jumps together, as a multiple of the prior count of one jump."""

U = uint64
"""Marks an index as not negative, so that numba generates no code for indexing from the end."""


@njit(error_model="numpy")
def sweep(
    begin: int,
    end: int,
    corpus: Corpus,
    prior: Prior,
    chains: Chains,
    bits: int,
    model: int,
    number: int,
    summed: Float32,
) -> None:
    """Draw the link of each generated token of sentence pairs `begin:end` anew.

    Args:
        bits: number of bits of each lane in the words of cells.
        model: 1 lexical, 2 with jumps, 3 with fertilities.
        number: number of the sweep, different from that of all other sweeps.
        summed: empty, except in the last sweep. There each lane adds the distribution of each token to it,
            and takes the link with the highest sum instead of drawing one; float32, shape (positions +
            generated tokens of these sentence pairs,); the value for NULL is the last one of each token.
    """
    # Arrays are local variables, and the innermost steps are not functions of their own: numba counts
    # references whenever a field of a tuple is read or a function with branches is called, which took
    # two thirds of the time.
    given, given_offsets, same, generated, generated_offsets, load, cells = corpus
    (key, fertility_key, link, fertility, word, total, null, null_total, jump, ahead, back, jump_total,
     fertility_counts, variate, ratio) = chains  # fmt: skip
    lanes = len(key)
    # For each lane: `scale`, the factor of each place that does not depend on the generated type; `left`
    # and `right`, the places that the nearest linked tokens on the left and on the right link to.
    row = _longest(given_offsets, begin, end, WIDTH)
    longest = _longest(generated_offsets, begin, end, 1)
    scale = np.zeros(lanes * row, dtype=np.float32)
    left = np.zeros(lanes, dtype=np.int64)
    right = np.zeros(lanes * longest, dtype=np.int64)
    # For each draw: counts and weights of the places, and sums of the weights; see `weigh`.
    words, weights = np.zeros(row, dtype=np.int64), np.zeros(row, dtype=np.float32)
    sums = np.zeros(WIDTH + 1, dtype=np.float32)
    size = len(jump) // lanes
    longest_jump = (size - 2 * WIDTH - 1) // 2
    mask = (int64(1) << min(bits, 31)) - 1
    lexical, lexical_sum = float32(prior.lexical), float32(prior.lexical_sum)
    null_prior, jump_prior = float32(prior.null), float32(prior.jump)
    fertility_prior = prior.fertility
    tokens = len(generated)
    counter = number * (len(fertility_counts) // lanes)
    is_last = len(summed) > 0
    one = float32(1.0)
    at = 0
    for sentence in range(begin, end):
        first, last = given_offsets[U(sentence)], given_offsets[U(sentence + 1)]
        first_token, last_token = generated_offsets[U(sentence)], generated_offsets[U(sentence + 1)]
        position = load[U(sentence)]
        places = last - first
        blocks = (places + WIDTH - 1) // WIDTH
        for lane in range(lanes):
            for place in range(places):
                k = first + place
                conditioning_type = int64(given[U(k)])
                value = one / (float32(total[U(conditioning_type * lanes + lane)]) + lexical_sum)
                if model == 3:
                    links = int64(fertility[U(k * lanes + lane)])
                    fertility_at = conditioning_type * FERTILITIES + min(links, FERTILITIES - 1)
                    if ratio[U(fertility_at * lanes + lane)] < 0.0:
                        draw_ratio(
                            fertility_counts, variate, ratio, fertility_key[U(lane)], fertility_prior,
                            counter + fertility_at, fertility_at * lanes + lane, lanes,
                        )  # fmt: skip
                    value *= ratio[U(fertility_at * lanes + lane)]
                scale[U(lane * row + place)] = value
            for place in range(places, blocks * WIDTH):
                scale[U(lane * row + place)] = 0.0
            left[U(lane)] = -1
            nearest = places
            for token in range(last_token - 1, first_token - 1, -1):
                right[U(lane * longest + token - first_token)] = nearest
                place = int64(link[U(token * lanes + lane)])
                if place >= 0:
                    nearest = place
        for token in range(first_token, last_token):
            generated_type = int64(generated[U(token)])
            # First each lane subtracts its link from the counts; then each draws a new link and adds it.
            for turn in range(2 * lanes):
                if turn < lanes:
                    lane, change = turn, -1
                    before, after = left[U(lane)], right[U(lane * longest + token - first_token)]
                    place = int64(link[U(token * lanes + lane)])
                else:
                    lane, change = turn - lanes, 1
                    before, after = left[U(lane)], right[U(lane * longest + token - first_token)]
                    if lane == 0:
                        for k in range(blocks * WIDTH):
                            words[U(k)] = word[U(cells[U(position + k)])]
                        for k in range(places):
                            prefetch(word, cells[U(position + LOOKAHEAD + k)])
                    zero = lane * size + longest_jump
                    mass = weigh(
                        words, blocks, bits * lane, mask, lexical, scale, lane * row, ahead,
                        zero - before, back, zero - after, weights, sums,
                    )  # fmt: skip
                    of_null = null_prior * (
                        (float32(null[U(generated_type * lanes + lane)]) + lexical)
                        / (float32(null_total[U(lane)]) + lexical_sum)
                    )
                    if model >= 2:
                        jumps = float32(jump_total[U(lane)]) + JUMP_SUM * jump_prior
                        of_null *= jumps * ahead[U(zero + after - before)]
                    if is_last:
                        place = _most_probable(places, weights, of_null, mass, summed, at)
                    else:
                        uniform = short_uniform(key[U(lane)], uint64(number * tokens + token))
                        x = uniform * (mass + of_null)
                        place = -1 if x >= mass else place_reached(places, blocks, x, weights, sums)
                    link[U(token * lanes + lane)] = place
                    left[U(lane)] = place if place >= 0 else before
                if place < 0:
                    null[U(generated_type * lanes + lane)] += change
                    null_total[U(lane)] += change
                    continue
                cell = int64(cells[U(position + place)])
                # The count of cell 0, which stands for all cells that need no count, stays 0.
                word[U(cell)] += (change * int64(cell != 0)) << (bits * lane)
                total[U(int64(given[U(first + place)]) * lanes + lane)] += change
                fertility[U((first + place) * lanes + lane)] += change
                # Update the factor of this place and of all places of the same type.
                k = first + place
                conditioning_type = int64(given[U(k)])
                unlinked = one / (float32(total[U(conditioning_type * lanes + lane)]) + lexical_sum)
                while True:
                    quotient = one
                    if model == 3:
                        links = int64(fertility[U(k * lanes + lane)])
                        fertility_at = conditioning_type * FERTILITIES + min(links, FERTILITIES - 1)
                        if ratio[U(fertility_at * lanes + lane)] < 0.0:
                            draw_ratio(
                                fertility_counts, variate, ratio, fertility_key[U(lane)], fertility_prior,
                                counter + fertility_at, fertility_at * lanes + lane, lanes,
                            )  # fmt: skip
                        quotient = ratio[U(fertility_at * lanes + lane)]
                    scale[U(lane * row + k - first)] = unlinked * quotient
                    k = int64(same[U(k)])
                    if k == first + place:
                        break
                if model >= 2:
                    zero = lane * size + longest_jump
                    _count_jump(jump, ahead, back, jump_prior, zero, place - before, change)
                    _count_jump(jump, ahead, back, jump_prior, zero, after - place, change)
                    _count_jump(jump, ahead, back, jump_prior, zero, after - before, -change)
                    jump_total[U(lane)] += change
            position += places
            at += places + 1


@njit
def _longest(offsets: Int64, begin: int, end: int, multiple: int) -> int:
    """The length of the longest of sentences `begin:end`, rounded up to a multiple of `multiple`."""
    longest = 0
    for s in range(begin, end):
        longest = max(longest, int64(offsets[s + 1] - offsets[s]))
    return (longest + multiple - 1) // multiple * multiple


@njit(forceinline=True)
def place_reached(n: int, blocks: int, x: float, weights: Float32, sums: Float32) -> int:
    """The place that is drawn by x, which lies between 0 and the sum of all weights. Weights are summed by
    column; see `weigh`."""
    i = min(count_at_most(sums, x), WIDTH - 1)
    rest = x - sums[U(i)]
    i = min(i, n - 1)
    # Count the rows above the place, without a branch that depends on the draw.
    reached, below = weights[U(i)], 0
    for k in range(i + WIDTH, blocks * WIDTH, WIDTH):
        below += reached <= rest
        reached += weights[U(k)]
    return int64(i + WIDTH * min(below, (n - 1 - i) // WIDTH))


@njit
def _most_probable(
    n: int, weights: Float32, null: float, mass: float, summed: Float32, at: int
) -> int:
    """Add a distribution to `summed[at : at + n + 1]`, and return the place with the highest sum, or -1."""
    whole = mass + null
    summed[at + n] += null / whole
    best, most = -1, summed[at + n]
    for i in range(n):
        summed[at + i] += weights[U(i)] / whole
        if summed[at + i] > most:
            best, most = i, summed[at + i]
    return best


@njit(forceinline=True)
def _count_jump(
    jump: Int32,
    ahead: Float32,
    back: Float32,
    prior: float,
    zero: int,
    d: int,
    change: int,
) -> None:
    """Change the count of jumps d by `change`.

    Args:
        zero: index of the jump 0 in `jump`, `ahead` and `back`.
    """
    count = jump[U(zero + d)] + np.int32(change)
    jump[U(zero + d)] = count
    value = float32(count) + prior
    ahead[U(zero + d)] = value
    back[U(zero - d)] = value
