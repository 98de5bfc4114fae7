"""The sampler for large texts: a sweep whose memory grows with the tokens, not with their pairs.

It draws from the same distribution as `_sweep`, but keeps no number for each pair of tokens:

- Counts of cells, (conditioning type, generated type), are in a hash table, which holds those with links.
- Each pair of tokens has one bit, which says that its cell may have links: the token is a *candidate*.
  A *full* sweep looks all cells up and sets the bits anew; others look up the candidates alone, and take
  the counts of all others for 0, so that their weights, small as they are, may be those of some sweeps ago.
- A link is not taken out of the counts while its successor is drawn: what it adds is left out of the
  weights of its type, and counts change only if the draw differs, which few do.
- The tokens that are no candidates together have a small share. Their weights are bounded from above, and
  computed only if the draw falls within the bound; if it then falls behind their sum, a second is made.
- Jumps and fertilities are those of the sweep before, of all samplers together. Fertilities have their
  mean rather than a random draw.
- A token that all samplers redrew unchanged, with a probability that is close to 1, sleeps for some sweeps.

So samplers (*lanes*) depend on each other, and all of one direction go over the text together.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seggrid.align.gibbs._chains import BEYOND, Float32, Prior, UInt64
from seggrid.align.gibbs._known import FERTILITIES
from seggrid.align.gibbs._random import random_bits, short_uniform
from seggrid.align.gibbs._vectors import prefetch
from seggrid.align.pairs import Int32, Int64
from seggrid.base.compiled import float32, int64, njit, uint64

SURE = float32(0.98)
"""The probability of a draw above which its token may sleep."""

SLEEP = 3
"""Sweeps that a token sleeps."""

SLACK = float32(1.001)
"""Factor on the bound of weights, which are rounded."""

UInt8 = NDArray[np.uint8]
U = uint64

_32, _LOW = np.uint64(32), np.uint64((1 << 32) - 1)
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


class Sides(NamedTuple):
    """Types and sentences of the conditioning and of the generated side; see `_corpus.Corpus`."""

    given: Int32
    given_offsets: Int64
    generated: Int32
    generated_offsets: Int64


class Lanes(NamedTuple):
    """The state of L samplers; V and W are the numbers of conditioning and generated types.

    Arrays are flat; where they have an element for each lane, the lane is the last dimension.

    Attributes:
        key: of each lane's random numbers, uint64, shape (L,).
        link: place of the conditioning token that each generated token links to; the largest number of
            its type for NULL; unsigned, shape (T x L).
        asleep: sweeps for which each generated token sleeps, uint8, shape (T,).
        candidate: bits of each generated token, in whole bytes, uint8.
        total: links of each conditioning type, int32, shape (V x L).
        null: NULL links of each generated type, int32, shape (W x L).
        null_total: all NULL links, int64, shape (L,).
        jump: how often the jumps -D..D occur in all lanes, int64, shape (2 D + 1,); those of the links
            of the last sweep, or of the sentence pairs that it has reached.
        kind: how many tokens of each conditioning type have 0..7 links in all lanes, int32, shape (V x 8).
    """

    key: UInt64
    link: NDArray[np.unsignedinteger]
    asleep: UInt8
    candidate: UInt8
    total: Int32
    null: Int32
    null_total: Int64
    jump: Int64
    kind: Int32


class Factors(NamedTuple):
    """The factors of a draw that are fixed within a sweep, float32.

    Attributes:
        ahead, back: of the jumps -D..D from the link before to a place, and from there to the link after.
        across: of the jumps -D..D from the link before to the one after, for NULL.
        highest, sum: the highest product of `ahead` and `back`, and their sum, for each jump -D..D.
        ratio: quotients of the probabilities of k + 1 and k links, shape (V x 8).
    """

    ahead: Float32
    back: Float32
    across: Float32
    highest: Float32
    sum: Float32
    ratio: Float32


@njit(forceinline=True)
def slot_of(table: Int32, slots: int, stride: int, given: int, generated: int) -> int:
    """Index of a cell's first count in a table, or where it is to be put, negative and less 1.

    Args:
        table: int32, shape (slots x stride,): of each slot the conditioning type plus 1, which is 0 if the
            slot is free, the generated type, and the count of each lane.
        slots: uint64.
    """
    slot = _home(slots, given, generated)
    while True:
        at = int64(slot) * stride
        first = int64(table[U(at)])
        if first == given + 1 and int64(table[U(at + 1)]) == generated:
            return at + 2
        if first == 0:
            return -(at + 2) - 1
        slot += uint64(1)
        if slot == slots:
            slot = uint64(0)


@njit(forceinline=True)
def _home(slots: int, given: int, generated: int) -> int:
    """The slot from which a cell is looked for."""
    h = ((uint64(given) << _32) | uint64(generated)) * _GOLDEN
    return uint64(((h >> _32) * slots) >> _32)


def rebuilt(table: Int32, lanes: int, spare: int) -> tuple[Int32, int]:
    """A table without the cells that have no links, and how many cells it has.

    Args:
        spare: cells for which there is to be room.
    """
    kept = int(_linked(table, lanes))
    # NumPy's memory, not numba's: NumPy asks for large pages, which random look-ups need.
    fresh = np.zeros((int((kept + spare) * 1.6) + 8) * (lanes + 2), dtype=np.int32)
    _copy(table, fresh, lanes)
    return fresh, kept


@njit
def _linked(table: Int32, lanes: int) -> int:
    """How many cells have links."""
    linked = 0
    for at in range(0, len(table), lanes + 2):
        linked += _is_linked(table, at + 2, lanes)
    return linked


@njit
def _copy(table: Int32, fresh: Int32, lanes: int) -> None:
    """Put the cells with links into an empty table."""
    stride = lanes + 2
    slots = uint64(len(fresh) // stride)
    for at in range(0, len(table), stride):
        if _is_linked(table, at + 2, lanes):
            given, generated = int64(table[at]) - 1, int64(table[at + 1])
            to = -slot_of(fresh, slots, stride, given, generated) - 1
            for k in range(stride):
                fresh[to - 2 + k] = table[at + k]


@njit(forceinline=True)
def _is_linked(table: Int32, at: int, lanes: int) -> bool:
    linked = False
    for lane in range(lanes):
        linked = linked or table[U(at + lane)] != 0
    return linked


@njit
def start(
    begin: int, end: int, sides: Sides, prior: Prior, lanes: Lanes, table: Int32, used: Int64
) -> int:
    """Link each token to NULL with the prior's probability, else to any token alike; see `sweep`."""
    given, given_offsets, generated, generated_offsets = sides
    width = len(lanes.key)
    stride = width + 2
    none = largest(lanes.link)
    slots = uint64(len(table) // stride)
    limit = int64(slots) * 3 // 4
    for s in range(begin, end):
        a, b = given_offsets[s], generated_offsets[s]
        n, m = given_offsets[s + 1] - a, generated_offsets[s + 1] - b
        if used[0] + m * width > limit:
            return s
        for t in range(b, b + m):
            for lane in range(width):
                bits = random_bits(lanes.key[lane], np.uint64(t))
                if np.float64(int64(bits >> _32)) < prior.null * 2.0**32:
                    lanes.link[t * width + lane] = none
                    lanes.null[generated[t] * width + lane] += 1
                    lanes.null_total[lane] += 1
                    continue
                place = (int64(bits & _LOW) * n) >> 32
                lanes.link[t * width + lane] = place
                lanes.total[given[a + place] * width + lane] += 1
                at = slot_of(table, slots, stride, int64(given[a + place]), int64(generated[t]))
                if at < 0:
                    at = _added(table, at, int64(given[a + place]), int64(generated[t]), used)
                table[at + lane] += 1
    return end


@njit
def add_known(
    given: Int64, generated: Int64, counts: Int64, table: Int32, used: Int64, width: int
) -> None:
    """Add the links of some cells, by their types, to the counts of all lanes."""
    slots = uint64(len(table) // (width + 2))
    for k in range(len(counts)):
        at = slot_of(table, slots, width + 2, given[k], generated[k])
        if at < 0:
            at = _added(table, at, given[k], generated[k], used)
        for lane in range(width):
            table[at + lane] += counts[k]


@njit
def _added(table: Int32, at: int, given: int, generated: int, used: Int64) -> int:
    """Put a cell where `slot_of` says, and return the index of its first count."""
    at = -at - 1
    table[U(at - 2)] = given + 1
    table[U(at - 1)] = generated
    used[0] += 1
    return at


@njit
def largest(numbers: NDArray[np.unsignedinteger]) -> int:
    """The largest number of an array's type, which stands for NULL."""
    return (int64(1) << (8 * numbers.itemsize)) - 1


@njit
def set_factors(prior: Prior, lanes: Lanes, factors: Factors, model: int, is_first: bool) -> None:
    """The factors of the next sweep, from the jumps and fertilities that were counted.

    Args:
        model: 1 lexical, 2 with jumps, 3 with fertilities.
        is_first: whether links are drawn for the first time: nothing is known of those to the right.
    """
    width, jumps = len(lanes.key), len(lanes.jump)
    for table in (factors.ahead, factors.back, factors.across):
        table[:] = 1.0
    factors.ratio[:] = 1.0
    if model >= 2:
        every = lanes.jump.sum() + width * 100.0 * prior.jump
        for d in range(jumps):
            share = np.float32((lanes.jump[d] + width * prior.jump) / every)
            factors.ahead[d] = share
            if not is_first:
                factors.back[d] = share
                factors.across[d] = share
    if model >= 3:
        own = width * prior.fertility
        for at in range(len(lanes.kind)):
            if at % FERTILITIES == FERTILITIES - 1:
                factors.ratio[at] = BEYOND
            else:
                factors.ratio[at] = np.float32((lanes.kind[at + 1] + own) / (lanes.kind[at] + own))
    # A jump d from l to r by way of i is one of i - l and one of d - (i - l).
    zero = jumps // 2
    for d in range(-zero, zero + 1):
        highest, total = np.float32(0.0), np.float32(0.0)
        for x in range(max(-zero, d - zero), min(zero, d + zero) + 1):
            product = factors.ahead[zero + x] * factors.back[zero + d - x]
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
    table: Int32,
    used: Int64,
    number: int,
    is_first: bool,
    is_full: bool,
    may_sleep: bool,
    summed: Float32,
) -> int:
    """Draw the link of each generated token of sentence pairs `begin:end` anew, as far as the table has room.

    Args:
        table: counts of cells; see `slot_of`.
        used: how many cells the table has, and where the bits of sentence pair `begin` are, int64,
            shape (2,); is updated.
        number: of the sweep, which no other may have.
        is_first: whether the tokens have no links yet.
        is_full: whether all cells are looked up; so it is if `is_first`.
        may_sleep: whether tokens may sleep.
        summed: empty; or, in the last sweep, where each token's distribution is added, lane after
            lane, and from which the most probable link is taken rather than drawn; float32, shape
            (positions + generated tokens of these sentence pairs,), that of NULL behind the others.

    Returns:
        The sentence pair before which the table has to be made larger, or `end`.
    """
    given, given_offsets, generated, generated_offsets = sides
    key, link, asleep, candidate, total, null, null_total, jump, kind = lanes
    ahead, back, across, highest, jump_sum, ratio = factors
    width = len(key)
    stride = width + 2
    none = largest(link)
    slots = uint64(len(table) // stride)
    limit = int64(slots) * 3 // 4
    zero = len(jump) // 2
    lexical, lexical_sum = float32(prior.lexical), float32(prior.lexical_sum)
    null_prior = float32(prior.null)
    one, nothing = float32(1.0), float32(0.0)
    looks_up_all = is_first or is_full
    is_last = len(summed) > 0
    tokens = len(generated)
    row, column = _longest(given_offsets, begin, end), _longest(generated_offsets, begin, end)
    # Of a sentence pair: the next place of the same type, or -1, and the first one.
    following, head = np.zeros(row, dtype=np.int64), np.zeros(row, dtype=np.int64)
    place_of = np.full(len(total) // width, -1, dtype=np.int32)
    # Per lane and place: links, and the factor that does not depend on the generated type; per lane, the
    # sum of these factors and the highest; the links next to the token on the left and the right.
    fertility = np.zeros(width * row, dtype=np.int64)
    scale = np.zeros(width * row, dtype=np.float32)
    scale_sum, scale_highest = np.zeros(width, dtype=np.float32), np.zeros(width, dtype=np.float32)
    left, right = np.zeros(width, dtype=np.int64), np.zeros(width * column, dtype=np.int64)
    # Of a token: its candidates' places, the index of their counts, and which of them a place is, or -1.
    place_at, count_at = np.zeros(row + 1, dtype=np.int64), np.zeros(row + 1, dtype=np.int64)
    which = np.full(row, -1, dtype=np.int64)
    weight, reached = np.zeros(row + 1, dtype=np.float32), np.zeros(row + 1, dtype=np.float32)
    rest, kept = np.zeros(row, dtype=np.float32), np.zeros(row, dtype=np.float32)
    drawn = np.zeros(width, dtype=np.int64)
    at = 0
    for sentence in range(begin, end):
        first, first_token = given_offsets[U(sentence)], generated_offsets[U(sentence)]
        places = given_offsets[U(sentence + 1)] - first
        last_token = generated_offsets[U(sentence + 1)]
        if used[0] + (last_token - first_token) * width > limit:
            return sentence
        bytes_of_token = (places + 7) >> 3
        for place in range(places - 1, -1, -1):
            e = int64(given[U(first + place)])
            following[U(place)] = place_of[U(e)]
            place_of[U(e)] = place
        for place in range(places):
            head[U(place)] = place_of[U(int64(given[U(first + place)]))]
        for place in range(places):
            place_of[U(int64(given[U(first + place)]))] = -1
        for lane in range(width):
            for place in range(places):
                fertility[U(lane * row + place)] = 0
            left[U(lane)] = -1
            nearest = places
            for token in range(last_token - 1, first_token - 1, -1):
                right[U(lane * column + token - first_token)] = nearest
                if not is_first:
                    place = int64(link[U(token * width + lane)])
                    if place != none:
                        nearest = place
                        fertility[U(lane * row + place)] += 1
            factor_sum, factor_highest = nothing, nothing
            for place in range(places):
                e = int64(given[U(first + place)])
                links = min(fertility[U(lane * row + place)], FERTILITIES - 1)
                value = one / (float32(total[U(e * width + lane)]) + lexical_sum)
                value *= ratio[U(e * FERTILITIES + links)]
                scale[U(lane * row + place)] = value
                factor_sum += value
                factor_highest = max(factor_highest, value)
            scale_sum[U(lane)], scale_highest[U(lane)] = factor_sum, factor_highest
        for token in range(first_token, last_token):
            f = int64(generated[U(token)])
            bits_at = used[1]
            used[1] += bytes_of_token
            if asleep[U(token)] > 0 and not looks_up_all:
                asleep[U(token)] -= 1
                for lane in range(width):
                    place = int64(link[U(token * width + lane)])
                    if place != none:
                        left[U(lane)] = place
                continue
            if token + 1 < last_token and (looks_up_all or asleep[U(token + 1)] == 0):
                # The memory is slow, so what the next token looks up is fetched now.
                next_type = int64(generated[U(token + 1)])
                prefetch(null, next_type * width)
                for place in range(places):
                    bit = candidate[U(used[1] + (place >> 3))] >> np.uint8(place & 7)
                    if looks_up_all or bit & np.uint8(1):
                        home = _home(slots, int64(given[U(first + place)]), next_type)
                        prefetch(table, int64(home) * stride)
            # The candidates.
            found = 0
            if looks_up_all:
                for k in range(bytes_of_token):
                    candidate[U(bits_at + k)] = 0
                for place in range(places):
                    slot = slot_of(table, slots, stride, int64(given[U(first + place)]), f)
                    if slot >= 0 and _is_linked(table, slot, width):
                        place_at[U(found)] = place
                        count_at[U(found)] = slot
                        found += 1
                        candidate[U(bits_at + (place >> 3))] |= np.uint8(1 << (place & 7))
            else:
                for place in range(places):
                    place_at[U(found)] = place
                    found += (int64(candidate[U(bits_at + (place >> 3))]) >> (place & 7)) & 1
                for k in range(found):
                    e = int64(given[U(first + place_at[U(k)])])
                    count_at[U(k)] = slot_of(table, slots, stride, e, f)
            for k in range(found):
                which[U(place_at[U(k)])] = k
            # Each lane draws.
            is_sure = True
            for lane in range(width):
                old = none if is_first else int64(link[U(token * width + lane)])
                before, after = left[U(lane)], right[U(lane * column + token - first_token)]
                from_left, to_right = zero - before, zero + after
                own_head = int64(-1)
                if old != none:
                    # What the link itself adds to the counts of its type is left out.
                    own_head = head[U(old)]
                    e = int64(given[U(first + old)])
                    own = one / (float32(total[U(e * width + lane)] - 1) + lexical_sum)
                    place = own_head
                    while place >= 0:
                        links = fertility[U(lane * row + place)] - int64(place == old)
                        value = own * ratio[U(e * FERTILITIES + min(links, FERTILITIES - 1))]
                        kept[U(place)] = scale[U(lane * row + place)]
                        scale[U(lane * row + place)] = value
                        place = following[U(place)]
                mass = nothing
                for k in range(found):
                    place, slot = place_at[U(k)], count_at[U(k)]
                    count = int64(table[U(slot + lane)]) if slot >= 0 else int64(0)
                    count -= int64(head[U(place)] == own_head)
                    value = (float32(count) + lexical) * (
                        scale[U(lane * row + place)]
                        * (ahead[U(from_left + place)] * back[U(to_right - place)])
                    )
                    weight[U(k)] = value
                    mass += value
                    reached[U(k)] = mass
                place = own_head
                while place >= 0:
                    scale[U(lane * row + place)] = kept[U(place)]
                    place = following[U(place)]
                taken = int64(old == none and not is_first)
                of_null = null_prior * (
                    (float32(null[U(f * width + lane)] - taken) + lexical)
                    / (float32(null_total[U(lane)] - taken) + lexical_sum)
                )
                of_null *= across[U(zero + after - before)]
                bound = SLACK * (
                    lexical
                    * min(
                        scale_sum[U(lane)] * highest[U(zero + after - before)],
                        scale_highest[U(lane)] * jump_sum[U(zero + after - before)],
                    )
                )
                counter = uint64(2 * (number * tokens + token))
                whole = mass + of_null + bound
                x = short_uniform(key[U(lane)], counter) * whole
                if is_last or x >= mass + of_null:
                    # The weights of all others.
                    for place in range(places):
                        rest[U(place)] = lexical * (
                            scale[U(lane * row + place)]
                            * (ahead[U(from_left + place)] * back[U(to_right - place)])
                        )
                    for k in range(found):
                        rest[U(place_at[U(k)])] = nothing
                    others = nothing
                    for place in range(places):
                        others += rest[U(place)]
                    if is_last:
                        whole = mass + of_null + others
                        for k in range(found):
                            rest[U(place_at[U(k)])] = weight[U(k)]
                        for place in range(places):
                            summed[U(at + place)] += rest[U(place)] / whole
                        summed[U(at + places)] += of_null / whole
                        continue
                    if x >= mass + of_null + others:
                        second = short_uniform(key[U(lane)], counter + uint64(1))
                        x = second * (mass + of_null + others)
                if x < mass:
                    # Counted, rather than looked for: no jump that depends on the draw.
                    k = 0
                    for other in range(found - 1):
                        k += int64(reached[U(other)] <= x)
                    new = place_at[U(k)]
                    likely = weight[U(k)]
                elif x < mass + of_null:
                    new, likely = none, of_null
                else:
                    x -= mass + of_null
                    place, behind = 0, rest[0]
                    while behind <= x and place < places - 1:
                        place += 1
                        behind += rest[U(place)]
                    new, likely = place, nothing
                drawn[U(lane)] = new
                is_sure = is_sure and new == old and likely > SURE * whole
            if is_last:
                best, most = none, summed[U(at + places)]
                for place in range(places):
                    if summed[U(at + place)] > most:
                        best, most = place, summed[U(at + place)]
                drawn[:] = best
                at += places + 1
            asleep[U(token)] = SLEEP if is_sure and may_sleep else 0
            # Each lane changes its counts.
            for lane in range(width):
                new = drawn[U(lane)]
                old = none if is_first else int64(link[U(token * width + lane)])
                if new != none:
                    left[U(lane)] = new
                if new == old and not is_first:
                    continue
                link[U(token * width + lane)] = new
                for turn in range(2):
                    place, change = (old, -1) if turn == 0 else (new, 1)
                    if turn == 0 and is_first:
                        continue
                    if place == none:
                        null[U(f * width + lane)] += change
                        null_total[U(lane)] += change
                        continue
                    e = int64(given[U(first + place)])
                    k = which[U(place)]
                    slot = count_at[U(k)] if k >= 0 else int64(-1)
                    if slot < 0:
                        slot = slot_of(table, slots, stride, e, f)
                        if slot < 0:
                            slot = _added(table, slot, e, f, used)
                        if k >= 0:
                            count_at[U(k)] = slot
                    table[U(slot + lane)] += change
                    total[U(e * width + lane)] += change
                    fertility[U(lane * row + place)] += change
                    unlinked = one / (float32(total[U(e * width + lane)]) + lexical_sum)
                    same = head[U(place)]
                    while same >= 0:
                        links_of = min(fertility[U(lane * row + same)], FERTILITIES - 1)
                        scale[U(lane * row + same)] = (
                            unlinked * ratio[U(e * FERTILITIES + links_of)]
                        )
                        candidate[U(bits_at + (same >> 3))] |= np.uint8(1 << (same & 7))
                        same = following[U(same)]
                factor_sum, factor_highest = nothing, nothing
                for place in range(places):
                    value = scale[U(lane * row + place)]
                    factor_sum += value
                    factor_highest = max(factor_highest, value)
                scale_sum[U(lane)], scale_highest[U(lane)] = factor_sum, factor_highest
            for k in range(found):
                which[U(place_at[U(k)])] = -1
        for lane in range(width):
            before = int64(-1)
            for token in range(first_token, last_token):
                place = int64(link[U(token * width + lane)])
                if place != none:
                    jump[U(zero + place - before)] += 1
                    before = place
            jump[U(zero + places - before)] += 1
            for place in range(places):
                links_of = min(fertility[U(lane * row + place)], FERTILITIES - 1)
                kind[U(int64(given[U(first + place)]) * FERTILITIES + links_of)] += 1
    return end


@njit
def _longest(offsets: Int64, begin: int, end: int) -> int:
    longest = 0
    for s in range(begin, end):
        longest = max(longest, int64(offsets[s + 1] - offsets[s]))
    return longest
