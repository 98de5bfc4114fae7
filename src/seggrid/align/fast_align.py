"""fast_align: IBM model 2 with a diagonal prior, trained by variational Bayes.

Dyer, Chahuneau and Smith (2013), "A Simple, Fast, and Effective Reparameterization of IBM Model 2",
as the authors' program computes it with the flags `-d -o -v`. Every target token j of m picks one
source position i of n, or NULL:

    p(a_j = NULL) = p0
    p(a_j = i)    = (1 - p0) exp(-tension |i/n - j/m|) / Z(j, m, n)
    p(f_j, a_j = i) = p(a_j = i) t(f_j | e_i)

Two departures of the program from the paper are kept, because they change links: the expected
distance that drives the tension counts target positions from zero, and the derivative that it is
compared with normalises by Z with the two lengths swapped (`_slope`).

The same input gives the same links, bit for bit, on any number of threads: sentence pairs are
independent given the table, and each cell of the table is summed by one thread in corpus order.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numba import njit

from seggrid.align._pairs import Float64, Int32, Int64, PairIndex, Workers
from seggrid.arrays import Links, Segmentation, offsets_of
from seggrid.errors import InputError

# Bounds and step of the tension's gradient ascent, as in the authors' program.
MIN_TENSION, MAX_TENSION = 0.1, 14.0
TENSION_STEP = 20.0
TENSION_UPDATES = 8


@dataclass(frozen=True)
class Options:
    """What the authors' program calls its flags.

    Attributes:
        iterations: passes over the corpus, the last of which only decodes (`-I`).
        p0: prior probability of NULL (`-p0`... ).
        alpha: concentration of the Dirichlet prior on each t(. | e) (`-a`).
        tension: how strongly the prior favours the diagonal, at the start (`-T`).
        fixed_tension: keep the tension as given (the program without `-o`).
        no_null: every target token takes a source token (`-N`).
        em: maximum likelihood rather than variational Bayes (the program without `-v`); `alpha` is
            not used.

    Raises:
        InputError: an option is out of its range.
    """

    iterations: int = 5
    p0: float = 0.08
    alpha: float = 0.01
    tension: float = 4.0
    fixed_tension: bool = False
    no_null: bool = False
    em: bool = False

    def __post_init__(self) -> None:
        if self.iterations < 1:
            raise InputError(f"iterations is {self.iterations}", mend="give 1 or more")
        if not 0 <= self.p0 < 1:
            raise InputError(f"p0 is {self.p0}", mend="give a probability below 1")
        if not self.alpha > 0:
            raise InputError(f"alpha is {self.alpha}", mend="give a number above 0")
        if not MIN_TENSION <= self.tension <= MAX_TENSION:
            raise InputError(
                f"tension is {self.tension}", mend=f"give {MIN_TENSION} to {MAX_TENSION}"
            )


def align(
    source: Segmentation,
    target: Segmentation,
    *,
    options: Options = Options(),  # noqa: B008 (frozen)
    threads: int = 1,
    piece: int = 1 << 24,
) -> tuple[Links, Links]:
    """Align two segmentations of the same sentences in both directions.

    Args:
        source: the first side, S sentences.
        target: the second side, S sentences.
        options: of the model.
        threads: how many to use; the links do not depend on it.
        piece: positions (i, j) whose posteriors are held in memory at once (8 bytes each); the
            links do not depend on it.

    Returns:
        forward, reverse: links (i in source, j in target) of all sentence pairs. `forward` has at
        most one link for each target token, `reverse` at most one for each source token.

    Raises:
        InputError: the sides differ in length, or a sentence is empty.
    """
    with Workers(threads) as workers:
        index = PairIndex.build(source, target, workers)
        shapes = _Shapes.of(source, target)
        links = []
        for forward in (True, False):
            choice = _Direction(index, shapes, options, forward, workers, piece).fit()
            if forward:
                links.append(_links_by_target(choice, source.offsets, target.offsets))
            else:
                links.append(_links_by_source(choice, source.offsets))
        return links[0], links[1]


@dataclass(frozen=True)
class _Shapes:
    """The distinct (source length, target length): the prior depends on nothing else.

    Attributes:
        rows, columns: the two lengths of each shape, int64, shape (K,).
        pairs: how many sentence pairs have it, int64, shape (K,).
        of_pair: the shape of each sentence pair, int64, shape (S,).
        base: where its table begins, int64, shape (K + 1,).
    """

    rows: Int64
    columns: Int64
    pairs: Int64
    of_pair: Int64
    base: Int64

    @classmethod
    def of(cls, source: Segmentation, target: Segmentation) -> _Shapes:
        radix = int(target.lengths.max(initial=0)) + 1
        codes, of, pairs = np.unique(
            source.lengths * radix + target.lengths, return_inverse=True, return_counts=True
        )
        rows, columns = np.divmod(codes, radix)
        return cls(rows, columns, pairs, of, offsets_of(rows * columns))


class _Direction:
    """Training and decoding in one direction."""

    def __init__(self, index, shapes, options, forward, workers, piece):
        self.index, self.shapes, self.options = index, shapes, options
        self.forward, self.workers, self.piece = forward, workers, piece
        self.given, self.told = (
            (index.source, index.target) if forward else (index.target, index.source)
        )
        self.tension = options.tension
        self.t = np.ones(len(index.column))
        self.null = np.ones(len(self.told.types))
        self.p0 = 0.0 if options.no_null else options.p0

    def fit(self):
        options = self.options
        for iteration in range(1, options.iterations):
            counts, null_counts, distance = self.expect()
            if iteration > 1 and not options.fixed_tension:
                self.update_tension(distance)
            self.maximise(counts, null_counts)
        return self.decode()

    def prior(self):
        s = self.shapes
        table = np.empty(s.base[-1])
        self.workers.run(
            _fill_prior,
            self.workers.split(s.base),
            s.rows,
            s.columns,
            s.base,
            self.forward,
            self.tension,
            1 - self.p0,
            table,
        )
        return table

    def expect(self):
        index, workers = self.index, self.workers
        prior = self.prior()
        counts = np.zeros(len(index.column))
        null_post = np.empty(len(self.told.ids))
        distance = np.empty(len(index.source))
        cursor = index.of_type[:-1].copy()
        S = len(index.source)
        post = np.empty(
            min(max(self.piece, int(np.diff(index.base).max(initial=0))), int(index.base[-1]))
        )
        load = index.of_type
        begin = 0
        while begin < S:
            end = max(
                begin + 1,
                int(np.searchsorted(index.base, index.base[begin] + len(post), "right")) - 1,
            )
            start = int(index.base[begin])
            workers.run(
                _expect,
                workers.split(index.base, begin, end),
                self.forward,
                index.source.ids,
                index.source.offsets,
                index.target.ids,
                index.target.offsets,
                index.base,
                index.row,
                index.slot,
                self.t,
                self.null,
                self.p0,
                prior,
                self.shapes.base,
                self.shapes.of_pair,
                start,
                post,
                null_post,
                distance,
            )
            last = int(index.source.offsets[end])
            workers.run(
                _collect,
                workers.split(load),
                index.occurrences,
                index.of_type,
                cursor,
                last,
                index.sentence_of,
                index.source.offsets,
                index.target.offsets,
                index.base,
                index.row,
                index.slot,
                start,
                post,
                counts,
            )
            begin = end
        null_counts = np.bincount(self.told.ids, null_post, minlength=len(self.told.types))
        return counts, null_counts, float(distance.sum())

    def update_tension(self, distance):
        s = self.shapes
        tokens = len(self.told.ids)
        n, m = (s.rows, s.columns) if self.forward else (s.columns, s.rows)
        part = np.empty(len(s.pairs))
        work = offsets_of(m)
        for _ in range(TENSION_UPDATES):
            self.workers.run(_slopes, self.workers.split(work), n, m, self.tension, part)
            slope = float((part * s.pairs).sum())
            self.tension += TENSION_STEP * (distance / tokens - slope / tokens)
            self.tension = min(max(self.tension, MIN_TENSION), MAX_TENSION)

    def maximise(self, counts, null_counts):
        index = self.index
        alpha = 0.0 if self.options.em else self.options.alpha
        types = len(self.given.types)
        totals = np.zeros(types)
        if self.forward:
            rows = self.workers.split(index.row)
            self.workers.run(_row_totals, rows, index.row, counts, alpha, totals)
        else:
            _column_totals(index.column, counts, alpha, totals)
        used = totals > 0
        scale = np.zeros(types)
        if self.options.em:
            scale[used] = 1 / totals[used]
        else:
            _inverse_exp_digamma(totals, scale)
        self.workers.run(
            _maximise,
            self.workers.split(index.row),
            index.row,
            index.column,
            counts,
            scale,
            alpha,
            self.forward,
            self.options.em,
            self.t,
        )
        seen = np.bincount(self.told.ids, minlength=len(self.told.types)) > 0
        if self.options.em:
            total = null_counts.sum()
            self.null = null_counts / total if total > 0 else null_counts
        else:
            total = (null_counts[seen] + alpha).sum()
            self.null = np.array([exp_digamma(c + alpha) for c in null_counts]) / exp_digamma(total)

    def decode(self):
        index = self.index
        choice = np.empty(len(self.told.ids), dtype=np.int32)
        score = np.empty(len(index.source))
        self.workers.run(
            _decode,
            self.workers.split(index.base),
            self.forward,
            index.source.ids,
            index.source.offsets,
            index.target.ids,
            index.target.offsets,
            index.base,
            index.row,
            index.slot,
            self.t,
            self.null,
            self.p0,
            self.prior(),
            self.shapes.base,
            self.shapes.of_pair,
            choice,
            score,
        )
        return choice


@njit(cache=True, nogil=True)
def exp_digamma(x: float) -> float:
    """exp(digamma(x)) for x > 0, to about 1e-13.

    digamma(x) = digamma(x + 6) - sum of 1 / (x + k) for k = 0..5, and the asymptotic series at
    x + 6 (Abramowitz and Stegun 1964, 6.3.5 and 6.3.18); the six fractions are added as one.
    """
    numerator, denominator = 1.0, x
    for k in range(1, 6):
        numerator = numerator * (x + k) + denominator
        denominator *= x + k
    y = x + 6.0
    u = 1.0 / (y * y)
    series = u * (1 / 12 - u * (1 / 120 - u * (1 / 252 - u * (1 / 240 - u * (1 / 132)))))
    return y * math.exp(-0.5 / y - series - numerator / denominator)


@njit(cache=True, nogil=True)
def _fill_prior(begin, end, rows, columns, base, forward, tension, not_null, table):
    for k in range(begin, end):
        if forward:
            n, m, step_i, step_j = rows[k], columns[k], columns[k], 1
        else:
            n, m, step_i, step_j = columns[k], rows[k], 1, columns[k]
        for j in range(m):
            place = base[k] + j * step_j
            z = 0.0
            for i in range(n):
                weight = math.exp(-abs((i + 1) / n - (j + 1) / m) * tension)
                table[place + i * step_i] = weight
                z += weight
            z /= not_null
            for i in range(n):
                table[place + i * step_i] /= z


@njit(cache=True, nogil=True)
def _expect(
    begin,
    end,
    forward,
    a_ids,
    a_offsets,
    b_ids,
    b_offsets,
    base,
    row,
    slot,
    t,
    null,
    p0,
    prior,
    prior_base,
    shape_of,
    start,
    post,
    null_post,
    distance,
):
    size = 0
    for s in range(begin, end):
        size = max(size, b_offsets[s + 1] - b_offsets[s])
    total = np.empty(size)
    moved = np.empty(size)
    for s in range(begin, end):
        a0, b0 = a_offsets[s], b_offsets[s]
        rows, columns = a_offsets[s + 1] - a0, b_offsets[s + 1] - b0
        p = base[s]
        here = post[p - start : p - start + rows * columns]
        cells = slot[p : p + rows * columns]
        weights = prior[prior_base[shape_of[s]] :]
        moved[:columns] = 0.0
        if forward:
            for y in range(columns):
                total[y] = p0 * null[b_ids[b0 + y]]
            k = 0
            for x in range(rows):
                of_row = t[row[a_ids[a0 + x]] :]
                for y in range(columns):
                    w = weights[k + y] * of_row[cells[k + y]]
                    here[k + y] = w
                    total[y] += w
                k += columns
            for y in range(columns):
                total[y] = 1.0 / total[y] if total[y] > 0 else 0.0
                null_post[b0 + y] = p0 * null[b_ids[b0 + y]] * total[y]
            k = 0
            for x in range(rows):
                i_n = (x + 1) / rows
                for y in range(columns):
                    w = here[k + y] * total[y]
                    here[k + y] = w
                    moved[y] += w * abs(i_n - y / columns)
                k += columns
        else:
            k = 0
            for x in range(rows):
                of_row = t[row[a_ids[a0 + x]] :]
                z = p0 * null[a_ids[a0 + x]]
                for y in range(columns):
                    w = weights[k + y] * of_row[cells[k + y]]
                    here[k + y] = w
                    z += w
                z = 1.0 / z if z > 0 else 0.0
                null_post[a0 + x] = p0 * null[a_ids[a0 + x]] * z
                j_m = x / rows
                for y in range(columns):
                    w = here[k + y] * z
                    here[k + y] = w
                    moved[y] += w * abs((y + 1) / columns - j_m)
                k += columns
        d = 0.0
        for y in range(columns):
            d -= moved[y]
        distance[s] = d


@njit(cache=True, nogil=True)
def _collect(
    begin,
    end,
    occurrences,
    of_type,
    cursor,
    last,
    sentence_of,
    a_offsets,
    b_offsets,
    base,
    row,
    slot,
    start,
    post,
    counts,
):
    for a in range(begin, end):
        o = cursor[a]
        stop = of_type[a + 1]
        of_row = counts[row[a] :]
        while o < stop and occurrences[o] < last:
            token = occurrences[o]
            s = sentence_of[token]
            columns = b_offsets[s + 1] - b_offsets[s]
            p = base[s] + (token - a_offsets[s]) * columns
            for k in range(p, p + columns):
                of_row[slot[k]] += post[k - start]
            o += 1
        cursor[a] = o


@njit(cache=True, nogil=True)
def _row_totals(begin, end, row, counts, alpha, totals):
    for a in range(begin, end):
        z = 0.0
        for c in range(row[a], row[a + 1]):
            z += counts[c] + alpha
        totals[a] = z


@njit(cache=True, nogil=True)
def _column_totals(column, counts, alpha, totals):
    for c in range(len(column)):
        totals[column[c]] += counts[c] + alpha


@njit(cache=True, nogil=True)
def _inverse_exp_digamma(totals, scale):
    for a in range(len(totals)):
        if totals[a] > 0:
            scale[a] = 1.0 / exp_digamma(totals[a])


@njit(cache=True, nogil=True)
def _maximise(begin, end, row, column, counts, scale, alpha, forward, em, t):
    for a in range(begin, end):
        for c in range(row[a], row[a + 1]):
            by = scale[a] if forward else scale[column[c]]
            t[c] = counts[c] * by if em else exp_digamma(counts[c] + alpha) * by


@njit(cache=True, nogil=True)
def _slopes(begin, end, n_of, m_of, tension, part):
    for k in range(begin, end):
        n, m = n_of[k], m_of[k]
        total = 0.0
        for j in range(1, m + 1):
            total += _slope(j, m, n, tension)
        part[k] = total


@njit(cache=True, nogil=True)
def _slope(j, m, n, tension):
    """What the program takes for the derivative of log Z(j, m, n) by the tension."""
    ratio = math.exp(-tension / n)
    floor = j * n // m
    h = -abs(j / m - floor / n)
    numerator = _arithmetic_geometric(h, math.exp(tension * h), ratio, -1 / n, floor)
    h = -abs(j / m - (floor + 1) / n)
    numerator += _arithmetic_geometric(h, math.exp(tension * h), ratio, -1 / n, n - floor)
    # Z with the lengths swapped
    ratio = math.exp(-tension / m)
    floor = j * m // n
    z = math.exp(-tension * abs(j / n - floor / m)) * (1 - ratio**floor) / (1 - ratio)
    right = m - floor
    if right != 0:
        end = ratio**right if right > 0 else 0.0
        z += math.exp(-tension * abs(j / n - (floor + 1) / m)) * (1 - end) / (1 - ratio)
    return numerator / z


@njit(cache=True, nogil=True)
def _arithmetic_geometric(a, g, ratio, d, terms):
    """Sum of (a + k d) g ratio^k for k = 0..terms - 1."""
    if terms == 0:
        return 0.0
    end = ratio**terms
    return g * (
        (a - (a + (terms - 1) * d) * end) / (1 - ratio) + d * (ratio - end) / (1 - ratio) ** 2
    )


@njit(cache=True, nogil=True)
def _decode(
    begin,
    end,
    forward,
    a_ids,
    a_offsets,
    b_ids,
    b_offsets,
    base,
    row,
    slot,
    t,
    null,
    p0,
    prior,
    prior_base,
    shape_of,
    choice,
    score,
):
    size = 0
    for s in range(begin, end):
        size = max(size, b_offsets[s + 1] - b_offsets[s])
    best = np.empty(size)
    for s in range(begin, end):
        a0, b0 = a_offsets[s], b_offsets[s]
        rows, columns = a_offsets[s + 1] - a0, b_offsets[s + 1] - b0
        p = base[s]
        cells = slot[p : p + rows * columns]
        weights = prior[prior_base[shape_of[s]] :]
        k = 0
        if forward:
            for y in range(columns):
                best[y] = p0 * null[b_ids[b0 + y]]
                choice[b0 + y] = -1
            for x in range(rows):
                of_row = t[row[a_ids[a0 + x]] :]
                for y in range(columns):
                    w = weights[k + y] * of_row[cells[k + y]]
                    if w > best[y]:
                        best[y] = w
                        choice[b0 + y] = x
                k += columns
        else:
            for x in range(rows):
                of_row = t[row[a_ids[a0 + x]] :]
                most = p0 * null[a_ids[a0 + x]]
                which = -1
                for y in range(columns):
                    w = weights[k + y] * of_row[cells[k + y]]
                    if w > most:
                        most = w
                        which = y
                choice[a0 + x] = which
                k += columns


@njit(cache=True, nogil=True)
def _fill_by_target(choice, a_offsets, b_offsets, at, pairs):
    size = 0
    for s in range(len(a_offsets) - 1):
        size = max(size, a_offsets[s + 1] - a_offsets[s])
    place = np.empty(size + 1, dtype=np.int64)
    for s in range(len(a_offsets) - 1):
        rows = a_offsets[s + 1] - a_offsets[s]
        place[: rows + 1] = 0
        for y in range(b_offsets[s], b_offsets[s + 1]):
            if choice[y] >= 0:
                place[choice[y] + 1] += 1
        for x in range(rows):
            place[x + 1] += place[x]
        for y in range(b_offsets[s], b_offsets[s + 1]):
            x = choice[y]
            if x >= 0:
                pairs[at[s] + place[x], 0] = x
                pairs[at[s] + place[x], 1] = y - b_offsets[s]
                place[x] += 1


def _links_by_target(choice, a_offsets, b_offsets):
    linked = offsets_of((choice >= 0).astype(np.int64))
    at = linked[b_offsets]
    pairs = np.empty((int(at[-1]), 2), dtype=np.int32)
    _fill_by_target(choice, a_offsets, b_offsets, at, pairs)
    return Links(at, pairs)


def _links_by_source(choice, a_offsets):
    linked = offsets_of((choice >= 0).astype(np.int64))
    tokens = np.flatnonzero(choice >= 0)
    within = tokens - np.repeat(a_offsets[:-1], np.diff(a_offsets))[tokens]
    pairs = np.stack([within, choice[tokens]], axis=1).astype(np.int32)
    return Links(linked[a_offsets], pairs)
