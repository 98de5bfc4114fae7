"""A pass of fast_align over the rows of one direction: E-step and decoding.

The weights t(f | e) of a row follow from its own counts in the pass before and a factor for each type e.
Its counts in a pass follow from its weights in that pass and the parameters of the prior. So a row can be
computed anew from the parameters of all passes so far, and counts need not be stored.

That is done for the counts of the first two passes, since nearly all of them matter. From the third pass on
few cells have counts that matter (on the thesis's words 8 of 100, then 4): in the others `alpha + count`
rounds to alpha. Only those few are *kept*; all other cells of a type e have the same weight. There is no
table of all cells.

Kernels bind arrays to names before their loops, and small functions are inlined, because numba is slow at
passing tuples of many arrays.

In loops that are to be vectorized the indices are unsigned: a signed index could be negative and count from
the end, which would have to be tested.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from seggrid.align.fast_align._diagonal import DiagonalPrior
from seggrid.align.fast_align._way import Way
from seggrid.base.arrays import Float64, Int32, Int64, UInt32
from seggrid.base.compiled import grown, int64, njit, uint64

# A posterior below this share of alpha is left out: even ten million of them do not change alpha + count.
_NOTHING = 1e-24

# Products whose ratio is nearer to 1 than this may be equal in exact arithmetic.
_NEAR = 1.0 - 1e-9


class Parameters(NamedTuple):
    """What a pass reads besides the corpus and the counts of the pass before.

    Attributes:
        prior: the diagonal prior.
        alpha: added to counts, as the Dirichlet prior; 0 if a weight is just count times `scale`.
        weight: t(f | e) of cells without a count, for each conditioning type, shape (types,).
        scale: factor of the weights of cells with a count, for each conditioning type, shape (types,).
        null: t(f | NULL) of each generated type.
    """

    prior: DiagonalPrior
    alpha: float
    weight: Float64
    scale: Float64
    null: Float64


class Passes(NamedTuple):
    """The parameters of the passes so far, as far as they are read.

    Attributes:
        replayed: how many passes are computed anew for each row; 0 if the counts of the pass before are kept.
        first: parameters of the first pass, read if it is replayed.
        second: parameters of the second pass, read if it is replayed.
        now: parameters of the current pass.
    """

    replayed: int
    first: Parameters
    second: Parameters
    now: Parameters


class Kept(NamedTuple):
    """The C cells with counts of some rows.

    Attributes:
        row: where the cells of each row begin, shape (rows + 1,).
        column: conditioning type of each cell, shape (C,).
        counts: count of each cell, shape (C,).
    """

    row: Int64
    column: UInt32
    counts: Float64

    @classmethod
    def nothing(cls, rows: int) -> Kept:
        """So many rows without cells."""
        return cls(np.zeros(rows + 1, dtype=np.int64), np.empty(0, dtype=np.uint32), np.empty(0))


class _Room(NamedTuple):
    """Scratch space of a kernel, which works on one row at a time.

    Attributes:
        weight: t(f | e) of each conditioning type, shape (types,).
        counts: count of each conditioning type, 0 between rows, shape (types,).
        column: a list of conditioning types of the row, shape (types + 1,).
        other: a second such list, shape (types + 1,).
        values: a number for each type in `column`, shape (types,).
        p: a probability for each conditioning token of a sentence, shape (longest,).
    """

    weight: Float64
    counts: Float64
    column: UInt32
    other: UInt32
    values: Float64
    p: Float64


@njit
def _make_room(way: Way, weight: Float64) -> _Room:
    return _Room(
        weight.copy(),
        np.zeros(way.types),
        np.empty(way.types + 1, dtype=np.uint32),
        np.empty(way.types + 1, dtype=np.uint32),
        np.empty(way.types),
        np.empty(way.longest),
    )


@njit
def _at(o: int, way: Way) -> tuple[int, int, int, int, int]:
    """Where to find what occurrence o needs: the first conditioning token of its sentence pair and their
    number; the index of the power of the first of them, of the power of the generated place, and of its
    normalizer."""
    s, j, shapes = way.sentence[o], uint64(way.place[o]), way.shapes
    a = uint64(way.conditioning_offsets[s])
    n = uint64(way.conditioning_offsets[s + 1]) - a
    m = way.generated_offsets[s + 1] - way.generated_offsets[s]
    x, y = shapes.power_base[n] + uint64(1), shapes.power_base[m] + uint64(1) + j
    return a, n, x, y, uint64(shapes.z_base[shapes.shape_of_pair[s]]) + j


@njit(inline="always")
def _is_full(f: int, way: Way) -> bool:
    """Whether a row has so many positions that it is cheaper to find its columns by going through all
    types."""
    return bool(way.load[f + 1] - way.load[f] > way.types)


@njit
def _list_counted(count: Float64, column: UInt32) -> int:
    """Write the types with counts to `column`; return how many there are."""
    columns = uint64(0)
    for e in range(len(count)):
        column[columns] = e
        columns += uint64(count[e] > 0.0)
    return int64(columns)


@njit(error_model="numpy")
def _add_prior(f: int, way: Way, prior: DiagonalPrior, room: _Room) -> int:
    """Add the prior of all positions of a row to the counts; list its columns and return how many there
    are."""
    up, down, count, column, p, conditioning = (
        prior.up, prior.down, room.counts, room.column, room.p, way.conditioning
    )  # fmt: skip
    full = _is_full(f, way)
    columns = uint64(0)
    for o in range(way.row[f], way.row[f + 1]):
        a, n, x, y, z = _at(o, way)
        low, high = down[y] / prior.z[z], up[y] / prior.z[z]
        for i in range(n):
            p[i] = min(up[x + i] * low, down[x + i] * high)
        if full:
            for i in range(n):
                count[conditioning[a + i]] += p[i]
            continue
        for i in range(n):
            e = conditioning[a + i]
            before = count[e]
            column[columns] = e
            columns += uint64(before == 0.0)
            count[e] = before + p[i]
    return _list_counted(count, column) if full else int64(columns)


@njit(error_model="numpy")
def _add_posteriors(
    f: int, way: Way, parameters: Parameters, room: _Room, listed: bool
) -> tuple[int, float, float]:
    """Add the posteriors of all positions of a row to the counts.

    Returns the number of columns that were listed; and, summed over all occurrences, the posterior of NULL
    and the expected distance -|i/n - (j-1)/m|. Here the generated position counts from zero, but in the prior
    from one: the program's departure from the paper.

    If `listed`, posteriors below `_NOTHING * alpha` are skipped, and columns that have larger ones are listed
    in `other`; if not, all posteriors are added and nothing is listed.
    """
    prior, power, conditioning = parameters.prior, way.shapes.power, way.conditioning
    up, down, z_of = prior.up, prior.down, prior.z
    weight, count, column, p = room.weight, room.counts, room.other, room.p
    from_null = prior.p0 * parameters.null[f]
    least = parameters.alpha * _NOTHING if listed else 0.0
    full = _is_full(f, way)
    columns, null, distance = uint64(0), 0.0, 0.0
    for o in range(way.row[f], way.row[f + 1]):
        a, n, x, y, z = _at(o, way)
        low, high = down[y] / z_of[z], up[y] / z_of[z]
        # In a loop of their own, so that cache misses overlap.
        for i in range(n):
            p[i] = weight[conditioning[a + i]]
        # exp(-tension |i/n - j/m|) is the smaller of the two quotients of powers.
        for i in range(n):
            p[i] *= min(up[x + i] * low, down[x + i] * high)
        # Two sums, each of every other p, so that an addition need not wait for the one before. Not vectors:
        # their length differs between processors, and with it the rounding of the sums.
        total, moved, place = from_null, 0.0, power[y - uint64(1)]
        other = other_moved = 0.0
        for i in range(uint64(0), n - n % uint64(2), uint64(2)):
            k = i + uint64(1)
            total += p[i]
            moved += p[i] * abs(power[x + i] - place)
            other += p[k]
            other_moved += p[k] * abs(power[x + k] - place)
        if n % uint64(2):
            k = n - uint64(1)
            total += p[k]
            moved += p[k] * abs(power[x + k] - place)
        total += other
        moved += other_moved
        inverse = 1.0 / total if total > 0.0 else 0.0
        null += from_null * inverse
        distance -= moved * inverse
        for i in range(n):
            posterior = p[i] * inverse
            p[i] = posterior if posterior > least else 0.0
        if full or not listed:
            for i in range(n):
                count[conditioning[a + i]] += p[i]
            continue
        # Without branches, which the processor could not predict.
        for i in range(n):
            e = conditioning[a + i]
            before = count[e]
            after = before + p[i]
            column[columns] = e
            columns += uint64((before == 0.0) & (after > 0.0))
            count[e] = after
    if full and listed:
        return _list_counted(count, column), null, distance
    return int64(columns), null, distance


@njit(inline="always")
def _weigh(columns: int, parameters: Parameters, room: _Room) -> None:
    """Set the weights of the first `columns` types in `room.column`, from their counts in `room.values`."""
    if parameters.alpha > 0.0:
        exp_digamma(room.values[:columns], parameters.alpha)
    for c in range(columns):
        e = room.column[c]
        room.weight[e] = room.values[c] * parameters.scale[e]


@njit(inline="always")
def _take_counts(columns: int, room: _Room) -> None:
    """Move the counts of the first `columns` types in `room.column` to `room.values`."""
    for c in range(columns):
        room.values[c] = room.counts[room.column[c]]
        room.counts[room.column[c]] = 0.0


@njit(inline="always")
def _prepare(f: int, r: int, way: Way, passes: Passes, kept: Kept, room: _Room) -> int:
    """Set the weights of row f, which is row r of `kept`. Returns the number of types in `room.column`: those
    whose weight is now other than `passes.now.weight`."""
    if passes.replayed == 0:
        begin = kept.row[r]
        columns = kept.row[r + 1] - begin
        for c in range(columns):
            room.column[c] = kept.column[begin + c]
            room.values[c] = kept.counts[begin + c]
    else:
        columns = _add_prior(f, way, passes.first.prior, room)
        _take_counts(columns, room)
        if passes.replayed == 2:
            _weigh(columns, passes.second, room)
            _add_posteriors(f, way, passes.second, room, False)
            _take_counts(columns, room)
    _weigh(columns, passes.now, room)
    return int64(columns)


@njit(inline="always")
def _restore(columns: int, weight: Float64, room: _Room) -> None:
    """Undo `_prepare`: set the weights of the types in `room.column` back to `weight`."""
    for c in range(columns):
        room.weight[room.column[c]] = weight[room.column[c]]


@njit
def first_pass(
    begin: int, end: int, way: Way, prior: DiagonalPrior, keep: bool, total: Float64, cells: Int32
) -> Kept:
    """The first pass over rows `begin:end`: all t(f | e) are the same, so posteriors are the prior. Returns
    the counts of all cells, or none unless `keep`; the counts of each conditioning type, and the number of
    its cells, are added to `total` and `cells`."""
    room = _make_room(way, total)
    row = np.zeros(end - begin + 1, dtype=np.int64)
    # Memory is taken only by the part of the arrays that is written.
    most = 0
    if keep:
        for f in range(begin, end):
            most += min(way.load[f + 1] - way.load[f], way.types)
    column, count, kept = np.empty(most, dtype=np.uint32), np.empty(most), 0
    for f in range(begin, end):
        columns = _add_prior(f, way, prior, room)
        for c in range(columns):
            e = room.column[c]
            total[e] += room.counts[e]
            cells[e] += 1
            if keep:
                column[kept] = e
                count[kept] = room.counts[e]
                kept += 1
            room.counts[e] = 0.0
        row[f - begin + 1] = kept
    return Kept(row, column[:kept], count[:kept])


@njit
def expect_rows(
    begin: int, end: int, way: Way, passes: Passes, kept: Kept, listed: bool, keep: bool,
    total: Float64, null: Float64, distance: Float64,
) -> Kept:  # fmt: skip
    """The E-step of rows `begin:end`; returns counts, if `keep`. Each count is summed in the order of the
    corpus, however the rows are divided among threads.

    `kept` has the counts of the pass before, if no pass is replayed. `listed`: columns with counts are found
    by `_add_posteriors`, as they must be from the third pass on, since `_prepare` then knows only some of the
    row's. The counts of each conditioning type are added to `total`; the sums of posteriors of NULL, and of
    expected distances, of the rows' types are written to `null` and `distance`.
    """
    alpha, weight = passes.now.alpha, passes.now.weight
    room = _make_room(way, weight)
    row = np.zeros(end - begin + 1, dtype=np.int64)
    room_for = max(len(kept.column), 1024)
    column, count, cells = np.empty(room_for, dtype=np.uint32), np.empty(room_for), 0
    for f in range(begin, end):
        changed = _prepare(f, f - begin, way, passes, kept, room)
        columns, null[f], distance[f] = _add_posteriors(f, way, passes.now, room, listed)
        conditioning_types = room.other if listed else room.column
        columns = columns if listed else changed
        _restore(changed, weight, room)
        if cells + columns > len(column):
            more = 2 * (cells + columns)
            column, count = grown(column, cells, more), grown(count, cells, more)
        for c in range(columns):
            e = conditioning_types[c]
            total[e] += room.counts[e]
            if keep and alpha + room.counts[e] > alpha:
                column[cells] = e
                count[cells] = room.counts[e]
                cells += 1
            room.counts[e] = 0.0
        row[f - begin + 1] = cells
    return Kept(row, column[:cells].copy(), count[:cells].copy())


# Without NaN this can be vectorized, with the same result.
@njit(fastmath={"nnan", "nsz"})
def _largest(values: Float64) -> float:
    largest = 0.0
    for value in values:
        largest = max(largest, value)
    return largest


@njit(error_model="numpy")
def decode(
    begin: int, end: int, way: Way, passes: Passes, kept: Kept, chosen: Int32, log: Float64
) -> None:
    """The most probable link of every token of rows `begin:end`: the place of its conditioning token, or -1,
    is written to `chosen`, and log p(f_j) to `log`, unless it has length 0.

    NULL comes first, then the conditioning tokens in order; a later one must be strictly better.
    """
    # Ties are common (a word twice in a sentence, as far from the diagonal), and the program breaks
    # them by how its own arithmetic rounds. So candidates are found by the products of powers, and
    # those that come near the best are compared by exp of the distance, as the program does.
    now, prior = passes.now, passes.now.prior
    up, down = prior.up, prior.down
    room = _make_room(way, now.weight)
    weight, p = room.weight, room.p
    for f in range(begin, end):
        changed = _prepare(f, f - begin, way, passes, kept, room)
        from_null = prior.p0 * now.null[f]
        for o in range(way.row[f], way.row[f + 1]):
            a, n, x, y, z = _at(o, way)
            s, j, z_j = way.sentence[o], way.place[o], prior.z[z]
            m = way.generated_offsets[s + 1] - way.generated_offsets[s]
            low, high = down[y] / z_j, up[y] / z_j
            for i in range(n):
                p[i] = weight[way.conditioning[a + i]]
            for i in range(n):
                p[i] *= min(up[x + i] * low, down[x + i] * high)
            best, choice = from_null, -1
            near = max(best, _largest(p[:n])) * _NEAR
            for i in range(n):
                if p[i] > near:
                    distance = -abs((i + 1) / n - (j + 1) / m)
                    exact = math.exp(distance * prior.tension) / z_j
                    exact *= weight[way.conditioning[a + i]]
                    if exact > best:
                        best, choice = exact, i
            token = way.generated_offsets[s] + j
            chosen[token] = choice
            if len(log):
                total = from_null
                for i in range(n):
                    total += p[i]
                log[token] = math.log(total)
        _restore(changed, now.weight, room)


@njit
def cells_of_rows(
    begin: int, end: int, way: Way, passes: Passes, kept: Kept
) -> tuple[Int64, UInt32, Float64]:
    """The cells of rows `begin:end`: the number in each row, the column and t(f | e) of each cell."""
    room = _make_room(way, passes.now.weight)
    cells_of = np.zeros(end - begin, dtype=np.int64)
    column, probability, cells = np.empty(1024, dtype=np.uint32), np.empty(1024), 0
    for f in range(begin, end):
        changed = _prepare(f, f - begin, way, passes, kept, room)
        usual = room.column[:changed].copy()
        columns = _add_prior(f, way, passes.now.prior, room)
        if cells + columns > len(column):
            more = 2 * (cells + columns)
            column, probability = grown(column, cells, more), grown(probability, cells, more)
        for c in range(columns):
            column[cells] = room.column[c]
            probability[cells] = room.weight[room.column[c]]
            room.counts[room.column[c]] = 0.0
            cells += 1
        for e in usual:
            room.weight[e] = passes.now.weight[e]
        cells_of[f - begin] = columns
    return cells_of, column[:cells], probability[:cells]


@njit
def look_up(
    begin: int, end: int, way: Way, swapped: bool, conditioning_of: Int64, generated_of: Int64,
    row: Int64, column: Int32, probability: Float64,
) -> Kept:  # fmt: skip
    """The cells of rows `begin:end` of a new corpus that are in a trained model, with their probabilities,
    from the model's number of each type, or -1, and its cells, columns ascending within each row. `way` is
    the reverse direction if `swapped`."""
    seen_by_row = np.zeros(way.types, dtype=np.int64)
    kept_row = np.zeros(end - begin + 1, dtype=np.int64)
    kept, count, cells = np.empty(64, dtype=np.uint32), np.empty(64), 0
    for f in range(begin, end):
        for o in range(way.row[f], way.row[f + 1]):
            s = way.sentence[o]
            for token in range(way.conditioning_offsets[s], way.conditioning_offsets[s + 1]):
                e = way.conditioning[token]
                source, target = conditioning_of[e], generated_of[f]
                if seen_by_row[e] > f or source < 0 or target < 0:
                    continue
                seen_by_row[e] = f + 1
                if swapped:
                    source, target = target, source
                first, last = row[source], row[source + 1]
                cell = first + np.searchsorted(column[first:last], target)
                if cell < last and column[cell] == target:
                    if cells == len(kept):
                        more = 2 * (cells + 1)
                        kept, count = grown(kept, cells, more), grown(count, cells, more)
                    kept[cells] = e
                    count[cells] = probability[cell]
                    cells += 1
        kept_row[f - begin + 1] = cells
    return Kept(kept_row, kept[:cells], count[:cells])


@njit(error_model="numpy")
def exp_digamma(values: Float64, alpha: float) -> None:
    """Replace each x of `values` by exp(digamma(x + alpha)), x + alpha > 0, to 1e-12.

    digamma(x) = digamma(x + 6) - sum of 1 / (x + k) for k = 0..5, and the asymptotic series at
    x + 6 (Abramowitz and Stegun 1964, 6.3.6 and 6.3.18). Everything is plain arithmetic, with the
    six fractions over one denominator and exp as in `_exp`, so that it vectorizes: 1.7 times as fast.
    """
    for c in range(len(values)):
        x = values[c] + alpha
        # x (x + 5), (x + 1)(x + 4) and (x + 2)(x + 3)
        p = x * (x + 5.0)
        q, r = p + 4.0, p + 6.0
        denominator = p * q * r
        numerator = (2.0 * x + 5.0) * (q * r + p * (q + r))
        y = x + 6.0
        inverse = 1.0 / (denominator * y)
        u = denominator * inverse
        u *= u
        series = u * (1 / 12 - u * (1 / 120 - u * (1 / 252 - u * (1 / 240 - u * (1 / 132)))))
        values[c] = y * _exp(-series - (0.5 * denominator + numerator * y) * inverse)


@njit
def _exp(x: float) -> float:
    """exp(x) for x <= 0, to 1e-15; 1e-304 below -700."""
    x = max(x, -700.0)
    k = math.floor(x * 1.4426950408889634 + 0.5)
    # log(2) in two parts, the first with so few bits that its multiples are exact
    r = (x - k * 0.693147180369123816490) - k * 1.90821492927058770002e-10
    s = r * r
    power = 1 / 479001600 + r * (1 / 6227020800)
    power = (1 / 3628800 + r * (1 / 39916800)) + s * power
    power = (1 / 40320 + r * (1 / 362880)) + s * power
    power = (1 / 720 + r * (1 / 5040)) + s * power
    power = (1 / 24 + r * (1 / 120)) + s * power
    power = (1 / 2 + r * (1 / 6)) + s * power
    return ((1.0 + r) + s * power) * np.int64((np.int64(k) + 1023) << 52).view(np.float64)
