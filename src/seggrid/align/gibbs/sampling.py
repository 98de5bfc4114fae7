"""Collapsed Gibbs sampling of links.

Östling and Tiedemann (2016), "Efficient Word Alignment with Markov Chain Monte Carlo". Each token
f_j of the generated side links to a token e_i of the conditioning side or to NULL. Its link is drawn
again and again, given all others, in proportion to

    i:    (n(e_i, f_j) + lexical) / (n(e_i) + lexical V)  J[i - l] J[r - i]  p_e(k + 1) / p_e(k)
    NULL: null (n(NULL, f_j) + lexical) / (n(NULL) + lexical V)  J_all J[r - l]

n: the number of links, without that of j. V: the number of generated types, plus 1. l, r: the places
that the nearest linked tokens left and right of j link to; -1 and the sentence's length if there is
no such token. J[d]: `jump` plus the count of jumps d; J_all: 100 `jump` plus the count of all jumps.
k: the number of links that e_i has from other tokens of the sentence. p_e: the distribution of the
type's fertilities 0..7. It is drawn before each sweep from a Dirichlet distribution whose parameters
are `fertility` plus the counts of the fertilities.

There are three stages: the first uses only the first factor, the second also jumps, the third also
fertilities. Each starts from the links of the stage before. In a last sweep the distributions of all
samplers are added, and each token gets the link with the highest sum.

A text of more than `LARGE` sentence pairs is aligned by another sampler, which needs less memory; `_ramp`
and `_lean` say how it differs.

Each sampler of each direction has its own random numbers, derived from the seed, and all sums are
computed in a fixed order, so links do not depend on threads or on the processor.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seggrid.align.aligner import AlignedSample
from seggrid.align.chosen import kind_between, links_of
from seggrid.align.gibbs import LARGE, Options
from seggrid.align.gibbs._chains import Chains, Prior, count, forget_fertilities, start
from seggrid.align.gibbs._corpus import Corpus, cells_of, corpora_from_segmentations
from seggrid.align.gibbs._lean import Sides
from seggrid.align.gibbs._prior_counts import (
    PriorCounts,
    TypeCounts,
    prior_cells,
    prior_counts_of,
    type_counts_of,
)
from seggrid.align.gibbs._ramp import Ramp, last_sweep, passes
from seggrid.align.gibbs._sweep import sweep
from seggrid.align.gibbs._vectors import LANES
from seggrid.align.gibbs.others import Others
from seggrid.align.gibbs.priors import Priors, lowercased
from seggrid.align.parallel import check_parallel
from seggrid.align.threads import Workers
from seggrid.base.arrays import Float32, Float64, Int64
from seggrid.base.steps import step
from seggrid.data.links import Links, Posteriors
from seggrid.data.ragged import offsets_of
from seggrid.data.segmentation import Segmentation

BLOCK = 1 << 18
"""The number of positions (pairs of tokens) whose probabilities are in memory at once. With 16 times as many,
the alignment of 10,508 real sentence pairs on two threads takes 75 MB more."""

FLOOR = 0.01
"""Links that are less probable are left out of the probabilities."""

SHARE_OF_FOUR = 0.75
"""The share of the sweeps that are run on large texts, as four samplers run there instead of three.
On 100,000 generated pairs F1 is 0.903 with all sweeps, 0.901 with this share and 0.899 with half of them."""

NARROW = 1 << 21
"""Counts from this size on need more than 21 bits, a third of a word's 63 bits."""


SHARE_WITH_PRIORS = 0.5
"""The share of the sweeps that are run when there are priors. On the thesis's English-German text in parts,
aligned with the model of a sample, F1 was 0.003 to 0.005 lower with a share of 0.2, and with all sweeps as
high as with half of them."""

LEAST = 800
"""With priors, a text with fewer sentence pairs gets the number of sweeps of a text with this many, as a
single pair would get 28 times as many. The thesis's English-German gold, aligned pair by pair with the model
of the rest, has a mean F1 of 0.700 over three seeds with 800, 0.701 with 400, and 0.701 with all sweeps
(one seed); the standard deviation over seeds is 0.002. A pair takes three quarters of the time that it takes
with 400."""


def align(
    source: Segmentation,
    target: Segmentation,
    options: Options,
    *,
    threads: int = 1,
    seed: int = 0,
    priors: Sequence[Priors] | Others | None = None,
    probabilities: bool = False,
    keep: bool = False,
) -> AlignedSample:
    """Align two segmentations of the same sentences in both directions.

    Each sampler has its own counts in the model, so that samplers that start from them differ as these did.
    The thesis's English-German text in halves, aligned with the model of a sample, had an F1 of 0.763; when
    all samplers got the counts of the most probable links, it was 0.757. As a whole the text had 0.769.

    Args:
        source, target, options: the text, and how it is aligned.
        threads, seed: the seed determines all random numbers; the links do not depend on `threads`.
        priors: the counts of each sampler of an earlier alignment, or of all other parts of the text. Their
            links count as if their text were part of this one. If there are fewer priors than samplers, the
            samplers take them in turn. With priors, half as many sweeps are run.
        probabilities: whether to return the probabilities by which links were chosen, of at least `FLOOR`.
        keep: whether to return the model: the counts of each sampler's links before the last sweep.
    """
    check_parallel(source, target)
    job = prepared(source, target, options, seed, priors)
    asked = probabilities, keep
    found: list[_Found] = []
    with Workers(threads) as workers:
        if len(source) > LARGE:
            found = workers.run(_conclude_large, [(0, 1), (1, 2)], job, asked)
        else:
            for turn in _sample(job, workers):
                ways = [(way, way + 1) for way in range(len(turn))]
                found += workers.run(_conclude, ways, turn, asked)
                del turn
    forward, reverse = found
    likely = None
    if forward.probable is not None and reverse.probable is not None:
        likely = forward.probable, reverse.probable
    drawn = zip(forward.drawn, reverse.drawn, strict=True)
    model = [Priors.from_links(*job.sides, *links) for links in drawn] if keep else None
    return AlignedSample((forward.links, reverse.links), likely, model)


class _Job(NamedTuple):
    """A text and how it is aligned; see `prepared`."""

    sides: tuple[Segmentation, Segmentation]
    options: Options
    seed: int
    type_counts: TypeCounts


def prepared(
    source: Segmentation,
    target: Segmentation,
    options: Options,
    seed: int,
    priors: Sequence[Priors] | Others | None,
) -> _Job:
    """The text, in lower case if the options say so; the options, with fewer sweeps if there are priors; and
    the counts of the priors for the types of the text."""
    if priors is not None:
        share = options.relative_iterations * SHARE_WITH_PRIORS
        options = options.model_copy(update={"relative_iterations": share})
    if options.lowercase:
        source, target = _lowercased(source), _lowercased(target)
    if isinstance(priors, Others):
        counts = priors.type_counts(source.types, target.types)
    else:
        own = [lowercased(one) if options.lowercase else one for one in priors or ()]
        counts = type_counts_of(own, source.types, target.types)
    return _Job((source, target), options, seed, counts)


def score(
    model: Sequence[Priors],
    source: Segmentation,
    target: Segmentation,
    options: Options,
) -> Float64:
    """The log-probability of each sentence given the other, by IBM model 1 with the counts of all priors.

    p(f_j) = (1 / V + sum over i of n(e_i, f_j) / n(e_i)) / (I + 1), where V is the number of types of the
    generated side in the priors, and n is summed over the priors. As in the scores of `fast_align`, the
    log-probability of a sentence is the sum over its tokens; its length has no probability.

    Returns:
        Forward and reverse, float64, shape (S, 2).
    """
    if options.lowercase:
        source, target = _lowercased(source), _lowercased(target)
        model = [lowercased(priors) for priors in model]
    check_parallel(source, target)
    with Workers(1) as workers:
        cells = cells_of(source, target, workers)
    type_counts = type_counts_of(model, source.types, target.types)
    known, counts = prior_cells(type_counts, len(target.types), cells.row, cells.column)
    links = np.zeros(len(cells.column), dtype=np.int64)
    links[known] = counts.sum(axis=1)
    shares = []
    for way, side in enumerate((source, target)):
        total = type_counts.totals[way].sum(axis=1).clip(min=1)[side.ids]
        types = set().union(*(priors.totals[way] for priors in model))
        shares.append((1 / total, 1 / max(len(types), 1)))
    (of_source, source_floor), (of_target, target_floor) = shares
    found = np.empty((len(source), 2))
    bounds = zip(pairwise(source.offsets.tolist()), pairwise(target.offsets.tolist()), strict=True)
    for s, ((a, b), (c, d)) in enumerate(bounds):
        slots = cells.slot[cells.first[a:b, None] + np.arange(d - c)]
        both = links[cells.row[source.ids[a:b], None] + slots]
        forward = of_source[a:b] @ both + target_floor
        reverse = both @ of_target[c:d] + source_floor
        found[s] = np.log(forward / (b - a + 1)).sum(), np.log(reverse / (d - c + 1)).sum()
    return found


def stages_of(options: Options, sentences: int) -> list[tuple[int, int]]:
    """The stages of training: the number of the model and of sweeps of each.

    >>> stages_of(Options(), 10_000), stages_of(Options(model=1), 100)
    ([(1, 12), (2, 12), (3, 50)], [(1, 500)])
    """
    sweeps = max(2, round(5000 * options.relative_iterations / sentences**0.5))
    before = [(1, max(2, sweeps // 4)), (2, max(1, sweeps // 4))]
    return [*before[: options.model - 1], (options.model, sweeps)]


LONG = 40_000
"""The most cells, pairs of a source and a target token, that a sentence pair has in ordinary texts on
average: 200 tokens a side. The words of the thesis's English-German text have 860, its characters 26,700."""
ORDINARY = 1_000
"""Cells of an ordinary sentence pair of words."""


def ordinary_pairs(source: NDArray[np.integer], target: NDArray[np.integer]) -> int:
    """The number of sentence pairs that decides the number of sweeps: the cells that pairs have beyond `LONG`
    on average count as further pairs. Otherwise a text of one very long line would get 5,000 sweeps, each of
    which visits all cells.

    >>> ordinary_pairs(np.full(100, 25), np.full(100, 25)), ordinary_pairs(np.array([500]), np.array([500]))
    (100, 211)
    """
    cells = int(source.astype(np.int64) @ target.astype(np.int64))
    return len(source) + max(0, cells - LONG * len(source)) // ORDINARY


class _Direction(NamedTuple):
    """One direction with its samplers, in groups that go over the corpus together.

    Attributes:
        reverse: whether the target is the conditioning side.
        bits: number of bits of each sampler's count in the word of a cell.
        stages: the stages of training; see `stages_of`.
        prior_counts: for each group, the counts of its samplers' priors.
    """

    reverse: bool
    corpus: Corpus
    prior: Prior
    model: int
    groups: list[Chains]
    bits: int
    stages: list[tuple[int, int]]
    prior_counts: list[PriorCounts]


class _Found(NamedTuple):
    """The alignment of one direction.

    Attributes:
        links: each generated token's most probable link.
        probable: the links that are probable enough, with probabilities; None if not asked for.
        drawn: each sampler's links before the last sweep; empty if not asked for.
    """

    links: Links
    probable: Posteriors | None
    drawn: list[Links]


def _sample(job: _Job, workers: Workers) -> Iterator[list[_Direction]]:
    """Run all sweeps but the last, and yield the directions: both at once, or one by one on a single thread.

    On a single thread, only one direction is in memory at a time if the caller drops each before it asks for
    the next.
    """
    corpora = enumerate(corpora_from_segmentations(*job.sides, workers, job.type_counts))
    directions = (
        _direction(way, corpus, cells, job, workers.threads) for way, (corpus, cells) in corpora
    )
    while turn := list(islice(directions, min(workers.threads, 2))):
        jobs = [(one, group) for one in turn for group in range(len(one.groups))]
        workers.run(_train, [(k, k + 1) for k in range(len(jobs))], jobs)
        yield turn
        del turn, jobs


def _direction(
    way: int,
    corpus: Corpus,
    cells: tuple[Int64, Int64],
    job: _Job,
    threads: int,
) -> _Direction:
    """One direction before its first sweep."""
    sides, options, seed, type_counts = job
    given, generated = len(sides[way].types), len(sides[1 - way].types)
    longest = int(np.diff(corpus.given_offsets).max()) + 1
    prior_counts = prior_counts_of(type_counts, way, longest, cells)
    # A cell has at most as many links as its generated type has tokens, plus those of its priors.
    most = np.bincount(corpus.generated).max() + prior_counts.links.max(initial=0)
    bits = 21 if most < NARROW else 63
    ranges = list(_groups(options.samplers, threads, 63 // bits))
    groups = [
        Chains.allocate(
            corpus,
            (given, generated),
            *(
                np.array([_key(seed, way, k, use) for k in group], dtype=np.uint64)
                for use in ("links", "fertilities")
            ),
        )
        for group in ranges
    ]
    pairs = ordinary_pairs(np.diff(corpus.given_offsets), np.diff(corpus.generated_offsets))
    stages = stages_of(options, max(pairs, LEAST) if type_counts.samplers else pairs)
    prior = _prior(options, generated)
    of_groups = [prior_counts.of(group) for group in ranges]
    return _Direction(way == 1, corpus, prior, options.model, groups, bits, stages, of_groups)


def _prior(options: Options, generated: int) -> Prior:
    """The parameters of the priors, for a number of generated types."""
    return Prior(
        options.lexical_prior,
        options.jump_prior,
        options.fertility_prior,
        options.lexical_prior * (generated + 1),
        options.null_prior,
    )


def _groups(samplers: int, threads: int, most: int) -> Iterator[range]:
    """Divide samplers into as few groups as keep all threads busy, each of at most `most` samplers.

    >>> list(_groups(3, 2, 3)), list(_groups(3, 4, 3)), list(_groups(5, 1, 3))
    ([range(0, 3)], [range(0, 2), range(2, 3)], [range(0, 3), range(3, 5)])
    """
    wanted = max(-(-samplers // most), min(samplers, -(-threads // 2)))
    size = -(-samplers // wanted)
    for first in range(0, samplers, size):
        yield range(first, min(first + size, samplers))


def _key(seed: int, way: int, sampler: int, use: str) -> int:
    """The key, 64 bits, of a stream of random numbers."""
    text = f"{seed}/{way}/{sampler}/{use}"
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")


def _train(job: int, _: int, jobs: list[tuple[_Direction, int]]) -> None:
    """Run one group of samplers through all stages."""
    direction, group = jobs[job]
    chains, prior_counts = direction.groups[group], direction.prior_counts[group]
    corpus, prior, bits = direction.corpus, direction.prior, direction.bits
    nothing = np.zeros(0, dtype=np.float32)
    start(corpus, prior, chains)
    number, total = 0, sum(sweeps for _, sweeps in direction.stages)
    for model, sweeps in direction.stages:
        count(corpus, prior_counts, prior, chains, bits, model >= 2)
        for _ in range(sweeps):
            number += 1
            if model == 3:
                forget_fertilities(corpus, prior_counts, chains)
            sweep(0, len(corpus.load) - 1, corpus, prior, chains, bits, model, number, nothing)
            if job == 0 and not direction.reverse:
                step("sweep", number, total)
    if direction.model == 3:
        forget_fertilities(corpus, prior_counts, chains)


def _last_sweep(direction: _Direction) -> Iterator[tuple[int, int, Float32]]:
    """The last sweep: for blocks of sentence pairs, their begin and end, and the probabilities of each
    token's links, summed over samplers; see `sweep`."""
    corpus, sentences = direction.corpus, len(direction.corpus.load) - 1
    number = 1 + sum(sweeps for _, sweeps in direction.stages)
    begin = 0
    while begin < sentences:
        end = np.searchsorted(corpus.load, corpus.load[begin] + BLOCK, side="right") - 1
        end = min(max(int(end), begin + 1), sentences)
        tokens = corpus.generated_offsets[end] - corpus.generated_offsets[begin]
        positions = corpus.load[end] - corpus.load[begin]
        summed = np.zeros(positions + tokens, dtype=np.float32)
        for chains in direction.groups:
            sweep(
                begin, end, corpus, direction.prior, chains, direction.bits, direction.model,
                number, summed,
            )  # fmt: skip
        yield begin, end, summed
        begin = end


_Asked = tuple[bool, bool]
"""Whether to return probabilities, and each sampler's links."""


def _conclude(way: int, _: int, directions: list[_Direction], asked: _Asked) -> _Found:
    """Run the last sweep of one direction."""
    probabilities, keep = asked
    direction = directions[way]
    corpus = direction.corpus
    sides = corpus.given_offsets, corpus.generated_offsets

    def links_at(chains: Chains, lane: int) -> Links:
        return links_of(*sides, chains.link[lane :: len(chains.key)], direction.reverse)

    lanes = [(group, lane) for group in direction.groups for lane in range(len(group.key))]
    drawn = [links_at(*one) for one in lanes] if keep else []
    found = _probable(_last_sweep(direction), *sides, len(lanes), direction.reverse, probabilities)
    # The last sampler chose its links by the sum of all samplers' distributions.
    return _Found(links_at(*lanes[-1]), found, drawn)


def _conclude_large(
    way: int,
    _: int,
    job: _Job,
    asked: _Asked,
) -> _Found:
    """Run all sweeps of one direction of a large text, and return the same as `_conclude`."""
    probabilities, keep = asked
    sides, options, seed, type_counts = job
    given, generated = sides[way], sides[1 - way]
    options = options.model_copy(
        update={"relative_iterations": options.relative_iterations * SHARE_OF_FOUR}
    )
    e_of, f_of = (
        (type_counts.source, type_counts.target)
        if way == 0
        else (type_counts.target, type_counts.source)
    )
    prior_counts = prior_counts_of(
        type_counts, way, int(given.lengths.max()) + 1, (e_of, type_counts.links)
    )
    text = Sides(given.ids, given.offsets, generated.ids, generated.offsets)
    types = len(given.types), len(generated.types)
    plan = passes(len(given), partial(stages_of, options))
    ramps = []
    # Each group has `LANES` samplers.
    for first in range(0, options.samplers, LANES):
        group = range(first, first + LANES)
        keys = np.array([_key(seed, way, lane, "links") for lane in group], dtype=np.uint64)
        own = prior_counts.of(group)
        prior_links = e_of, f_of, own.links
        ramps.append(Ramp(text, types, _prior(options, types[1]), keys, plan, own, prior_links))
    for number, ramp in enumerate(ramps):
        ramp.train(is_shown=way == 0 and number == 0)
    lanes = [(ramp, lane) for ramp in ramps for lane in range(LANES)] if keep else []
    sides_of = given.offsets, generated.offsets
    drawn = [links_of(*sides_of, ramp.lanes.link[lane::LANES], way == 1) for ramp, lane in lanes]
    del lanes
    blocks = last_sweep(ramps, BLOCK)
    found = _probable(blocks, *sides_of, LANES * len(ramps), way == 1, probabilities)
    link = ramps[-1].lanes.link
    # Free the counts, then the links of the other lanes.
    del ramps, blocks
    chosen = link[::LANES].copy()
    del link
    return _Found(links_of(*sides_of, chosen, way == 1), found, drawn)


def _probable(
    blocks: Iterator[tuple[int, int, Float32]],
    given_offsets: Int64,
    generated_offsets: Int64,
    samplers: int,
    is_reverse: bool,
    probabilities: bool,
) -> Posteriors | None:
    """Run the last sweep, and return the links that are probable enough; None if they are not asked for."""
    if not probabilities:
        for _ in blocks:
            pass
        return None
    found = (
        _probable_of(block, given_offsets, generated_offsets, samplers, is_reverse)
        for block in blocks
    )
    return Posteriors.joined(found, kind_between(given_offsets, generated_offsets))


def _probable_of(
    block: tuple[int, int, Float32],
    given_offsets: Int64,
    generated_offsets: Int64,
    samplers: int,
    is_reverse: bool,
) -> Posteriors:
    """The links of one block that are probable enough; see `_probable`."""
    begin, end, summed = block
    starts = generated_offsets[begin : end + 1] - generated_offsets[begin]
    lengths = np.diff(given_offsets[begin : end + 1])
    # Each generated token has one probability for each conditioning token, and one for NULL.
    rows = np.repeat(lengths + 1, np.diff(starts))
    ends = np.cumsum(rows)
    probable = np.flatnonzero(summed >= np.float32(FLOOR * samplers))
    token = np.searchsorted(ends, probable, side="right")
    place = probable - (ends - rows)[token]
    linked = place < rows[token] - 1
    token, place = token[linked], place[linked]
    # By rounding, the sum of the samplers' probabilities may be larger than the number of samplers.
    mean = np.minimum(summed[probable[linked]] / np.float32(samplers), np.float32(1))
    sentence = np.searchsorted(starts, token, side="right") - 1
    pairs = np.column_stack([place, token - starts[sentence]])
    pairs = pairs[:, ::-1] if is_reverse else pairs
    order = np.lexsort((pairs[:, 1], pairs[:, 0], sentence))
    counts = np.bincount(sentence, minlength=end - begin)
    return Posteriors(Links(offsets_of(counts), pairs[order]), mean[order])


def _lowercased(side: Segmentation) -> Segmentation:
    """The segmentation with types in lower case: types that differ only in case become one."""
    index: dict[str, int] = {}
    lower = [index.setdefault(token.lower(), len(index)) for token in side.types]
    ids = np.array(lower, dtype=np.int32)[side.ids]
    return Segmentation(list(index), ids, side.offsets, side.first, side.last)
