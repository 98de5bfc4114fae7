"""The sampler's kernels: sweeps over the generated tokens of one direction.

`sampling` has the distribution from which a link is drawn. Four samplers (*lanes*) go over the text together,
token by token, and depend on each other:

- Jumps and fertilities are counted over all lanes, and their factors are computed before each sweep. The
  probabilities of fertilities are means, not random draws.
- The old link of a token is not subtracted from the counts while the new one is drawn. Instead, the weights
  of its type are computed without it; the counts change only if the new link differs, which is rare.
- If all lanes draw the same link for a token as before, each with a probability close to 1, the token
  *sleeps*: it is skipped for some sweeps.
- If there are many conditioning types, the *candidates* of a token are the places whose types had links with
  its type, in any lane, when all places were last looked up, in a *full* sweep, or that the token linked to
  since. In other sweeps only candidates are looked up, and the links of all other places count as none. With
  few types all sweeps are full.

Weights are computed and added by column, `WIDTH` at a time, so that sums are the same with vectors of any
width (`_weights`). Kernels without allocations need none of numba's counts of references (`_nrt`), and all
that a draw calls is inlined. No kernel of `gibbs` calls `sum`, `max` or `append` of NumPy, for which numba
imports scipy's linear algebra, which takes longer than a short text.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seggrid.align.gibbs._rows import FIRST, LANES, SIZE, Rows, U, change, field, has_room, slot_in
from seggrid.align.gibbs._weights import WIDTH, weigh
from seggrid.base.arrays import Float32, Int32, Int64, UInt8, UInt64
from seggrid.base.compiled import float32, int64, njit, uint64
from seggrid.base.random_bits import random_bits
from seggrid.base.vectors import bits_from, lowest_bit, prefetch

FERTILITIES = 8
"""Classes of fertility: 0 to 6, and 7 or more."""

BEYOND = float32(1e-10)
"""p(8) / p(7): hardly any token has more than seven links."""

ALL_JUMPS = 100.0
"""Prior count of all jumps together, as a multiple of the prior count of one jump."""

SURE = float32(0.98)
"""A token may sleep if the probability of its link is higher."""

SLEEP = 3
"""Number of sweeps for which a token sleeps."""

OFTEN = 4
"""With candidates, every so many sweeps are full."""

FIRST_NULL = float32(0.05)
"""The probability of NULL where a token gets its first link by the counts of other sentence pairs. By these
counts, tokens of rarer types never link to NULL, and later sweeps keep to that."""

_ONE, _NOTHING = float32(1.0), float32(0.0)
_32, _LOW = np.uint64(32), np.uint64((1 << 32) - 1)
_40 = uint64(40)


class SampledText(NamedTuple):
    """Types and sentences of the conditioning and of the generated side.

    Attributes:
        conditioning, generated: type of each token, int32, shapes (N,) and (T,).
        conditioning_offsets, generated_offsets: where the sentences begin, int64, shape (S + 1,).
    """

    conditioning: Int32
    conditioning_offsets: Int64
    generated: Int32
    generated_offsets: Int64


class PriorParameters(NamedTuple):
    """Parameters of the priors, float32.

    Attributes:
        lexical, jump, fertility: the parameters of the Dirichlet distributions.
        lexical_sum: `lexical` times (the number of generated types + 1).
        null: prior probability of NULL.
    """

    lexical: float
    jump: float
    fertility: float
    lexical_sum: float
    null: float


class Lanes(NamedTuple):
    """The state of the samplers; V and W are the numbers of conditioning and generated types.

    Attributes:
        key: of each lane's random numbers, uint64, shape (LANES,).
        link: place of the conditioning token that each generated token links to, or, for NULL, the largest
            number of the array's type; unsigned, shape (T, LANES).
        asleep: number of sweeps for which each generated token still sleeps, uint8, shape (T,).
        candidates: a bit for each place that is a candidate of a generated token; each token has as many
            bytes as its sentence's places need, and 8 follow the last, uint8; empty if all sweeps are full.
        candidates_offsets: where the candidates of each sentence's tokens begin, int64, shape (S + 1,).
        total: number of links of each conditioning type, int32, shape (V, LANES).
        null: number of NULL links of each generated type, int32, shape (W, LANES).
        null_total: number of all NULL links, int64, shape (LANES,).
        jump: how often the jumps -D..D occur in all lanes, int64, shape (2 D + 1,); D is `WIDTH` more than
            the longest jump.
        fertilities: how many tokens of each conditioning type have 0..7 links, in all lanes, int32,
            shape (V, 8).
    """

    key: UInt64
    link: NDArray[np.unsignedinteger]
    asleep: UInt8
    candidates: UInt8
    candidates_offsets: Int64
    total: Int32
    null: Int32
    null_total: Int64
    jump: Int64
    fertilities: Int32


class Factors(NamedTuple):
    """The factors of a draw that are fixed within a sweep, float32.

    Attributes:
        ahead: factors of the jumps -D..D from the link before to a place, shape (2 D + 1,).
        back: factors of the jumps D..-D from that place to the link after, shape (2 D + 1,).
        across: factors of the jumps -D..D from the link before to the link after, for NULL, shape
            (2 D + 1,).
        ratio: quotients of the probabilities of k + 1 and k links, shape (V, 8).
    """

    ahead: Float32
    back: Float32
    across: Float32
    ratio: Float32


class Sentence(NamedTuple):
    """The sentence pair that is being drawn, with room for the longest of the text, N places and T tokens.

    Attributes:
        type: conditioning type of each place, int32, shape (N,).
        head: for each conditioning type, its first place, or N + 1 if it is not in the sentence, int32, shape
            (V,).
        following: the next place of the same type, or -1, int32, shape (N,).
        fertility: number of links of each place, int32, shape (LANES, N).
        ratio: of each place, that of its number of links (`Factors`), float32, shape (LANES, N).
        scale: factor of each place that does not depend on the generated type, float32, shape (LANES, N).
            Both are 0 from the last place to the next multiple of `WIDTH`.
        left, right: places of the nearest links left and right of a token, int32, shapes (LANES,) and
            (T, LANES).
        links: a token's counts of links of each place (`Rows.links`), uint64, shape (2, N + 1).
        weight: of each place, but 0 of that of the old link, float32, shape (LANES, N).
        reached: for each column of `WIDTH` places, the sum of the weights up to it, float32, shape
            (LANES, WIDTH).
        own: weight of the old link in each lane, float32, shape (LANES,).
        null: weight of NULL in each lane, unless that is the old link, float32, shape (LANES,).
        drawn: the link that each lane draws, int64, shape (LANES,).
    """

    type: Int32
    head: Int32
    following: Int32
    fertility: Int32
    ratio: Float32
    scale: Float32
    left: Int32
    right: Int32
    links: UInt64
    weight: Float32
    reached: Float32
    own: Float32
    null: Float32
    drawn: Int64


class State(NamedTuple):
    """All that a sweep works on."""

    text: SampledText
    prior: PriorParameters
    lanes: Lanes
    factors: Factors
    rows: Rows
    sentence: Sentence


def sentence_for(types: int, conditioning: int, generated: int) -> Sentence:
    """A `Sentence` for a number of conditioning types and the lengths of the longest sentences."""
    places = -(-conditioning // WIDTH) * WIDTH

    def whole(*shape: int) -> Int32:
        return np.zeros(shape, dtype=np.int32)

    def real(*shape: int) -> Float32:
        return np.zeros(shape, dtype=np.float32)

    return Sentence(
        type=whole(places),
        head=np.full(types, places, dtype=np.int32),
        following=whole(places),
        fertility=whole(LANES, places),
        ratio=real(LANES, places),
        scale=real(LANES, places),
        left=whole(LANES),
        right=whole(generated, LANES),
        links=np.zeros((2, places + 1), dtype=np.uint64),
        weight=real(LANES, places),
        reached=real(LANES, WIDTH),
        own=real(LANES),
        null=real(LANES),
        drawn=np.zeros(LANES, dtype=np.int64),
    )


@njit(_nrt=False, forceinline=True)
def uniform_float32(key: int, counter: int) -> float:
    """A multiple of 2^-24 in [0, 1), float32."""
    return float32(int64(random_bits(key, counter) >> _40)) * float32(2.0**-24)


@njit(_nrt=False, forceinline=True)
def none_of(numbers: NDArray[np.unsignedinteger]) -> int:
    """The largest number of an array's type, which stands for NULL."""
    return (int64(1) << (8 * numbers.itemsize)) - 1


@njit(_nrt=False)
def start(
    begin: int, end: int, text: SampledText, prior: PriorParameters, lanes: Lanes, rows: Rows
) -> int:
    """Link each token to NULL with its prior probability, else to any token with equal probability.

    Returns:
        The sentence pair before which the rows need more room, or `end`.
    """
    none, zero = none_of(lanes.link), len(lanes.jump) // 2
    for s in range(begin, end):
        a, b = text.conditioning_offsets[s], text.generated_offsets[s]
        n, behind = text.conditioning_offsets[s + 1] - a, text.generated_offsets[s + 1]
        if not has_room(rows, text.generated, b, behind):
            return s
        for lane in range(LANES):
            before = int64(-1)
            for t in range(b, behind):
                bits = random_bits(lanes.key[lane], uint64(t))
                f = int64(text.generated[t])
                if np.float64(int64(bits >> _32)) < prior.null * 2.0**32:
                    lanes.link[t, lane] = none
                    lanes.null[f, lane] += 1
                    lanes.null_total[lane] += 1
                    continue
                place = (int64(bits & _LOW) * n) >> 32
                lanes.link[t, lane] = place
                e = int64(text.conditioning[a + place])
                lanes.total[e, lane] += 1
                change(rows, e, f, lane, 1)
                lanes.jump[zero + place - before] += 1
                before = place
            lanes.jump[zero + n - before] += 1
            for place in range(n):
                links = 0
                for t in range(b, behind):
                    links += int64(lanes.link[t, lane]) == place
                lanes.fertilities[text.conditioning[a + place], min(links, FERTILITIES - 1)] += 1
    return end


@njit(_nrt=False, error_model="numpy")
def set_factors(
    prior: PriorParameters, lanes: Lanes, factors: Factors, model: int, is_first: bool
) -> None:
    """Set the factors of the next sweep from the counts of jumps and fertilities.

    Args:
        model: 1 lexical, 2 with jumps, 3 with fertilities.
        is_first: whether links are drawn for the first time, so that there are no links to the right yet.
    """
    zero = len(lanes.jump) // 2
    jumps = int64(0)
    for count in lanes.jump:
        jumps += count
    every = jumps + LANES * ALL_JUMPS * prior.jump
    for d in range(-zero, zero + 1):
        share = _ONE
        if model >= 2:
            share = float32((lanes.jump[zero + d] + LANES * prior.jump) / every)
        factors.ahead[zero + d] = share
        factors.back[zero - d] = _ONE if is_first else share
        factors.across[zero + d] = share
    for e in range(len(factors.ratio)):
        for k in range(FERTILITIES):
            value = _ONE
            if model >= 3:
                value = BEYOND
                if k < FERTILITIES - 1:
                    more, own = lanes.fertilities[e, k + 1], LANES * prior.fertility
                    value = float32((more + own) / (lanes.fertilities[e, k] + own))
            factors.ratio[e, k] = value


@njit(_nrt=False, error_model="numpy", forceinline=True)
def sweep(
    begin: int,
    end: int,
    state: State,
    number: int,
    is_first: bool,
    is_full: bool,
    may_sleep: bool,
    summed: Float32,
    used: int,
) -> int:
    """Draw the link of each generated token of sentence pairs `begin:end` anew, until the rows lack room.

    Args:
        number: number of the sweep, different from that of all other sweeps.
        is_first: whether the tokens have no links yet.
        is_full: whether all places are looked up.
        may_sleep: whether tokens may sleep.
        summed: the first `used` lanes add the distribution of each token to it, the value for NULL last;
            float32, shape (positions + generated tokens of these sentence pairs,).
        used: 0, except in the last sweep, in which no token sleeps.

    Returns:
        The sentence pair before which the rows need more room, or `end`.
    """
    text, _, lanes, _, rows, sentence = state
    none, has_candidates = none_of(lanes.link), len(lanes.candidates) > 0
    at = 0
    for s in range(begin, end):
        first, last = text.generated_offsets[s], text.generated_offsets[s + 1]
        if not has_room(rows, text.generated, first, last):
            return s
        a, behind = text.conditioning_offsets[s], text.conditioning_offsets[s + 1]
        places = behind - a
        width = (places + 7) // 8
        _enter(a, places, first, last, state, is_first)
        for token in range(first, last):
            if lanes.asleep[U(token)] > 0 and used == 0:
                lanes.asleep[U(token)] -= 1
                for lane in range(LANES):
                    place = int64(lanes.link[U(token), U(lane)])
                    if place != none:
                        sentence.left[U(lane)] = place
                continue
            f = int64(text.generated[U(token)])
            candidates = lanes.candidates_offsets[s] + (token - first) * width
            if is_full:
                _look_up_all(f, places, rows, sentence)
                if has_candidates:
                    _note_candidates(places, candidates, rows.words, lanes.candidates, sentence)
            else:
                _look_up_candidates(f, places, candidates, lanes.candidates, rows, sentence)
            is_sure = not is_first
            counter = uint64(number * len(text.generated) + token)
            for lane in range(LANES):
                old = none if is_first else int64(lanes.link[U(token), U(lane)])
                right = int64(sentence.right[U(token - first), U(lane)])
                own = _weigh(lane, old, places, right, state)
                null = _NOTHING
                if is_first:
                    own = sentence.reached[U(lane), U(WIDTH - 1)] * (
                        FIRST_NULL / (_ONE - FIRST_NULL)
                    )
                elif old == none:
                    own = _weight_of_null(lane, f, right, True, state)
                else:
                    null = _weight_of_null(lane, f, right, False, state)
                sentence.own[U(lane)], sentence.null[U(lane)] = own, null
            # Draws are often predicted wrongly; no weights are to wait for them.
            for lane in range(LANES):
                old = none if is_first else int64(lanes.link[U(token), U(lane)])
                is_sure &= _draw(lane, old, places, counter, none, lanes.key, sentence)
                if lane < used:
                    _add(lane, old, places, none, sentence, summed, at)
            at += places + 1
            lanes.asleep[U(token)] = SLEEP if is_sure and may_sleep else 0
            for lane in range(LANES):
                old = none if is_first else int64(lanes.link[U(token), U(lane)])
                new = sentence.drawn[U(lane)]
                if new != old or is_first:
                    right = int64(sentence.right[U(token - first), U(lane)])
                    _move(lane, f, old, new, right, candidates, is_first, state)
                    lanes.link[U(token), U(lane)] = new
                if new != none:
                    sentence.left[U(lane)] = new
        for k in range(a, behind):
            sentence.head[text.conditioning[k]] = len(sentence.type)
    return end


@njit(_nrt=False, error_model="numpy", forceinline=True)
def _enter(a: int, places: int, first: int, last: int, state: State, is_first: bool) -> None:
    """Set `sentence` for conditioning tokens `a : a + places` and generated tokens `first:last`."""
    text, prior, lanes, factors, _, sentence = state
    none, zero = none_of(lanes.link), len(lanes.jump) // 2
    nowhere = len(sentence.type)
    for place in range(places - 1, -1, -1):
        e = int64(text.conditioning[U(a + place)])
        sentence.type[U(place)] = e
        following = int64(sentence.head[U(e)])
        sentence.following[U(place)] = following if following < nowhere else -1
        sentence.head[U(e)] = place
        # `_move` is to find it in the cache.
        prefetch(lanes.fertilities, e * FERTILITIES)
    for lane in range(LANES):
        for place in range(places):
            sentence.fertility[U(lane), U(place)] = 0
        sentence.left[U(lane)] = -1
        nearest = places
        for token in range(last - 1, first - 1, -1):
            sentence.right[U(token - first), U(lane)] = nearest
            place = none if is_first else int64(lanes.link[U(token), U(lane)])
            if place != none:
                nearest = place
                sentence.fertility[U(lane), U(place)] += 1
    if is_first:
        lanes.jump[zero + places + 1] += LANES
        for place in range(places):
            lanes.fertilities[sentence.type[place], 0] += LANES
    wide = (places + WIDTH - 1) // WIDTH * WIDTH
    for lane in range(LANES):
        scale, ratio = sentence.scale[U(lane)], sentence.ratio[U(lane)]
        for place in range(places):
            e = int64(sentence.type[U(place)])
            links = min(int64(sentence.fertility[U(lane), U(place)]), FERTILITIES - 1)
            ratio[U(place)] = factors.ratio[U(e), U(links)]
            scale[U(place)] = float32(lanes.total[U(e), U(lane)]) + prior.lexical_sum
        for place in range(places, wide):
            ratio[U(place)], scale[U(place)] = _NOTHING, _ONE
        # Vector instructions divide.
        for place in range(wide):
            scale[U(place)] = _ONE / scale[U(place)] * ratio[U(place)]


@njit(_nrt=False, forceinline=True)
def _look_up_all(f: int, places: int, rows: Rows, sentence: Sentence) -> None:
    """Set the counts of links with a generated type, of all places."""
    first, size, words = int64(rows.row[U(f), FIRST]), int64(rows.row[U(f), SIZE]), rows.words
    if size == rows.types:
        for w in range(words):
            for place in range(places):
                slot = first + int64(sentence.type[U(place)])
                sentence.links[U(w), U(place)] = rows.links[U(slot * words + w)]
        return
    if size > 2 * places:
        for place in range(places):
            _look_up(first, size, place, rows, sentence)
        return
    # Go over the row instead; types that are not in the sentence have a place behind all others.
    for w in range(words):
        for place in range(places):
            sentence.links[U(w), U(place)] = uint64(0)
        for slot in range(first, first + size):
            key = int64(rows.key[U(slot)])
            place = int64(sentence.head[U(max(key - 1, 0))])
            place = place if key > 0 else len(sentence.type)
            sentence.links[U(w), U(place)] = rows.links[U(slot * words + w)]
        for place in range(places):
            head = int64(sentence.head[U(int64(sentence.type[U(place)]))])
            sentence.links[U(w), U(place)] = sentence.links[U(w), U(head)]


@njit(_nrt=False, forceinline=True)
def _look_up(first: int, size: int, place: int, rows: Rows, sentence: Sentence) -> None:
    """Set the counts of links of a place, in a row."""
    slot = slot_in(rows, first, size, int64(sentence.type[U(place)]))
    # Products instead of a branch, which would often be predicted wrongly.
    is_found = int64(slot >= 0)
    at = slot * is_found * rows.words
    sentence.links[U(0), U(place)] = rows.links[U(at)] * uint64(is_found)
    if rows.words == 2:
        sentence.links[U(1), U(place)] = rows.links[U(at + 1)] * uint64(is_found)


@njit(_nrt=False, forceinline=True)
def _note_candidates(
    places: int, begin: int, words: int, candidates: UInt8, sentence: Sentence
) -> None:
    """Set the candidates of a token, from byte `begin` on, by the counts of all places."""
    for k in range((places + 7) // 8):
        bits = 0
        for place in range(8 * k, min(8 * k + 8, places)):
            links = sentence.links[U(0), U(place)]
            if words == 2:
                links |= sentence.links[U(1), U(place)]
            bits |= int64(links != uint64(0)) << (place - 8 * k)
        candidates[U(begin + k)] = bits


@njit(_nrt=False, forceinline=True)
def _look_up_candidates(
    f: int, places: int, begin: int, candidates: UInt8, rows: Rows, sentence: Sentence
) -> None:
    """Set the counts of links with a generated type, of the candidates, from byte `begin` on; of all other
    places 0."""
    first, size = int64(rows.row[U(f), FIRST]), int64(rows.row[U(f), SIZE])
    for w in range(rows.words):
        for place in range(places):
            sentence.links[U(w), U(place)] = uint64(0)
    for k in range(0, places, 64):
        bits = bits_from(candidates, begin + k // 8)
        if places - k < 64:
            bits &= (uint64(1) << uint64(places - k)) - uint64(1)
        while bits != uint64(0):
            _look_up(first, size, k + lowest_bit(bits), rows, sentence)
            bits &= bits - uint64(1)


@njit(_nrt=False, error_model="numpy", forceinline=True)
def _weigh(lane: int, old: int, places: int, right: int, state: State) -> float:
    """Compute the weights of all places but that of the old link in one lane, without the old link, and their
    sums by column; return the weight of the old link, or 0 if it is NULL."""
    _, prior, lanes, factors, rows, sentence = state
    none, zero = none_of(lanes.link), len(lanes.jump) // 2
    word, shift, mask = field(rows, lane)
    links, ahead, back = sentence.links[U(word)], zero - int64(sentence.left[U(lane)]), zero - right
    own, unlinked, kind = _NOTHING, _NOTHING, np.int32(-1)
    if old != none:
        kind = sentence.type[U(old)]
        unlinked = _ONE / (float32(lanes.total[U(kind), U(lane)] - 1) + prior.lexical_sum)
        linked = float32(np.int32((links[U(old)] >> shift) & mask) - np.int32(1)) + prior.lexical
        fertility = min(int64(sentence.fertility[U(lane), U(old)]) - 1, FERTILITIES - 1)
        jumps = factors.ahead[U(ahead + old)] * factors.back[U(back + old)]
        own = linked * (unlinked * factors.ratio[U(kind), U(fertility)] * jumps)
    weigh(
        links, shift, mask, prior.lexical, sentence.type, kind, sentence.ratio[U(lane)], unlinked,
        sentence.scale[U(lane)], factors.ahead, ahead, factors.back, back, old,
        sentence.weight[U(lane)], sentence.reached[U(lane)], places,
    )  # fmt: skip
    return own


@njit(_nrt=False, error_model="numpy", forceinline=True)
def _weight_of_null(lane: int, f: int, right: int, is_own: bool, state: State) -> float:
    """The weight of NULL; `is_own`: whether the old link, which is left out, is NULL."""
    _, prior, lanes, factors, _, sentence = state
    across = len(lanes.jump) // 2 + right - int64(sentence.left[U(lane)])
    lexical = (float32(lanes.null[U(f), U(lane)] - is_own) + prior.lexical) / (
        float32(lanes.null_total[U(lane)] - is_own) + prior.lexical_sum
    )
    null: float = prior.null * lexical * factors.across[U(across)]
    return null


@njit(_nrt=False, forceinline=True)
def _draw(
    lane: int, old: int, places: int, counter: int, none: int, key: UInt64, sentence: Sentence
) -> bool:
    """Draw a link by its weight; return whether it is the old one, with a probability close to 1."""
    weight, reached = sentence.weight[U(lane)], sentence.reached[U(lane)]
    mass, own = reached[U(WIDTH - 1)], sentence.own[U(lane)]
    whole = (mass + sentence.null[U(lane)]) + own
    x = uniform_float32(key[U(lane)], counter) * whole
    # Most tokens keep their links.
    if x < own:
        sentence.drawn[U(lane)] = old
        return bool(own > SURE * whole)
    x -= own
    if x >= mass:
        sentence.drawn[U(lane)] = none
        return False
    column = 0
    for k in range(WIDTH - 1):
        column += reached[U(k)] <= x
    if column > 0:
        x -= reached[U(column - 1)]
    # The last column with places may not be reached because of rounding.
    column = min(int64(column), places - 1)
    total, below = _NOTHING, int64(0)
    # The last place of a column is not counted, so that it is drawn if rounding leaves none.
    for i in range(column, places - WIDTH, WIDTH):
        total += weight[U(i)]
        below += int64(total <= x)
    sentence.drawn[U(lane)] = column + below * WIDTH
    return False


@njit(_nrt=False, error_model="numpy", forceinline=True)
def _add(
    lane: int, old: int, places: int, none: int, sentence: Sentence, summed: Float32, at: int
) -> None:
    """Add the distribution of a token in one lane to `summed[at : at + places + 1]`."""
    weight, null, own = sentence.weight[U(lane)], sentence.null[U(lane)], sentence.own[U(lane)]
    whole = (sentence.reached[U(lane), U(WIDTH - 1)] + null) + own
    for place in range(places):
        summed[U(at + place)] += weight[U(place)] / whole
    summed[U(at + places)] += null / whole
    summed[U(at + (places if old == none else old))] += own / whole


@njit(_nrt=False, error_model="numpy", forceinline=True)
def _move(
    lane: int, f: int, old: int, new: int, right: int, candidates: int, is_first: bool, state: State
) -> None:
    """Count a token's new link in one lane in place of the old one; its candidates begin at `candidates`."""
    _, prior, lanes, factors, rows, sentence = state
    none, zero = none_of(lanes.link), len(lanes.jump) // 2
    left = int64(sentence.left[U(lane)])
    is_same = old != none and new != none and sentence.type[U(old)] == sentence.type[U(new)]
    for place, by in ((old, -1), (new, 1)):
        if place == none:
            if by > 0 or not is_first:
                lanes.null[U(f), U(lane)] += by
                lanes.null_total[U(lane)] += by
            lanes.jump[U(zero + right - left)] += by
            continue
        lanes.jump[U(zero + place - left)] += by
        lanes.jump[U(zero + right - place)] += by
        e = int64(sentence.type[U(place)])
        links = int64(sentence.fertility[U(lane), U(place)])
        lanes.fertilities[U(e), U(min(links, FERTILITIES - 1))] -= 1
        kind = min(links + by, FERTILITIES - 1)
        lanes.fertilities[U(e), U(kind)] += 1
        sentence.fertility[U(lane), U(place)] = links + by
        sentence.ratio[U(lane), U(place)] = factors.ratio[U(e), U(kind)]
        if not is_same:
            change(rows, e, f, lane, by)
            lanes.total[U(e), U(lane)] += by
        # Between places of one type, nothing changes at its other places.
        same, once = (place, True) if is_same else (int64(sentence.head[U(e)]), False)
        unlinked = _ONE / (float32(lanes.total[U(e), U(lane)]) + prior.lexical_sum)
        while same >= 0:
            sentence.scale[U(lane), U(same)] = unlinked * sentence.ratio[U(lane), U(same)]
            if by > 0 and len(lanes.candidates) > 0:
                lanes.candidates[U(candidates + same // 8)] |= np.uint8(1 << (same % 8))
            same = int64(-1) if once else int64(sentence.following[U(same)])


@njit(_nrt=False)
def sweeps(
    number: int,
    behind: int,
    reached: int,
    begin: int,
    end: int,
    state: State,
    model: int,
    since: int,
    is_first: bool,
    summed: Float32,
    used: int,
) -> tuple[int, int]:
    """Run sweeps `number` to `behind` - 1 over sentence pairs `begin:end`, the first one from `reached` on.

    With candidates, the first sweep of a stage, which is number `since`, is full, as are those whose number
    is a multiple of `OFTEN`, and the last of all.

    Returns:
        The sweep and the sentence pair before which the rows need more room, or `behind` and `end`.
    """
    while number < behind:
        if reached == begin:
            set_factors(state.prior, state.lanes, state.factors, model, is_first)
        is_full = not len(state.lanes.candidates) or used > 0
        is_full |= number == since or number % OFTEN == 0
        may_sleep = model > 1
        reached = sweep(reached, end, state, number, is_first, is_full, may_sleep, summed, used)
        if reached < end:
            break
        number += 1
        if number < behind:
            reached = begin
    return number, reached


@njit(_nrt=False)
def choose_links(
    begin: int, end: int, text: SampledText, summed: Float32, link: NDArray[np.unsignedinteger]
) -> None:
    """Set the link of each generated token of sentence pairs `begin:end` to that with the highest sum; see
    `sweep`."""
    at = 0
    for s in range(begin, end):
        places = text.conditioning_offsets[s + 1] - text.conditioning_offsets[s]
        for token in range(text.generated_offsets[s], text.generated_offsets[s + 1]):
            best, most = none_of(link), summed[at + places]
            for place in range(places):
                if summed[at + place] > most:
                    best, most = place, summed[at + place]
            link[token] = best
            at += places + 1
