"""IBM model 2 with a diagonal prior, trained by variational Bayes.

Dyer, Chahuneau and Smith (2013), "A Simple, Fast, and Effective Reparameterization of IBM Model 2",
as the authors' program computes it with its flags `-d -o -v`. Every generated token j of m takes one
conditioning token i of n, or NULL:

    p(a_j = NULL)   = p0
    p(a_j = i)      = (1 - p0) exp(-tension |i/n - j/m|) / Z(j, m, n)
    p(f_j, a_j = i) = p(a_j = i) t(f_j | e_i)

Forward, the source conditions and the target is generated; in reverse, the other way round. The directions
are trained one after the other. There is no table of all t(f | e): memory grows with the text, not with the
number of pairs of words (`_rows`).

Two departures of the program from its paper are kept, because they change links: the expected
distance that drives the tension counts generated positions from zero (`_rows`), and the derivative
that it is compared with divides by a Z with the two lengths swapped (`_diagonal.slope_of`).

The links are the same, bit for bit, on any number of threads: the count of a cell is summed by one thread, in
the order of the corpus, and other sums in parts that depend on the text only (`_way.PARTS`).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from seggrid.align.chosen import links_of
from seggrid.align.fast_align._diagonal import DiagonalPrior, slope_of
from seggrid.align.fast_align._model import (
    MAX_TENSION,
    MIN_TENSION,
    UNSEEN,
    Direction,
    Model,
    null_of,
)
from seggrid.align.fast_align._rows import (
    Kept,
    Parameters,
    Passes,
    cells_of_rows,
    decode,
    exp_digamma,
    expect_rows,
    first_pass,
    look_up,
)
from seggrid.align.fast_align._way import Way
from seggrid.align.fast_align.options import Options
from seggrid.align.parallel import check_parallel
from seggrid.align.threads import Workers
from seggrid.base.arrays import Float64, Int32, Int64
from seggrid.base.steps import step
from seggrid.text.links import Links
from seggrid.text.ragged import narrow, offsets_of
from seggrid.text.segmentation import Segmentation

# The gradient ascent on the tension, as in the authors' program.
TENSION_STEP = 20.0
TENSION_UPDATES = 8

# If a text can have at most this many cells, the counts of the first two passes are kept too, in 12 bytes
# each, to save a fifth to a third of the time. Counts computed anew are the same.
SMALL = 1 << 23

DEFAULTS = Options()


@dataclass(frozen=True)
class DirectionAlignment:
    """One direction's alignment of S sentence pairs.

    Attributes:
        links: links (i in source, j in target), at most one of each generated token.
        scores: log probability of each generated sentence and its length, given the other, shape (S,): the
            log of Poisson(m; 0.05 + r n), r being the mean of m/n in training, plus the sum over generated
            tokens of log p(f_j), as the program's `-s` prints it.
    """

    links: Links
    scores: Float64


def align_by_fast_align(
    source: Segmentation, target: Segmentation, *, options: Options = DEFAULTS, threads: int = 1
) -> tuple[Links, Links]:
    """Align two segmentations of the same sentences in both directions."""
    check_parallel(source, target)
    with Workers(threads) as workers:
        chosen: list[NDArray[np.integer]] = []
        for sides in ((source, target), (target, source)):
            training = _Training(*sides, options, workers, len(chosen)).run()
            chosen.append(narrow(training.decode(scored=False)[0]))
    one, other = source.offsets, target.offsets
    return links_of(one, other, chosen[0], False), links_of(other, one, chosen[1], True)


def train_fast_align(
    source: Segmentation, target: Segmentation, *, options: Options = DEFAULTS, threads: int = 1
) -> Trained:
    """As `align`, but return the scores too, and what is needed to make the model."""
    check_parallel(source, target)
    with Workers(threads) as workers:
        ways = [
            _Training(*sides, options, workers, done).run()
            for done, sides in enumerate(((source, target), (target, source)))
        ]
        return Trained(*_alignments(source, target, [way.decode() for way in ways]), ways)


@dataclass(frozen=True)
class Trained:
    """The two alignments of a corpus, and the model that they come from."""

    forward: DirectionAlignment
    reverse: DirectionAlignment
    _ways: list[_Training]

    @cached_property
    def model(self) -> Model:
        """The translation tables, tensions and length ratios; computed on first use."""
        forward, reverse = self._ways
        cells_of, source, to_target = forward.table()
        order = np.argsort(source, kind="stable")
        column = np.repeat(np.arange(len(cells_of), dtype=np.int32), cells_of)[order]
        probability = np.empty((len(order), 2))
        probability[:, 0] = to_target[order]
        cells_of, target, to_source = reverse.table()
        order = np.lexsort((target, np.repeat(np.arange(len(cells_of)), cells_of)))
        probability[:, 1] = to_source[order]
        return Model(
            reverse.generated.types,
            forward.generated.types,
            offsets_of(cells_of),
            column,
            probability,
            reverse.now.null,
            forward.now.null,
            forward.p0,
            (forward.direction, reverse.direction),
        )


def force_align(
    model: Model, source: Segmentation, target: Segmentation, *, threads: int = 1
) -> tuple[DirectionAlignment, DirectionAlignment]:
    """Align new sentence pairs with a trained model, which is not changed.

    A pair of types that was not seen together in training has t(f | e) = 1e-9, as in the authors'
    program, so that among such pairs the diagonal decides.
    """
    check_parallel(source, target)
    numbers = model.numbers_of(source, target)
    nulls = model.source_null, model.target_null
    decoded = []
    with Workers(threads) as workers:
        for swapped in (0, 1):
            conditioning, generated = (target, source) if swapped else (source, target)
            way = Way.between(conditioning, generated)
            types = np.ones(way.types)
            prior = DiagonalPrior.at(
                way.shapes, model.p0, model.directions[swapped].tension, workers
            )
            null = null_of(nulls[1 - swapped], numbers[1 - swapped])
            now = Parameters(prior, 0.0, UNSEEN * types, types, null)
            kept_of = partial(
                look_up, way=way, swapped=bool(swapped), conditioning_of=numbers[swapped],
                generated_of=numbers[1 - swapped], row=model.row, column=model.column,
                probability=model.probability[:, swapped],
            )  # fmt: skip
            passes = Passes(0, now, now, now)
            decoded.append(
                _decode(way, passes, kept_of, model.directions[swapped], workers, scored=True)
            )
    return _alignments(source, target, decoded)


class _Training:
    """Expectation maximization of one direction."""

    def __init__(
        self,
        conditioning: Segmentation,
        generated: Segmentation,
        options: Options,
        workers: Workers,
        done: int,
    ) -> None:
        self.conditioning, self.generated = conditioning, generated
        self.options, self.workers, self.done = options, workers, done
        self.way = Way.between(conditioning, generated)
        self.parts = self.way.parts()
        # A row has at most one cell for each position, and one for each conditioning type.
        self.most_cells = int(np.minimum(np.diff(self.way.load), self.way.types).sum())
        self.tension = options.tension
        self.alpha = 0.0 if options.em else options.alpha
        self.p0 = 0.0 if options.no_null else options.p0
        # Before the first pass every t(f | e) is the same.
        ones = np.ones(self.way.types)
        self.now = Parameters(self.prior(), 0.0, ones, ones, np.ones(len(generated.types)))
        self.first = self.second = self.now
        self.iteration = 1
        self.cells = np.zeros(self.way.types)
        self.kept = {begin: Kept.nothing(end - begin) for begin, end in self.parts}

    def prior(self) -> DiagonalPrior:
        return DiagonalPrior.at(self.way.shapes, self.p0, self.tension, self.workers)

    def run(self) -> _Training:
        """Make all passes but the last, which `decode` makes."""
        before = self.options.iterations - 1
        while self.iteration <= before:
            total, null, distance = self.expect()
            # The program leaves the tension as it is after the first pass.
            if self.iteration > 1 and not self.options.fixed_tension:
                self.update_tension(distance)
            self.maximize(total, null)
            step("iteration", self.done * before + self.iteration, 2 * before)
            self.iteration += 1
        return self

    def keeps(self, iteration: int) -> bool:
        """Whether the counts of a pass are kept; those of the first two passes are only if the text is
        small."""
        return iteration > 2 or self.most_cells <= SMALL

    def passes(self) -> Passes:
        """What the current pass reads."""
        before = self.iteration - 1
        return Passes(0 if self.keeps(before) else before, self.first, self.second, self.now)

    def expect(self) -> tuple[Float64, Float64, Float64]:
        """The E-step: the total count of each conditioning type; for each generated type, its count with NULL
        and the sum of its expected distances."""
        way, passes, keep = self.way, self.passes(), self.keeps(self.iteration)
        totals = np.zeros((len(self.parts), way.types))
        cells = np.zeros((len(self.parts), way.types), dtype=np.int32)
        null, distance = np.zeros((2, len(self.generated.types)))

        def run(part: int, _: int) -> None:
            begin, end = self.parts[part]
            if self.iteration == 1:
                self.kept[begin] = first_pass(
                    begin, end, way, self.now.prior, keep, totals[part], cells[part]
                )
            else:
                self.kept[begin] = expect_rows(
                    begin, end, way, passes, self.kept[begin],
                    self.iteration > 2, keep, totals[part], null, distance,
                )  # fmt: skip

        self.workers.run(run, [(part, part + 1) for part in range(len(self.parts))])
        if self.iteration == 1:
            self.cells += cells.sum(axis=0)
            null = self.p0 * np.diff(way.row)
        return totals.sum(axis=0), null, distance

    def update_tension(self, distance: Float64) -> None:
        tokens = len(self.generated.ids)
        expected = float(distance.sum()) / tokens
        for _ in range(TENSION_UPDATES):
            modeled = slope_of(self.way.shapes, self.tension, self.workers) / tokens
            self.tension += TENSION_STEP * (expected - modeled)
            self.tension = min(max(self.tension, MIN_TENSION), MAX_TENSION)

    def maximize(self, total: Float64, null: Float64) -> None:
        """The M-step: turn the counts into the parameters of the next pass."""
        usual = np.zeros(1)
        total = total + self.alpha * self.cells
        if not self.options.em:
            exp_digamma(total, 0.0)
            exp_digamma(usual, self.alpha)
        scale = _inverse(total)
        self.now = Parameters(self.prior(), self.alpha, usual * scale, scale, self.null(null))
        if self.iteration == 1:
            self.second = self.now

    def null(self, count: Float64) -> Float64:
        """t(f | NULL) of each generated type, from its count with NULL; 0 for types that do not occur."""
        if self.options.em:
            return count * _inverse(count.sum(keepdims=True))
        seen = np.diff(self.way.row) > 0
        total = (count[seen] + self.alpha).sum(keepdims=True)
        exp_digamma(total, 0.0)
        count = count.copy()
        exp_digamma(count, self.alpha)
        return count * seen * _inverse(total)

    @property
    def direction(self) -> Direction:
        """What a model keeps of this direction besides its table."""
        ratios = self.generated.lengths / self.conditioning.lengths
        return Direction(self.tension, float(ratios.mean()))

    def decode(self, *, scored: bool = True) -> tuple[Int32, Float64]:
        """The last pass, see `_decode`."""
        kept_of = lambda begin, _: self.kept[begin]  # noqa: E731
        return _decode(
            self.way, self.passes(), kept_of, self.direction, self.workers, scored=scored
        )

    def table(self) -> tuple[Int64, NDArray[np.uint32], Float64]:
        """All cells, row by row: the number in each row, the column and t(f | e) of each cell."""
        passes = self.passes()
        rows = [cells_of_rows(*part, self.way, passes, self.kept[part[0]]) for part in self.parts]
        cells_of, column, probability = zip(*rows, strict=True)
        return np.concatenate(cells_of), np.concatenate(column), np.concatenate(probability)


def _inverse(values: Float64) -> Float64:
    """1 / x, or 0 where x is not above 0."""
    return np.divide(1.0, values, out=np.zeros_like(values), where=values > 0)


def _decode(
    way: Way,
    passes: Passes,
    kept_of: Callable[[int, int], Kept],
    direction: Direction,
    workers: Workers,
    *,
    scored: bool,
) -> tuple[Int32, Float64]:
    """For each generated token, the place of its conditioning token, or -1; and the scores of sentences."""
    chosen = np.empty(len(way.sentence), dtype=np.int32)
    log = np.empty(len(chosen) if scored else 0)

    def run(begin: int, end: int) -> None:
        decode(begin, end, way, passes, kept_of(begin, end), chosen, log)

    workers.run(run, way.parts())
    if not scored:
        return chosen, log
    n, m = np.diff(way.conditioning_offsets), np.diff(way.generated_offsets)
    scores = np.add.reduceat(log, way.generated_offsets[:-1])
    return chosen, scores + _log_poisson(m, 0.05 + direction.length_ratio * n)


def _alignments(
    source: Segmentation, target: Segmentation, decoded: list[tuple[Int32, Float64]]
) -> tuple[DirectionAlignment, DirectionAlignment]:
    (source_of, forward), (target_of, reverse) = decoded
    one, other = source.offsets, target.offsets
    return (
        DirectionAlignment(links_of(one, other, source_of, False), forward),
        DirectionAlignment(links_of(other, one, target_of, True), reverse),
    )


def _log_poisson(counts: Int64, means: Float64) -> Float64:
    log_factorial = np.array([math.lgamma(k + 1) for k in range(int(counts.max()) + 1)])
    log_likelihood: Float64 = counts * np.log(means) - means - log_factorial[counts]
    return log_likelihood
