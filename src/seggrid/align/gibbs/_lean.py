"""The sampler for large texts: a sweep whose memory grows with the tokens, not with their pairs.

It draws from the same distribution as `_sweep`, but keeps no number for each pair of tokens:

- Counts of cells, pairs (conditioning type, generated type), are in `Rows`, which hold only cells with links.
  The *candidates* of a token are the places whose cells have links.
- The old link of a token is not subtracted from the counts while the new one is drawn. Instead, the weights
  of its type are computed without it; the counts change only if the new link differs, which is rare.
- All places that are no candidates together have a small share of the probability. Their weights have an
  upper bound, and are computed only if the draw falls within it; if the draw then exceeds the true sum of
  all weights, a second number is drawn.
- Jumps and fertilities are counted over all samplers, and their factors are computed before each sweep.
  The probabilities of fertilities are means, not random draws.
- If all samplers draw the same link for a token as before, each with a probability close to 1, the token
  *sleeps*: it is skipped for some sweeps.

Four samplers (*lanes*) go over the text together, and depend on each other.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seggrid.align.gibbs._chains import BEYOND, Prior
from seggrid.align.gibbs._prior_counts import FERTILITIES
from seggrid.align.gibbs._random import random_bits, short_uniform
from seggrid.align.gibbs._rows import (
    FREE,
    Rows,
    add,
    bucket_after,
    bucket_of,
    change,
    free_unlinked,
    hash_of,
    room,
    slot_of,
    upper_at,
)
from seggrid.align.gibbs._sweep import place_reached
from seggrid.align.gibbs._vectors import (
    LANES,
    WIDTH,
    count_lanes,
    equal,
    prefetch,
    total_of,
    trailing_zeros,
    weigh,
    weigh_lanes,
)
from seggrid.base.arrays import Float32, Int32, Int64, UInt8, UInt64
from seggrid.base.compiled import float32, int64, njit, uint64

SURE = float32(0.98)
"""A token may sleep if the probability of its link is higher."""

SLEEP = 3
"""Number of sweeps for which a token sleeps; it is stored in two bits."""

SLACK = float32(1.001)
"""Factor on the upper bound of weights, as sums of weights are rounded."""

U = uint64

_32, _LOW = np.uint64(32), np.uint64((1 << 32) - 1)


class Sides(NamedTuple):
    """Types and sentences of the conditioning and of the generated side; see `_corpus.Corpus`."""

    given: NDArray[np.integer]
    given_offsets: Int64
    generated: NDArray[np.integer]
    generated_offsets: Int64


class Lanes(NamedTuple):
    """The state of the samplers; V and W are the numbers of conditioning and generated types.

    Arrays are flat; in those with an element for each lane, the lane is the last dimension.

    Attributes:
        key: of each lane's random numbers, uint64, shape (LANES,).
        link: place of the conditioning token that each generated token links to, or, for NULL, the largest
            number of the array's type; unsigned, shape (T x LANES).
        asleep: number of sweeps for which each generated token still sleeps, 0 to 3, four tokens per byte,
            uint8, shape (T // 4 + 1,).
        total: number of links of each conditioning type, int32, shape (V x LANES).
        null: number of NULL links of each generated type, int32, shape (W x LANES).
        null_total: number of all NULL links, int64, shape (LANES,).
        jump: how often the jumps -D..D occur in all lanes, int64, shape (2 D + 1,).
        fertility_counts: how many tokens of each conditioning type have 0..7 links, in all lanes, int32,
            shape (V x 8).
    """

    key: UInt64
    link: NDArray[np.unsignedinteger]
    asleep: UInt8
    total: Int32
    null: Int32
    null_total: Int64
    jump: Int64
    fertility_counts: Int32


class Factors(NamedTuple):
    """The factors of a draw that are fixed within a sweep, float32.

    Attributes:
        ahead, back: factors of the jumps -D..D from the link before to a place, and of the jumps D..-D from
            that place to the link after.
        across: factors of the jumps -D..D from the link before to the link after, for NULL.
        highest, sum: for each jump -D..D from the link before to the link after, the maximum and the sum,
            over all places, of the products of `ahead` and `back`.
        ratio: quotients of the probabilities of k + 1 and k links, shape (V x 8).
    """

    ahead: Float32
    back: Float32
    across: Float32
    highest: Float32
    sum: Float32
    ratio: Float32


@njit
def start(begin: int, end: int, sides: Sides, prior: Prior, lanes: Lanes, rows: Rows) -> int:
    """Link each token to NULL with its prior probability, else to any token with equal probability.

    Returns:
        The sentence pair before which the rows need more room, or `end`.
    """
    given, given_offsets, generated, generated_offsets = sides
    none, zero = largest(lanes.link), len(lanes.jump) // 2
    links = np.zeros(_longest(given_offsets, begin, end), dtype=np.int64)
    for s in range(begin, end):
        a, b = given_offsets[s], generated_offsets[s]
        n, m = given_offsets[s + 1] - a, generated_offsets[s + 1] - b
        if not room(rows, generated, b, b + m):
            return s
        for lane in range(LANES):
            links[:n] = 0
            before = -1
            for t in range(b, b + m):
                bits = random_bits(lanes.key[lane], np.uint64(t))
                if np.float64(int64(bits >> _32)) < prior.null * 2.0**32:
                    lanes.link[t * LANES + lane] = none
                    lanes.null[int64(generated[t]) * LANES + lane] += 1
                    lanes.null_total[lane] += 1
                    continue
                place = (int64(bits & _LOW) * n) >> 32
                lanes.link[t * LANES + lane] = place
                lanes.total[int64(given[a + place]) * LANES + lane] += 1
                slot = add(rows, int64(given[a + place]), int64(generated[t]))
                beyond = upper_at(rows.halves, rows.size, int64(generated[t]))
                change(rows.links, slot * LANES + lane, beyond, 1)
                links[place] += 1
                lanes.jump[zero + place - before] += 1
                before = place
            lanes.jump[zero + n - before] += 1
            for place in range(n):
                e = int64(given[a + place])
                lanes.fertility_counts[e * FERTILITIES + min(links[place], FERTILITIES - 1)] += 1
    return end


@njit
def largest(numbers: NDArray[np.unsignedinteger]) -> int:
    """The largest number of an array's type, which stands for NULL."""
    return (int64(1) << (8 * numbers.itemsize)) - 1


@njit
def set_factors(prior: Prior, lanes: Lanes, factors: Factors, model: int, is_first: bool) -> None:
    """Set the factors of the next sweep from the counts of jumps and fertilities.

    Args:
        model: 1 lexical, 2 with jumps, 3 with fertilities.
        is_first: whether links are drawn for the first time, so that there are no links to the right yet.
    """
    zero = len(lanes.jump) // 2
    reach = zero - WIDTH
    for table in (factors.ahead, factors.back, factors.across):
        table[:] = 1.0
    factors.ratio[:] = 1.0
    if model >= 2:
        every = lanes.jump.sum() + LANES * 100.0 * prior.jump
        for d in range(-reach, reach + 1):
            share = np.float32((lanes.jump[zero + d] + LANES * prior.jump) / every)
            factors.ahead[zero + d] = share
            if not is_first:
                factors.back[zero - d] = share
                factors.across[zero + d] = share
    if model >= 3:
        own = LANES * prior.fertility
        for at in range(len(lanes.fertility_counts)):
            if at % FERTILITIES == FERTILITIES - 1:
                factors.ratio[at] = BEYOND
            else:
                factors.ratio[at] = np.float32(
                    (lanes.fertility_counts[at + 1] + own) / (lanes.fertility_counts[at] + own)
                )
    # A jump d = r - l is divided by a place i into the jumps i - l and d - (i - l).
    for d in range(-reach, reach + 1):
        highest, total = np.float32(0.0), np.float32(0.0)
        for x in range(max(-reach, d - reach), min(reach, d + reach) + 1):
            product = factors.ahead[zero + x] * factors.back[zero - d + x]
            highest = max(highest, product)
            total += product
        factors.highest[zero + d] = highest
        factors.sum[zero + d] = total


@njit(error_model="numpy")
def sweep(
    begin: int,
    end: int,
    sides: Sides,
    prior: Prior,
    lanes: Lanes,
    factors: Factors,
    rows: Rows,
    number: int,
    is_first: bool,
    may_sleep: bool,
    summed: Float32,
) -> int:
    """Draw the link of each generated token of sentence pairs `begin:end` anew, until the rows lack room.

    Args:
        number: number of the sweep, different from that of all other sweeps.
        is_first: whether the tokens have no links yet.
        may_sleep: whether tokens may sleep.
        summed: empty, except in the last sweep. There all lanes add the distribution of each token to it,
            and take the link with the highest sum instead of drawing one; float32, shape (positions +
            generated tokens of these sentence pairs,); the value for NULL is the last one of each token.

    Returns:
        The sentence pair before which the rows need more room, or `end`.
    """
    given, given_offsets, generated, generated_offsets = sides
    keys_random, link, asleep, total, null, null_total, jump, fertility_counts = lanes
    ahead, back, across, highest, jump_sum, ratio = factors
    row_halves, row_first, row_size, _, row_key, row_count, _, _ = rows
    none = largest(link)
    zero = len(jump) // 2
    lexical, lexical_sum = float32(prior.lexical), float32(prior.lexical_sum)
    null_prior = float32(prior.null)
    one, nothing = float32(1.0), float32(0.0)
    is_last = len(summed) > 0
    tokens = len(generated)
    row = (_longest(given_offsets, begin, end) + WIDTH - 1) // WIDTH * WIDTH
    column = _longest(generated_offsets, begin, end)
    # For each place: its type and the type's hash; the next place of the same type, or -1, and the first one.
    type_at, hash_at = np.zeros(row, dtype=np.int64), np.zeros(row, dtype=np.int64)
    following, head = np.zeros(row, dtype=np.int32), np.zeros(row, dtype=np.int32)
    place_of = np.full(len(total) // LANES, -1, dtype=np.int32)
    # For each lane and place: number of links, and the factor that does not depend on the generated type. For
    # each lane: the sum and the maximum of these factors; the places of the nearest links left and right.
    fertility = np.zeros(LANES * row, dtype=np.int32)
    scale = np.zeros(LANES * row, dtype=np.float32)
    scale_sum, scale_highest = np.zeros(LANES, dtype=np.float32), np.zeros(LANES, dtype=np.float32)
    left, right = np.zeros(LANES, dtype=np.int64), np.zeros(LANES * column, dtype=np.int32)
    # For several tokens: the places and slots of their candidates, and where those of each token begin.
    room_for_candidates = max(row, 4096)
    place_at = np.zeros(room_for_candidates + 1, dtype=np.int32)
    slot_at = np.zeros(room_for_candidates + 1, dtype=np.int32)
    candidates_at = np.zeros(column + 1, dtype=np.int64)
    weight = np.zeros(LANES * row, dtype=np.float32)
    reached = np.zeros(LANES * (row + 1), dtype=np.float32)
    kept = np.zeros(LANES * row, dtype=np.float32)
    # For all other places: counts, which are 0, weights, and sums of weights; see `weigh`.
    nothing_counted, rest = np.zeros(row, dtype=np.int64), np.zeros(row, dtype=np.float32)
    sums, columns = np.zeros(WIDTH + 1, dtype=np.float32), np.zeros(WIDTH, dtype=np.float32)
    # For each lane: where its factors of jumps begin, and what its draw needs.
    from_left, to_right = np.zeros(LANES, dtype=np.int32), np.zeros(LANES, dtype=np.int32)
    own_head, below = np.zeros(LANES, dtype=np.int32), np.zeros(LANES, dtype=np.int32)
    null_weight, whole = np.zeros(LANES, dtype=np.float32), np.zeros(LANES, dtype=np.float32)
    x_of = np.zeros(LANES, dtype=np.float32)
    drawn = np.zeros(LANES, dtype=np.int64)
    at = 0
    for sentence in range(begin, end):
        first, first_token = given_offsets[U(sentence)], generated_offsets[U(sentence)]
        places = given_offsets[U(sentence + 1)] - first
        last_token = generated_offsets[U(sentence + 1)]
        if not room(rows, generated, first_token, last_token):
            return sentence
        for place in range(places - 1, -1, -1):
            e = int64(given[U(first + place)])
            type_at[U(place)] = e
            hash_at[U(place)] = hash_of(e)
            following[U(place)] = place_of[U(e)]
            place_of[U(e)] = place
        for place in range(places):
            head[U(place)] = place_of[U(type_at[U(place)])]
        for place in range(places):
            place_of[U(type_at[U(place)])] = -1
        blocks = (places + WIDTH - 1) // WIDTH
        for k in range(LANES * places):
            fertility[U(k)] = 0
        for lane in range(LANES):
            left[U(lane)] = -1
            nearest = places
            for token in range(last_token - 1, first_token - 1, -1):
                right[U((token - first_token) * LANES + lane)] = nearest
                if not is_first:
                    place = int64(link[U(token * LANES + lane)])
                    if place != none:
                        nearest = place
                        fertility[U(place * LANES + lane)] += 1
        if is_first:
            jump[U(zero + places + 1)] += LANES
        for place in range(places):
            e = type_at[U(place)]
            if is_first:
                fertility_counts[U(e * FERTILITIES)] += LANES
            for lane in range(LANES):
                links = min(int64(fertility[U(place * LANES + lane)]), FERTILITIES - 1)
                value = one / (float32(total[U(e * LANES + lane)]) + lexical_sum)
                scale[U(lane * row + place)] = value * ratio[U(e * FERTILITIES + links)]
        for lane in range(LANES):
            for place in range(places, blocks * WIDTH):
                scale[U(lane * row + place)] = nothing
            found_sum, found_highest = total_of(scale, lane * row, blocks, columns)
            scale_sum[U(lane)], scale_highest[U(lane)] = found_sum, found_highest
        looked_up = first_token
        token = first_token - 1
        while token < last_token - 1:
            token += 1
            if token == looked_up:
                # Look up the candidates of this token and the next ones, and prefetch their counts.
                filled = 0
                while looked_up < last_token and filled + places <= room_for_candidates:
                    f = int64(generated[U(looked_up)])
                    candidates_at[U(looked_up - first_token)] = filled
                    if sleep_of(asleep, looked_up) == 0 or is_last:
                        row_begin, size = int64(row_first[U(f)]), int64(row_size[U(f)])
                        within = (int64(1) << min(size, WIDTH)) - 1
                        buckets = max(size // WIDTH, 1)
                        for place in range(places):
                            e = type_at[U(place)]
                            bucket = bucket_of(hash_at[U(place)], buckets)
                            slot = row_begin + bucket * WIDTH
                            hits = equal(row_key, slot, e) & within
                            # A single branch, as the condition is rarely true.
                            while (
                                int64(hits == 0)
                                & int64(buckets > 1)
                                & int64(row_key[U(slot + WIDTH - 1)] != FREE)
                            ):
                                bucket = bucket_after(bucket, buckets)
                                slot = row_begin + bucket * WIDTH
                                hits = equal(row_key, slot, e)
                            slot += trailing_zeros(hits)
                            place_at[U(filled)] = place
                            slot_at[U(filled)] = slot
                            filled += int64(hits != 0)
                        for k in range(int64(candidates_at[U(looked_up - first_token)]), filled):
                            prefetch(row_count, slot_at[U(k)] * LANES)
                        prefetch(null, f * LANES)
                    looked_up += 1
                    candidates_at[U(looked_up - first_token)] = filled
            sleep = sleep_of(asleep, token)
            if sleep > 0 and not is_last:
                _set_sleep(asleep, token, sleep - 1)
                for lane in range(LANES):
                    place = int64(link[U(token * LANES + lane)])
                    left[U(lane)] = place if place != none else left[U(lane)]
                continue
            f = int64(generated[U(token)])
            first_candidate = candidates_at[U(token - first_token)]
            found = candidates_at[U(token - first_token + 1)] - first_candidate
            # The weights of the candidates, computed without the old link.
            for lane in range(LANES):
                from_left[U(lane)] = zero - left[U(lane)]
                to_right[U(lane)] = zero - right[U((token - first_token) * LANES + lane)]
                own_head[U(lane)] = -1
                old = none if is_first else int64(link[U(token * LANES + lane)])
                if old != none:
                    e, place = type_at[U(old)], int64(head[U(old)])
                    own_head[U(lane)] = place
                    own = one / (float32(total[U(e * LANES + lane)] - 1) + lexical_sum)
                    while place >= 0:
                        links = int64(fertility[U(place * LANES + lane)]) - int64(place == old)
                        value = own * ratio[U(e * FERTILITIES + min(links, FERTILITIES - 1))]
                        kept[U(lane * row + place)] = scale[U(lane * row + place)]
                        scale[U(lane * row + place)] = value
                        place = int64(following[U(place)])
            weigh_lanes(
                place_at, slot_at, first_candidate, first_candidate + found, row_count,
                upper_at(row_halves, row_size, f), head, own_head, lexical, scale, row,
                ahead, from_left, back, to_right, weight, reached,
            )  # fmt: skip
            counter = uint64(2 * (number * tokens + token))
            for lane in range(LANES):
                place = int64(own_head[U(lane)])
                while place >= 0:
                    scale[U(lane * row + place)] = kept[U(lane * row + place)]
                    place = int64(following[U(place)])
                taken = int64(own_head[U(lane)] < 0 and not is_first)
                of_null = null_prior * (
                    (float32(null[U(f * LANES + lane)] - taken) + lexical)
                    / (float32(null_total[U(lane)] - taken) + lexical_sum)
                )
                # The jump from the link before to the link after.
                across_at = zero + int64(from_left[U(lane)]) - int64(to_right[U(lane)])
                of_null *= across[U(across_at)]
                bound = scale_sum[U(lane)] * highest[U(across_at)]
                other_bound = scale_highest[U(lane)] * jump_sum[U(across_at)]
                bound = SLACK * (lexical * (bound if bound < other_bound else other_bound))
                null_weight[U(lane)] = of_null
                whole[U(lane)] = reached[U(found * LANES + lane)] + of_null + bound
                x_of[U(lane)] = short_uniform(keys_random[U(lane)], counter) * whole[U(lane)]
            count_lanes(reached, found, x_of, below)
            # Each lane draws.
            is_sure = not is_first
            for lane in range(LANES):
                old = none if is_first else int64(link[U(token * LANES + lane)])
                x, mass, of_null = (
                    x_of[U(lane)],
                    reached[U(found * LANES + lane)],
                    null_weight[U(lane)],
                )
                if x < mass and not is_last:
                    k = int64(below[U(lane)])
                    new = int64(place_at[U(first_candidate + k)])
                    likely = weight[U(k * LANES + lane)]
                elif x < mass + of_null and not is_last:
                    new, likely = none, of_null
                else:
                    # The weights of all other places.
                    likely = nothing
                    for k in range(found):
                        place = int64(place_at[U(first_candidate + k)])
                        kept[U(k)] = scale[U(lane * row + place)]
                        scale[U(lane * row + place)] = nothing
                    others = weigh(
                        nothing_counted, blocks, 0, 0, lexical, scale, lane * row, ahead,
                        int64(from_left[U(lane)]), back, int64(to_right[U(lane)]), rest, sums,
                    )  # fmt: skip
                    for k in range(found):
                        place = int64(place_at[U(first_candidate + k)])
                        scale[U(lane * row + place)] = kept[U(k)]
                    all_weights = mass + of_null + others
                    if is_last:
                        for k in range(found):
                            rest[U(place_at[U(first_candidate + k)])] = weight[U(k * LANES + lane)]
                        for place in range(places):
                            summed[U(at + place)] += rest[U(place)] / all_weights
                        summed[U(at + places)] += of_null / all_weights
                        continue
                    if x >= all_weights:
                        x = short_uniform(keys_random[U(lane)], counter + uint64(1)) * all_weights
                    if x < mass:
                        k = 0
                        for other in range(1, found):
                            k += int64(reached[U(other * LANES + lane)] <= x)
                        new = int64(place_at[U(first_candidate + k)])
                    elif x < mass + of_null:
                        new = none
                    else:
                        new = place_reached(places, blocks, x - (mass + of_null), rest, sums)
                drawn[U(lane)] = new
                is_sure = is_sure and new == old and likely > SURE * whole[U(lane)]
            if is_last:
                best, most = none, summed[U(at + places)]
                for place in range(places):
                    if summed[U(at + place)] > most:
                        best, most = place, summed[U(at + place)]
                drawn[:] = best
                at += places + 1
            _set_sleep(asleep, token, SLEEP if is_sure and may_sleep else 0)
            # Each lane updates its counts.
            for lane in range(LANES):
                new = drawn[U(lane)]
                old = none if is_first else int64(link[U(token * LANES + lane)])
                if new != none:
                    left[U(lane)] = new
                if new == old and not is_first:
                    continue
                link[U(token * LANES + lane)] = new
                ahead_at, back_at = int64(from_left[U(lane)]), 2 * zero - int64(to_right[U(lane)])
                for turn in range(2):
                    place, by = (old, -1) if turn == 0 else (new, 1)
                    if place == none:
                        if turn == 1 or not is_first:
                            null[U(f * LANES + lane)] += by
                            null_total[U(lane)] += by
                        jump[U(ahead_at + back_at - zero)] += by
                        continue
                    jump[U(ahead_at + place)] += by
                    jump[U(back_at - place)] += by
                    e = type_at[U(place)]
                    slot, is_row_changed = slot_of(rows, e, f), False
                    if slot < 0:
                        slot, is_row_changed = add(rows, e, f), True
                    beyond = upper_at(row_halves, row_size, f)
                    change(row_count, slot * LANES + lane, beyond, by)
                    if by < 0:
                        is_row_changed = free_unlinked(rows, slot, beyond)
                    if is_row_changed:
                        # Look up the candidates of later tokens of the same type again.
                        for later in range(looked_up - 1, token, -1):
                            if generated[U(later)] == f:
                                looked_up = later
                    total[U(e * LANES + lane)] += by
                    links = int64(fertility[U(place * LANES + lane)])
                    fertility_counts[U(e * FERTILITIES + min(links, FERTILITIES - 1))] -= 1
                    fertility_counts[U(e * FERTILITIES + min(links + by, FERTILITIES - 1))] += 1
                    fertility[U(place * LANES + lane)] = links + by
                    unlinked = one / (float32(total[U(e * LANES + lane)]) + lexical_sum)
                    same = int64(head[U(place)])
                    while same >= 0:
                        links = min(int64(fertility[U(same * LANES + lane)]), FERTILITIES - 1)
                        scale[U(lane * row + same)] = unlinked * ratio[U(e * FERTILITIES + links)]
                        same = int64(following[U(same)])
                found_sum, found_highest = total_of(scale, lane * row, blocks, columns)
                scale_sum[U(lane)], scale_highest[U(lane)] = found_sum, found_highest
    return end


@njit(forceinline=True)
def sleep_of(asleep: UInt8, token: int) -> int:
    """The number of sweeps for which a token still sleeps."""
    return (int64(asleep[U(token >> 2)]) >> 2 * (token & 3)) & 3


@njit(forceinline=True)
def _set_sleep(asleep: UInt8, token: int, sweeps: int) -> None:
    shift = 2 * (token & 3)
    others = int64(asleep[U(token >> 2)]) & ~(3 << shift)
    asleep[U(token >> 2)] = others | sweeps << shift


@njit
def _longest(offsets: Int64, begin: int, end: int) -> int:
    longest = 0
    for s in range(begin, end):
        longest = max(longest, int64(offsets[s + 1] - offsets[s]))
    return longest
