"""fast_align: IBM model 2 with a diagonal prior, trained by variational Bayes.

Dyer, Chahuneau and Smith (2013), "A Simple, Fast, and Effective Reparameterization of IBM Model 2",
as the authors' program computes it with its flags `-d -o -v`. Every generated token j of m takes one
conditioning token i of n, or NULL:

    p(a_j = NULL)   = p0
    p(a_j = i)      = (1 - p0) exp(-tension |i/n - j/m|) / Z(j, m, n)
    p(f_j, a_j = i) = p(a_j = i) t(f_j | e_i)

Forward, the source conditions and the target is generated; in reverse, the other way round. Both directions
are trained side by side, so that each cell of the two tables is looked up once.

Two departures of the program from its paper are kept, because they change links: the expected
distance that drives the tension counts generated positions from zero (`_e_step.Posteriors`), and the
derivative that it is compared with divides by a Z with the two lengths swapped
(`_diagonal.slope_of`).

The links are the same, bit for bit, on any number of threads: given the tables, sentence pairs are
independent; and the count of a cell is summed by one thread, in the order of the corpus
(`_e_step.collect`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from seggrid.align.fast_align._decoding import decode
from seggrid.align.fast_align._diagonal import Prior, Shapes, slope_of
from seggrid.align.fast_align._e_step import Posteriors, collect, normalize
from seggrid.align.fast_align._m_step import exp_digamma, scale, totals_of
from seggrid.align.fast_align._model import Direction, Model
from seggrid.align.fast_align._pass import Pass, Tables
from seggrid.align.fast_align_options import MAX_TENSION, MIN_TENSION, Options
from seggrid.align.pairs import Float64, Int64, Pairs
from seggrid.align.threads import Workers
from seggrid.base.steps import step
from seggrid.data.links import Links
from seggrid.data.ragged import offsets_of
from seggrid.data.segmentation import Segmentation

# The gradient ascent on the tension, as in the authors' program.
TENSION_STEP = 20.0
TENSION_UPDATES = 8

DEFAULTS = Options()


@dataclass(frozen=True)
class Alignment:
    """One direction's alignment of S sentence pairs.

    Attributes:
        links: (i in source, j in target); each generated token has at most one.
        scores: log probability of each generated sentence and its length given the other, float64, shape
            (S,): the log of Poisson(m; 0.05 + r n), r being the mean of m/n in training, plus the
            sum over generated tokens of log p(f_j), as the program's `-s` prints it.
    """

    links: Links
    scores: Float64


def align(
    source: Segmentation,
    target: Segmentation,
    *,
    options: Options = DEFAULTS,
    threads: int = 1,
) -> tuple[Links, Links]:
    """Align two segmentations of the same sentences in both directions.

    Args:
        source, target: the two sides, S sentences each.
        options: of the model.
        threads: how many to use; the links do not depend on it.

    Returns:
        forward, reverse: links (i in source, j in target) of all sentence pairs. `forward` gives
        each target token at most one link, `reverse` each source token.

    Raises:
        InputError: the sides differ in length, there are no sentences, or one is empty (its number
            is named).
    """
    trained = train(source, target, options=options, threads=threads)
    return trained.forward.links, trained.reverse.links


def train(
    source: Segmentation,
    target: Segmentation,
    *,
    options: Options = DEFAULTS,
    threads: int = 1,
) -> Trained:
    """As `align`, but also keep the scores and what the model is made from."""
    with Workers(threads) as workers:
        training = _Training(source, target, options, workers).run()
        return Trained(*training.decode(), training)


@dataclass(frozen=True)
class Trained:
    """The two alignments of a corpus, and the model that they come from.

    Attributes:
        forward, reverse: the alignments.
    """

    forward: Alignment
    reverse: Alignment
    _training: _Training

    @property
    def cells(self) -> int:
        """How many (source type, target type) occur together: the size of each table."""
        return len(self._training.pairs.column)

    @cached_property
    def model(self) -> Model:
        """The translation tables, tensions and length ratios; made when first asked for."""
        return self._training.model()


def force_align(
    model: Model, source: Segmentation, target: Segmentation, *, threads: int = 1
) -> tuple[Alignment, Alignment]:
    """Align new sentence pairs with a trained model, which stays as it is.

    A pair of types that was not seen together in training has t(f | e) = 1e-9, as in the authors'
    program, so that among such pairs the diagonal decides.

    Args:
        model: from `train`.
        source, target: the two sides, S sentences each, of any types.
        threads: how many to use; the links do not depend on it.

    Returns:
        forward, reverse.

    Raises:
        InputError: the sides differ in length, there are no sentences, or one is empty (its number
            is named).
    """
    with Workers(threads) as workers:
        pairs = Pairs.from_segmentations(source, target, workers)
        shapes = Shapes.from_pairs(pairs)
        tension = model.directions[0].tension, model.directions[1].tension
        prior = Prior.at(shapes, model.p0, tension, workers)
        tables = model.tables_for(source, target, pairs)
        return _decode(Pass(pairs, shapes, prior, tables), model.directions, workers)


def align_and_keep(
    source: Segmentation,
    target: Segmentation,
    *,
    options: Options = DEFAULTS,
    threads: int = 1,
) -> tuple[tuple[Links, Links], Model]:
    """As `align`, with the model, which `align_with_model` applies to other text."""
    trained = train(source, target, options=options, threads=threads)
    return (trained.forward.links, trained.reverse.links), trained.model


MODEL_SUFFIX = ".npz"


def align_with_model(
    model: Model,
    source: Segmentation,
    target: Segmentation,
    *,
    options: Options = DEFAULTS,
    threads: int = 1,
) -> tuple[Links, Links]:
    """The links of `force_align`; the model has its options itself."""
    forward, reverse = force_align(model, source, target, threads=threads)
    return forward.links, reverse.links


def score(
    model: Model, source: Segmentation, target: Segmentation, options: Options = DEFAULTS
) -> Float64:
    """The scores of `force_align`, forward and reverse, float64, shape (S, 2)."""
    ways = force_align(model, source, target)
    return np.column_stack([way.scores for way in ways])


def write_model(model: Model, path: str | Path) -> None:
    """Write a model, for `read_model`."""
    model.save(path)


def read_model(path: str | Path) -> Model:
    """Read a model.

    Raises:
        InputError: it is missing or damaged.
    """
    return Model.load(path)


class _Training:
    """Expectation maximization of both directions, in lockstep."""

    def __init__(
        self,
        source: Segmentation,
        target: Segmentation,
        options: Options,
        workers: Workers,
    ) -> None:
        self.source, self.target = source, target
        self.options, self.workers = options, workers
        self.pairs = Pairs.from_segmentations(source, target, workers)
        self.shapes = Shapes.from_pairs(self.pairs)
        self.tension = (options.tension, options.tension)
        # Before the first pass every t(f | e) is the same.
        self.tables = Tables(
            np.empty((2, 0)), np.ones(len(source.types)), np.ones(len(target.types))
        )

    @property
    def p0(self) -> float:
        return 0.0 if self.options.no_null else self.options.p0

    def run(self) -> _Training:
        """All passes but the last."""
        posteriors = Posteriors.from_pairs(self.pairs)
        counts = np.empty((2, len(self.pairs.column)))
        for iteration in range(1, self.options.iterations):
            inputs = self.inputs()
            normalize(inputs, posteriors, self.workers)
            collect(inputs, posteriors, counts, self.workers)
            # The program leaves the tension as it is after the first pass.
            if iteration > 1 and not self.options.fixed_tension:
                self.update_tension(posteriors)
            counts = self.maximize(posteriors, counts)
            step("iteration", iteration, self.options.iterations - 1)
        return self

    def inputs(self) -> Pass:
        """What the next pass reads."""
        prior = Prior.at(self.shapes, self.p0, self.tension, self.workers)
        return Pass(self.pairs, self.shapes, prior, self.tables)

    def update_tension(self, posteriors: Posteriors) -> None:
        tensions = []
        distances = posteriors.target_distance, posteriors.source_distance
        for way, generated in enumerate((len(self.target.ids), len(self.source.ids))):
            tension = self.tension[way]
            expected = float(distances[way].sum()) / generated
            for _ in range(TENSION_UPDATES):
                modeled = slope_of(self.shapes, way, tension, self.workers) / generated
                tension += TENSION_STEP * (expected - modeled)
                tension = min(max(tension, MIN_TENSION), MAX_TENSION)
            tensions.append(tension)
        self.tension = tensions[0], tensions[1]

    def maximize(self, posteriors: Posteriors, counts: Float64) -> Float64:
        """Turn the counts into tables; return the old table, to be overwritten by the next counts."""
        pairs, workers = self.pairs, self.workers
        alpha = 0.0 if self.options.em else self.options.alpha
        totals = totals_of(pairs, counts, alpha, len(self.target.types), workers)
        if not self.options.em:
            for total in totals:
                exp_digamma(0, len(total), total, 0.0)
        scales = [_inverse(total) for total in totals]
        workers.run(_weigh, workers.split(pairs.row), pairs, scales, self.options, counts)
        old = self.tables.weight
        of_target = np.bincount(
            self.target.ids, posteriors.target_null, minlength=len(self.target.types)
        )
        self.tables = Tables(
            counts,
            self.null(self.source, posteriors.source_null),
            self.null(self.target, of_target.astype(np.float64)),
        )
        return old if old.size else np.empty_like(counts)

    def null(self, generated: Segmentation, count: Float64) -> Float64:
        """t(f | NULL) of each type, from its count; 0 of a type that does not occur in the corpus."""
        if self.options.em:
            return count * _inverse(count.sum(keepdims=True))
        seen = np.bincount(generated.ids, minlength=len(generated.types)) > 0
        alpha = self.options.alpha
        total = (count[seen] + alpha).sum(keepdims=True)
        exp_digamma(0, 1, total, 0.0)
        count = count.copy()
        exp_digamma(0, len(count), count, alpha)
        return count * seen * _inverse(total)

    def directions(self) -> tuple[Direction, Direction]:
        """What a model keeps of them besides the tables."""
        ratios = self.target.lengths / self.source.lengths
        forward, reverse = self.tension
        return (
            Direction(forward, float(ratios.mean())),
            Direction(reverse, float((1 / ratios).mean())),
        )

    def decode(self) -> tuple[Alignment, Alignment]:
        """The last pass."""
        return _decode(self.inputs(), self.directions(), self.workers)

    def model(self) -> Model:
        """The tables, with the cells sorted."""
        pairs, tables = self.pairs, self.tables
        source = np.repeat(np.arange(len(self.source.types)), np.diff(pairs.row))
        order = np.lexsort((pairs.column, source))
        column = pairs.column[order]
        probability = np.ones((len(order), 2))
        if tables.weight.size:
            probability[:] = tables.weight.T[order]
        return Model(
            self.source.types,
            self.target.types,
            pairs.row,
            column,
            probability,
            tables.source_null,
            tables.target_null,
            self.p0,
            self.directions(),
        )


def _weigh(
    begin: int, end: int, pairs: Pairs, scales: list[Float64], options: Options, counts: Float64
) -> None:
    """Turn the counts of rows `begin:end` into t(f | e)."""
    if not options.em:
        for way in (0, 1):
            exp_digamma(pairs.row[begin], pairs.row[end], counts[way], options.alpha)
    scale(begin, end, pairs.row, pairs.column, *scales, counts)


def _inverse(values: Float64) -> Float64:
    """1 / x, or 0 where x is not above 0."""
    return np.divide(1.0, values, out=np.zeros_like(values), where=values > 0)


def _decode(
    inputs: Pass, directions: tuple[Direction, Direction], workers: Workers
) -> tuple[Alignment, Alignment]:
    pairs = inputs.pairs
    source_of, target_of, scores = decode(inputs, workers)
    n, m = np.diff(pairs.source_offsets), np.diff(pairs.target_offsets)
    scores[0] += _log_poisson(m, 0.05 + directions[0].length_ratio * n)
    scores[1] += _log_poisson(n, 0.05 + directions[1].length_ratio * m)
    target = np.flatnonzero(source_of >= 0)
    source = np.repeat(pairs.source_offsets[:-1], m)[target] + source_of[target]
    ascending = np.argsort(source, kind="stable")
    forward = _links(pairs, source[ascending], target[ascending])
    source = np.flatnonzero(target_of >= 0)
    target = np.repeat(pairs.target_offsets[:-1], n)[source] + target_of[source]
    reverse = _links(pairs, source, target)
    return Alignment(forward, scores[0]), Alignment(reverse, scores[1])


def _links(pairs: Pairs, source: Int64, target: Int64) -> Links:
    """Links from tokens of the whole corpus, ascending."""
    sentences = np.arange(len(pairs.load) - 1)
    sentence = np.repeat(sentences, np.diff(pairs.source_offsets))[source]
    links = np.empty((len(source), 2), dtype=np.int32)
    links[:, 0] = source - pairs.source_offsets[sentence]
    links[:, 1] = target - pairs.target_offsets[sentence]
    return Links(offsets_of(np.bincount(sentence, minlength=len(sentences))), links)


def _log_poisson(counts: Int64, means: Float64) -> Float64:
    log_factorial = np.array([math.lgamma(k + 1) for k in range(int(counts.max()) + 1)])
    log_likelihood: Float64 = counts * np.log(means) - means - log_factorial[counts]
    return log_likelihood
