"""gibbs: a Bayesian aligner, by collapsed Gibbs sampling; the model of eflomal, with a seed.

Östling and Tiedemann (2016), "Efficient Word Alignment with Markov Chain Monte Carlo". Each token
f_j of the generated side links to a token e_i of the conditioning side or to NULL. Its link is drawn
again and again, given all others, in proportion to

    i:    (n(e_i, f_j) + lexical) / (n(e_i) + lexical V)  J[i - l] J[r - i]  p_e(k + 1) / p_e(k)
    NULL: null (n(NULL, f_j) + lexical) / (n(NULL) + lexical V)  J_all J[r - l]

n: links without that of j. V: generated types, and one. l, r: the places that the nearest linked
tokens left and right of j link to; -1 and the sentence's length where there is none. J[d]: `jump`
plus the jumps of d that are counted, J_all: 100 `jump` and all of them. k: links that e_i has from
other tokens of the sentence. p_e: the distribution of the type's fertilities 0..7, drawn before each
sweep from a Dirichlet distribution, with parameters `fertility` plus their counts.

There are three stages: with the first factor alone, with jumps, with fertilities; each starts from
the links of the one before. In a last sweep the distributions of all samplers are added, and each
token takes the link that is then the most probable.

A text of more than `LARGE` sentence pairs is aligned in less memory: `_ramp` and `_lean` say what differs.

Each sampler of each direction has random numbers of its own, found from the seed, and all sums are
in a fixed order: links do not depend on threads or on the processor.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice, pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

from seggrid.align.chosen import kind_between, links_of
from seggrid.align.gibbs._chains import Chains, Float32, Prior, count, forget_fertilities, start
from seggrid.align.gibbs._corpus import Corpus, corpora_from_segmentations
from seggrid.align.gibbs._known import Known, Taught, known_cells, known_counts, taught_of
from seggrid.align.gibbs._lean import Sides
from seggrid.align.gibbs._ramp import Ramp, last_sweep, passes
from seggrid.align.gibbs._sweep import sweep
from seggrid.align.gibbs._vectors import LANES
from seggrid.align.gibbs.others import Others
from seggrid.align.gibbs.others import sum_counts as sum_counts
from seggrid.align.gibbs.others import write_counts as write_counts
from seggrid.align.gibbs.priors import Priors, lowercased, read_priors, write_priors
from seggrid.align.gibbs_options import LARGE, Options
from seggrid.align.pairs import Float64, Int64, Pairs
from seggrid.align.parallel import check_parallel
from seggrid.align.threads import Workers
from seggrid.base.steps import step
from seggrid.data.links import Links
from seggrid.data.posteriors import Posteriors
from seggrid.data.ragged import offsets_of
from seggrid.data.segmentation import Segmentation

DEFAULTS = Options()

BLOCK = 1 << 22
"""Positions whose distributions are in memory at once."""

FLOOR = 0.01
"""Links that are less probable are not kept."""

SHARE_OF_FOUR = 0.75
"""The share of the sweeps that the sampler for large texts runs, as it has four samplers in place of three.
On 100,000 generated pairs F1 is 0.903 with all sweeps, 0.901 with this share and 0.899 with half of them."""

NARROW = 1 << 21
"""Tokens of a type from which on its counts need more than a third of a word's 63 bits."""


def align(
    source: Segmentation,
    target: Segmentation,
    *,
    options: Options = DEFAULTS,
    threads: int = 1,
    seed: int = 0,
    priors: Sequence[Priors] | Others | None = None,
) -> tuple[Links, Links]:
    """Align two segmentations of the same sentences in both directions, as `seggrid.align` says.

    Args:
        seed: all random numbers follow from it; the links do not depend on `threads`.
        priors: of each sampler of an earlier alignment, whose links count as if its text were part of this
            one; or of all other parts of the text. If there are fewer than samplers, they are taken in turn.
            Half of the sweeps are left.
    """
    forward, reverse = _aligned(source, target, options, threads, seed, priors)
    return forward.links, reverse.links


def align_with_posteriors(
    source: Segmentation,
    target: Segmentation,
    *,
    options: Options = DEFAULTS,
    threads: int = 1,
    seed: int = 0,
    priors: Sequence[Priors] | Others | None = None,
    floor: float = FLOOR,
    keep: bool = False,
) -> tuple[tuple[Links, Links], tuple[Posteriors, Posteriors], list[Priors] | None]:
    """The links that `align` gives for the same seed, and the probabilities by which they were chosen.

    See `align` for the other arguments and what is raised.

    Args:
        floor: links that are less probable are left out of the probabilities.
        keep: whether to return what `align_and_keep` keeps.

    Returns:
        Forward and reverse links, forward and reverse probabilities of links, both between tokens; the model,
        or None.
    """
    forward, reverse = _aligned(source, target, options, threads, seed, priors, floor, keep)
    if forward.probable is None or reverse.probable is None:
        raise AssertionError("no probabilities")
    model = _kept(source, target, (forward, reverse), options) if keep else None
    return (forward.links, reverse.links), (forward.probable, reverse.probable), model


MODEL_SUFFIX = ".priors"

SHARE_WITH_PRIORS = 0.5
"""The share of the sweeps that are run when there are priors. On the thesis's English-German text in parts
with what a sample taught, F1 was 0.003 to 0.005 lower with a share of 0.2, and with all sweeps as high as
with half of them."""

LEAST = 800
"""With priors, fewer sentence pairs than these get the sweeps of so many: a single pair would get 28 times as
many. The thesis's English-German gold, aligned pair by pair with what was learned on the rest, has a mean F1
of 0.700 over three seeds with 800, 0.701 with 400, and 0.701 with all sweeps (one seed); a seed's standard
deviation is 0.002. A pair takes three quarters of the time that it takes with 400."""


def align_and_keep(
    source: Segmentation,
    target: Segmentation,
    *,
    options: Options = DEFAULTS,
    threads: int = 1,
    seed: int = 0,
) -> tuple[tuple[Links, Links], list[Priors]]:
    """As `align`, with the model: counts of each sampler's links before the last sweep.

    Each sampler counts its own, so that those of other text differ as much: with the counts of the most
    probable links for all, the thesis's English-German text in halves, aligned with what a sample taught, had
    an F1 of 0.757, with each sampler's own 0.763, as a whole 0.769 (seed 1).
    """
    directions = _aligned(source, target, options, threads, seed, None, keep=True)
    links = directions[0].links, directions[1].links
    return links, _kept(source, target, directions, options)


def _kept(
    source: Segmentation,
    target: Segmentation,
    directions: tuple[_Found, _Found],
    options: Options,
) -> list[Priors]:
    """The counts of each sampler's links."""
    if options.lowercase:
        source, target = _lowercased(source), _lowercased(target)
    drawn = (found.drawn for found in directions)
    return [Priors.from_links(source, target, *links) for links in zip(*drawn, strict=True)]


def align_with_model(
    model: Sequence[Priors] | Others,
    source: Segmentation,
    target: Segmentation,
    *,
    options: Options = DEFAULTS,
    threads: int = 1,
    seed: int = 0,
) -> tuple[Links, Links]:
    """As `align` with these priors."""
    return align(source, target, options=options, threads=threads, seed=seed, priors=model)


def score(
    model: Sequence[Priors],
    source: Segmentation,
    target: Segmentation,
    options: Options = DEFAULTS,
) -> Float64:
    """The log-probability of each sentence given the other, by IBM model 1 with the counts of all priors.

    p(f_j) = (1 / V + sum over i of n(e_i, f_j) / n(e_i)) / (I + 1); V is the number of types that the
    generated side has in the priors, and counts are summed over priors. The sum over sentences' tokens is as
    of `fast_align`'s scores, without a probability of their number.

    Returns:
        Forward and reverse, float64, shape (S, 2).
    """
    if options.lowercase:
        source, target = _lowercased(source), _lowercased(target)
        model = [lowercased(priors) for priors in model]
    with Workers(1) as workers:
        pairs = Pairs.from_segmentations(source, target, workers)
    taught = taught_of(model, source.types, target.types)
    cells, counts = known_cells(taught, len(target.types), pairs.row, pairs.column)
    links = np.zeros(len(pairs.column), dtype=np.int64)
    links[cells] = counts.sum(axis=1)
    shares = []
    for way, side in enumerate((source, target)):
        total = taught.totals[way].sum(axis=1).clip(min=1)[side.ids]
        known = set().union(*(priors.totals[way] for priors in model))
        shares.append((1 / total, 1 / max(len(known), 1)))
    (of_source, source_floor), (of_target, target_floor) = shares
    found = np.empty((len(source), 2))
    bounds = zip(pairwise(source.offsets.tolist()), pairwise(target.offsets.tolist()), strict=True)
    for s, ((a, b), (c, d)) in enumerate(bounds):
        slots = pairs.slot[pairs.first[a:b, None] + np.arange(d - c)]
        both = links[pairs.row[source.ids[a:b], None] + slots]
        forward = of_source[a:b] @ both + target_floor
        reverse = both @ of_target[c:d] + source_floor
        found[s] = np.log(forward / (b - a + 1)).sum(), np.log(reverse / (d - c + 1)).sum()
    return found


def write_model(model: Sequence[Priors], path: str | Path) -> None:
    """Write a model, for `read_model`."""
    write_priors(path, model)


def read_model(path: str | Path) -> list[Priors]:
    """Read a model, or what `eflomal-makepriors` wrote.

    Raises:
        InputError: it is missing or damaged.
    """
    return read_priors(path)


def stages_of(options: Options, sentences: int) -> list[tuple[int, int]]:
    """The stages of training: which model, and how many sweeps.

    >>> stages_of(Options(), 10_000), stages_of(Options(model=1), 100)
    ([(1, 12), (2, 12), (3, 50)], [(1, 500)])
    """
    sweeps = max(2, round(5000 * options.relative_iterations / sentences**0.5))
    before = [(1, max(2, sweeps // 4)), (2, max(1, sweeps // 4))]
    return [*before[: options.model - 1], (options.model, sweeps)]


class _Direction(NamedTuple):
    """One direction with its samplers, in groups that go over the corpus together.

    Attributes:
        reverse: whether the target conditions.
        bits: of a sampler in the words that hold a cell's counts.
        stages: of training; see `stages_of`.
        known: what priors count, of each group.
    """

    reverse: bool
    corpus: Corpus
    prior: Prior
    model: int
    groups: list[Chains]
    bits: int
    stages: list[tuple[int, int]]
    known: list[Known]


class _Found(NamedTuple):
    """What one direction has found.

    Attributes:
        links: each generated token's most probable link.
        probable: the links that are probable enough; None if not asked for.
        drawn: each sampler's links before the last sweep; nothing if not asked for.
    """

    links: Links
    probable: Posteriors | None
    drawn: list[Links]


def _aligned(
    source: Segmentation,
    target: Segmentation,
    options: Options,
    threads: int,
    seed: int,
    priors: Sequence[Priors] | Others | None,
    floor: float | None = None,
    keep: bool = False,
) -> tuple[_Found, _Found]:
    """Both directions, with probabilities if there is a floor, and what samplers have drawn if it is kept."""
    check_parallel(source, target)
    asked = floor, keep
    found: list[_Found] = []
    with Workers(threads) as workers:
        if len(source) > LARGE:
            options, sides, taught = _prepared(source, target, options, priors)
            ways = [(0, 1), (1, 2)]
            found = workers.run(_conclude_large, ways, sides, options, seed, taught, asked)
        else:
            for turn in _sample(source, target, options, workers, seed, priors):
                ways = [(way, way + 1) for way in range(len(turn))]
                found += workers.run(_conclude, ways, turn, asked)
                del turn
    forward, reverse = found
    return forward, reverse


def _prepared(
    source: Segmentation,
    target: Segmentation,
    options: Options,
    priors: Sequence[Priors] | Others | None,
) -> tuple[Options, tuple[Segmentation, Segmentation], Taught]:
    """Options and text with the sweeps and the case that are asked for, and what priors say of its types."""
    if priors is not None:
        share = options.relative_iterations * SHARE_WITH_PRIORS
        options = options.model_copy(update={"relative_iterations": share})
    if options.lowercase:
        source, target = _lowercased(source), _lowercased(target)
    if isinstance(priors, Others):
        return options, (source, target), priors.taught(source.types, target.types)
    own = [lowercased(one) if options.lowercase else one for one in priors or ()]
    return options, (source, target), taught_of(own, source.types, target.types)


def _sample(
    source: Segmentation,
    target: Segmentation,
    options: Options,
    workers: Workers,
    seed: int,
    priors: Sequence[Priors] | Others | None = None,
) -> Iterator[list[_Direction]]:
    """All sweeps but the last: of both directions at once, or, on one thread, of one after the other.

    On one thread the memory holds one direction at a time, if who takes it lets it go.
    """
    options, sides, taught = _prepared(source, target, options, priors)
    directions = _directions(sides, options, workers, seed, taught)
    del taught
    while turn := list(islice(directions, min(workers.threads, 2))):
        jobs = [(one, group) for one in turn for group in range(len(one.groups))]
        workers.run(_train, [(k, k + 1) for k in range(len(jobs))], jobs)
        yield turn
        del turn, jobs


def _directions(
    sides: tuple[Segmentation, Segmentation],
    options: Options,
    workers: Workers,
    seed: int,
    taught: Taught,
) -> Iterator[_Direction]:
    """Forward and reverse, before any sweep."""
    for way, (corpus, cells) in enumerate(corpora_from_segmentations(*sides, workers, taught)):
        yield _direction(way, corpus, cells, sides, options, workers.threads, seed, taught)


def _direction(
    way: int,
    corpus: Corpus,
    cells: tuple[Int64, Int64],
    sides: tuple[Segmentation, Segmentation],
    options: Options,
    threads: int,
    seed: int,
    taught: Taught,
) -> _Direction:
    given, generated = len(sides[way].types), len(sides[1 - way].types)
    longest = int(np.diff(corpus.given_offsets).max()) + 1
    known = known_counts(taught, way, longest, cells)
    # A cell has no more links than its generated type has tokens, and what is known.
    most = np.bincount(corpus.generated).max() + known.links.max(initial=0)
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
    pairs = len(corpus.load) - 1
    stages = stages_of(options, max(pairs, LEAST) if taught.samplers else pairs)
    prior = _prior(options, generated)
    of_groups = [known.of(group) for group in ranges]
    return _Direction(way == 1, corpus, prior, options.model, groups, bits, stages, of_groups)


def _prior(options: Options, generated: int) -> Prior:
    """The priors' parameters, with that many generated types."""
    return Prior(
        options.lexical_prior,
        options.jump_prior,
        options.fertility_prior,
        options.lexical_prior * (generated + 1),
        options.null_prior,
    )


def _groups(samplers: int, threads: int, most: int) -> Iterator[range]:
    """Samplers in groups: as few as keep all threads at work, of at most `most`.

    >>> list(_groups(3, 2, 3)), list(_groups(3, 4, 3)), list(_groups(5, 1, 3))
    ([range(0, 3)], [range(0, 2), range(2, 3)], [range(0, 3), range(3, 5)])
    """
    wanted = max(-(-samplers // most), min(samplers, -(-threads // 2)))
    size = -(-samplers // wanted)
    for first in range(0, samplers, size):
        yield range(first, min(first + size, samplers))


def _key(seed: int, way: int, sampler: int, use: str) -> int:
    """64 bits that start a stream of random numbers."""
    text = f"{seed}/{way}/{sampler}/{use}"
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")


def _train(job: int, _: int, jobs: list[tuple[_Direction, int]]) -> None:
    """Run one group of samplers through all stages."""
    direction, group = jobs[job]
    chains, known = direction.groups[group], direction.known[group]
    corpus, prior, bits = direction.corpus, direction.prior, direction.bits
    nothing = np.zeros(0, dtype=np.float32)
    start(corpus, prior, chains)
    number, total = 0, sum(sweeps for _, sweeps in direction.stages)
    for model, sweeps in direction.stages:
        count(corpus, known, prior, chains, bits, model >= 2)
        for _ in range(sweeps):
            number += 1
            if model == 3:
                forget_fertilities(corpus, known, chains)
            sweep(0, len(corpus.load) - 1, corpus, prior, chains, bits, model, number, nothing)
            if job == 0 and not direction.reverse:
                step("sweep", number, total)
    if direction.model == 3:
        forget_fertilities(corpus, known, chains)


def _last_sweep(direction: _Direction) -> Iterator[tuple[int, int, Float32]]:
    """The distributions of blocks of sentence pairs, added over samplers; see `sweep`."""
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


_Asked = tuple[float | None, bool]
"""The least probability, and whether what samplers have drawn is kept."""


def _conclude(way: int, _: int, directions: list[_Direction], asked: _Asked) -> _Found:
    """The last sweep of one direction."""
    floor, keep = asked
    direction = directions[way]
    corpus = direction.corpus
    sides = corpus.given_offsets, corpus.generated_offsets

    def links_at(chains: Chains, lane: int) -> Links:
        return links_of(*sides, chains.link[lane :: len(chains.key)], direction.reverse)

    lanes = [(group, lane) for group in direction.groups for lane in range(len(group.key))]
    drawn = [links_at(*one) for one in lanes] if keep else []
    found = _probable(_last_sweep(direction), *sides, len(lanes), direction.reverse, floor)
    # The last sampler has seen the distributions of all.
    return _Found(links_at(*lanes[-1]), found, drawn)


def _conclude_large(
    way: int,
    _: int,
    sides: tuple[Segmentation, Segmentation],
    options: Options,
    seed: int,
    taught: Taught,
    asked: _Asked,
) -> _Found:
    """As `_conclude`, all sweeps of one direction of a large text."""
    floor, keep = asked
    given, generated = sides[way], sides[1 - way]
    options = options.model_copy(
        update={"relative_iterations": options.relative_iterations * SHARE_OF_FOUR}
    )
    e_of, f_of = (taught.e, taught.f) if way == 0 else (taught.f, taught.e)
    known = known_counts(taught, way, int(given.lengths.max()) + 1, (e_of, taught.links))
    # Samplers in fours.
    groups = range(-(-options.samplers // LANES))
    ramps = [
        Ramp(
            Sides(given.ids, given.offsets, generated.ids, generated.offsets),
            (len(given.types), len(generated.types)),
            _prior(options, len(generated.types)),
            np.array(
                [_key(seed, way, LANES * group + lane, "links") for lane in range(LANES)],
                dtype=np.uint64,
            ),
            passes(len(given), partial(stages_of, options)),
            of_group := known.of(range(LANES * group, LANES * (group + 1))),
            (e_of, f_of, of_group.links),
        )
        for group in groups
    ]
    for group in groups:
        ramps[group].train(is_shown=way == 0 and group == 0)
    lanes = [(ramp, lane) for ramp in ramps for lane in range(LANES)] if keep else []
    sides_of = given.offsets, generated.offsets
    drawn = [links_of(*sides_of, ramp.lanes.link[lane::LANES], way == 1) for ramp, lane in lanes]
    del lanes
    blocks = last_sweep(ramps, BLOCK)
    found = _probable(blocks, *sides_of, LANES * len(ramps), way == 1, floor)
    link = ramps[-1].lanes.link
    # Counts are let go, then the links of the other lanes.
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
    floor: float | None,
) -> Posteriors | None:
    """The links that are probable enough in the last sweep, which it runs; None without a floor.

    Args:
        blocks: first and last sentence pair, and the sums of distributions; see `sweep`.
    """
    if floor is None:
        for _ in blocks:
            pass
        return None
    found = (
        _probable_of(block, given_offsets, generated_offsets, samplers, is_reverse, floor)
        for block in blocks
    )
    return Posteriors.joined(found, kind_between(given_offsets, generated_offsets))


def _probable_of(
    block: tuple[int, int, Float32],
    given_offsets: Int64,
    generated_offsets: Int64,
    samplers: int,
    is_reverse: bool,
    floor: float,
) -> Posteriors:
    """The same of one block."""
    begin, end, summed = block
    starts = generated_offsets[begin : end + 1] - generated_offsets[begin]
    lengths = np.diff(given_offsets[begin : end + 1])
    # Each token has one place for each conditioning token, and one for NULL.
    rows = np.repeat(lengths + 1, np.diff(starts))
    ends = np.cumsum(rows)
    probable = np.flatnonzero(summed >= np.float32(floor * samplers))
    token = np.searchsorted(ends, probable, side="right")
    place = probable - (ends - rows)[token]
    linked = place < rows[token] - 1
    token, place = token[linked], place[linked]
    # Rounding may make a sum of distributions larger than their number.
    mean = np.minimum(summed[probable[linked]] / np.float32(samplers), np.float32(1))
    sentence = np.searchsorted(starts, token, side="right") - 1
    pairs = np.column_stack([place, token - starts[sentence]])
    pairs = pairs[:, ::-1] if is_reverse else pairs
    order = np.lexsort((pairs[:, 1], pairs[:, 0], sentence))
    counts = np.bincount(sentence, minlength=end - begin)
    return Posteriors(Links(offsets_of(counts), pairs[order]), mean[order])


def _lowercased(side: Segmentation) -> Segmentation:
    """The same tokens, types that differ only in case being one."""
    index: dict[str, int] = {}
    lower = [index.setdefault(token.lower(), len(index)) for token in side.types]
    ids = np.array(lower, dtype=np.int32)[side.ids]
    return Segmentation(list(index), ids, side.offsets, side.first, side.last)
