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
from collections.abc import Iterator
from functools import partial
from itertools import islice, pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seggrid.align.gibbs._chains import Chains, Float32, Prior, count, forget_fertilities, start
from seggrid.align.gibbs._corpus import Corpus, corpora_from_segmentations
from seggrid.align.gibbs._known import Known, cell_counts, known_counts, known_links
from seggrid.align.gibbs._lean import Sides
from seggrid.align.gibbs._ramp import Ramp, last_sweep, links_of, passes
from seggrid.align.gibbs._sweep import sweep
from seggrid.align.gibbs._vectors import LANES
from seggrid.align.gibbs.priors import Priors, lowercased, read_priors, write_priors
from seggrid.align.gibbs_options import Options
from seggrid.align.pairs import Float64, Int64, Pairs
from seggrid.align.parallel import check_parallel
from seggrid.align.threads import Workers
from seggrid.base.steps import step
from seggrid.data.links import Links
from seggrid.data.posteriors import Posteriors
from seggrid.data.ragged import offsets_of, place_kind
from seggrid.data.segmentation import Segmentation

DEFAULTS = Options()

BLOCK = 1 << 22
"""Positions whose distributions are in memory at once."""

FLOOR = 0.01
"""Links that are less probable are not kept."""

LARGE = 100_000
"""Sentence pairs above which the text is aligned in less memory, by `_ramp` and `_lean`: 100,000
generated pairs of 25 words still take less than 1 GB without."""

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
    priors: Priors | None = None,
) -> tuple[Links, Links]:
    """Align two segmentations of the same sentences in both directions, as `seggrid.align` says.

    Args:
        seed: all random numbers follow from it; the links do not depend on `threads`.
        priors: of an earlier alignment, whose links count as if its text were part of this one; half
            of the sweeps are left.
    """
    forward, reverse = _aligned(source, target, options, threads, seed, priors, floor=None)
    return forward[0], reverse[0]


def align_with_posteriors(
    source: Segmentation,
    target: Segmentation,
    *,
    options: Options = DEFAULTS,
    threads: int = 1,
    seed: int = 0,
    priors: Priors | None = None,
    floor: float = FLOOR,
) -> tuple[tuple[Links, Links], tuple[Posteriors, Posteriors]]:
    """The links that `align` gives for the same seed, and the probabilities by which they were chosen.

    See `align` for the other arguments and what is raised.

    Args:
        floor: links that are less probable are left out of the probabilities.

    Returns:
        Forward and reverse links, forward and reverse probabilities of links, both between tokens.
    """
    forward, reverse = _aligned(source, target, options, threads, seed, priors, floor)
    if forward[1] is None or reverse[1] is None:
        raise AssertionError("no probabilities")
    return (forward[0], reverse[0]), (forward[1], reverse[1])


MODEL_SUFFIX = ".priors"

SHARE_WITH_PRIORS = 0.5
"""The share of the sweeps that are run when there are priors. On the thesis's English-German text in parts,
F1 was 0.003 to 0.005 lower with a share of 0.2, and with all sweeps as high as with half of them."""

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
) -> tuple[tuple[Links, Links], Priors]:
    """As `align`, with what `keep` makes of the links."""
    links = align(source, target, options=options, threads=threads, seed=seed)
    return links, keep(source, target, links, options)


def keep(
    source: Segmentation, target: Segmentation, links: tuple[Links, Links], options: Options
) -> Priors:
    """The counts of links, forward and reverse, which `align_with_model` adds to those of other text."""
    if options.lowercase:
        source, target = _lowercased(source), _lowercased(target)
    return Priors.from_links(source, target, *links)


def align_with_model(
    model: Priors,
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
    model: Priors, source: Segmentation, target: Segmentation, options: Options = DEFAULTS
) -> Float64:
    """The log-probability of each sentence given the other, by IBM model 1 with the priors' counts.

    p(f_j) = (1 / V + sum over i of n(e_i, f_j) / n(e_i)) / (I + 1); V is the number of types that the
    generated side has in the priors. The sum over sentences' tokens is as of `fast_align`'s scores, without
    a probability of their number.

    Returns:
        Forward and reverse, float64, shape (S, 2).
    """
    if options.lowercase:
        source, target, model = _lowercased(source), _lowercased(target), lowercased(model)
    with Workers(1) as workers:
        pairs = Pairs.from_segmentations(source, target, workers)
    links = cell_counts(model, source, target, pairs.row, pairs.column)
    shares = []
    for side, totals in zip((source, target), model.totals, strict=True):
        total = np.array([max(totals.get(text, 0), 1) for text in side.types])[side.ids]
        shares.append((1 / total, 1 / max(len(totals), 1)))
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


def write_model(model: Priors, path: str | Path) -> None:
    """Write a model, for `read_model`."""
    write_priors(path, model)


def read_model(path: str | Path) -> Priors:
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
        known: what priors count.
    """

    reverse: bool
    corpus: Corpus
    prior: Prior
    model: int
    groups: list[Chains]
    bits: int
    stages: list[tuple[int, int]]
    known: Known


def _aligned(
    source: Segmentation,
    target: Segmentation,
    options: Options,
    threads: int,
    seed: int,
    priors: Priors | None,
    floor: float | None,
) -> list[tuple[Links, Posteriors | None]]:
    """Both directions' links, and, if there is a floor, the probabilities that are as high."""
    found: list[tuple[NDArray[np.unsignedinteger], Posteriors | None]] = []
    with Workers(threads) as workers:
        if len(source) > LARGE:
            check_parallel(source, target)
            options, sides, priors = _prepared(source, target, options, priors)
            ways = [(0, 1), (1, 2)]
            found = workers.run(_conclude_large, ways, sides, options, seed, priors, floor)
        else:
            for turn in _sample(source, target, options, workers, seed, priors):
                ways = [(way, way + 1) for way in range(len(turn))]
                found += workers.run(_conclude, ways, turn, floor)
                del turn
    (forward, probable), (reverse, probable_reverse) = found
    kind = _kind(source.offsets, target.offsets)
    return [
        (links_of(target.offsets, forward, False, kind), probable),
        (links_of(source.offsets, reverse, True, kind), probable_reverse),
    ]


def _prepared(
    source: Segmentation, target: Segmentation, options: Options, priors: Priors | None
) -> tuple[Options, tuple[Segmentation, Segmentation], Priors | None]:
    """Options, text and priors with the sweeps and the case that are asked for."""
    if priors is not None:
        share = options.relative_iterations * SHARE_WITH_PRIORS
        options = options.model_copy(update={"relative_iterations": share})
    if options.lowercase:
        source, target = _lowercased(source), _lowercased(target)
        priors = None if priors is None else lowercased(priors)
    return options, (source, target), priors


def _sample(
    source: Segmentation,
    target: Segmentation,
    options: Options,
    workers: Workers,
    seed: int,
    priors: Priors | None = None,
) -> Iterator[list[_Direction]]:
    """All sweeps but the last: of both directions at once, or, on one thread, of one after the other.

    On one thread the memory holds one direction at a time, if who takes it lets it go.
    """
    options, sides, priors = _prepared(source, target, options, priors)
    directions = _directions(sides, options, workers, seed, priors)
    while turn := list(islice(directions, min(workers.threads, 2))):
        jobs = [(direction, chains) for direction in turn for chains in direction.groups]
        workers.run(_train, [(k, k + 1) for k in range(len(jobs))], jobs)
        yield turn
        del turn, jobs


def _directions(
    sides: tuple[Segmentation, Segmentation],
    options: Options,
    workers: Workers,
    seed: int,
    priors: Priors | None,
) -> Iterator[_Direction]:
    """Forward and reverse, before any sweep."""
    for way, (corpus, cells) in enumerate(corpora_from_segmentations(*sides, workers, priors)):
        yield _direction(way, corpus, cells, sides, options, workers.threads, seed, priors)


def _direction(
    way: int,
    corpus: Corpus,
    cells: Int64,
    sides: tuple[Segmentation, Segmentation],
    options: Options,
    threads: int,
    seed: int,
    priors: Priors | None,
) -> _Direction:
    given, generated = len(sides[way].types), len(sides[1 - way].types)
    longest = int(np.diff(corpus.given_offsets).max()) + 1
    known = known_counts(priors, way, sides[way], longest, cells)
    # A cell has no more links than its generated type has tokens, and what is known.
    most = np.bincount(corpus.generated).max() + known.cell.max(initial=0)
    bits = 21 if most < NARROW else 63
    groups = [
        Chains.allocate(
            corpus,
            (given, generated),
            *(
                np.array([_key(seed, way, k, use) for k in group], dtype=np.uint64)
                for use in ("links", "fertilities")
            ),
        )
        for group in _groups(options.samplers, threads, 63 // bits)
    ]
    pairs = len(corpus.load) - 1
    stages = stages_of(options, pairs if priors is None else max(pairs, LEAST))
    prior = _prior(options, generated)
    return _Direction(way == 1, corpus, prior, options.model, groups, bits, stages, known)


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


def _train(job: int, _: int, jobs: list[tuple[_Direction, Chains]]) -> None:
    """Run one group of samplers through all stages."""
    direction, chains = jobs[job]
    corpus, known, prior, bits = (
        direction.corpus,
        direction.known,
        direction.prior,
        direction.bits,
    )
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


def _conclude(
    way: int, _: int, directions: list[_Direction], floor: float | None
) -> tuple[NDArray[np.unsignedinteger], Posteriors | None]:
    """The last sweep of one direction: each token's most probable place, and what `_probable` finds."""
    direction = directions[way]
    corpus = direction.corpus
    samplers = sum(len(chains.key) for chains in direction.groups)
    sides = corpus.given_offsets, corpus.generated_offsets
    found = _probable(_last_sweep(direction), *sides, samplers, direction.reverse, floor)
    # The last sampler has seen the distributions of all; -1 becomes the largest number.
    last = direction.groups[-1]
    return last.link[len(last.key) - 1 :: len(last.key)].astype(np.uint32), found


def _conclude_large(
    way: int,
    _: int,
    sides: tuple[Segmentation, Segmentation],
    options: Options,
    seed: int,
    priors: Priors | None,
    floor: float | None,
) -> tuple[NDArray[np.unsignedinteger], Posteriors | None]:
    """As `_conclude`, all sweeps of one direction of a large text."""
    given, generated = sides[way], sides[1 - way]
    options = options.model_copy(
        update={"relative_iterations": options.relative_iterations * SHARE_OF_FOUR}
    )
    cells = known_links(priors, way, given, generated)
    known = known_counts(priors, way, given, int(given.lengths.max()) + 1, cells[2])
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
            known,
            cells,
        )
        for group in groups
    ]
    for ramp in ramps:
        ramp.train(is_shown=way == 0 and ramp is ramps[0])
    blocks = last_sweep(ramps, BLOCK)
    sides_of = given.offsets, generated.offsets
    found = _probable(blocks, *sides_of, LANES * len(ramps), way == 1, floor)
    return ramps[-1].lanes.link[::LANES].copy(), found


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
    return Posteriors.joined(found, _kind(given_offsets, generated_offsets))


def _kind(*offsets: Int64) -> np.dtype[Any]:
    """The type of links between the tokens of two sides."""
    return place_kind(max(int(np.diff(side).max()) for side in offsets))


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
