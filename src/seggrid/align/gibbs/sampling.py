"""Collapsed Gibbs sampling of links.

Östling and Tiedemann (2016), "Efficient Word Alignment with Markov Chain Monte Carlo". Each token
f_j of the generated side links to a token e_i of the conditioning side or to NULL. Its link is drawn
again and again, given all others, in proportion to

    i:    (n(e_i, f_j) + lexical) / (n(e_i) + lexical V)  J[i - l] J[r - i]  p_e(k + 1) / p_e(k)
    NULL: null (n(NULL, f_j) + lexical) / (n(NULL) + lexical V)  J_all J[r - l]

n: the number of links, without that of j. V: the number of generated types, plus 1. l, r: the places
that the nearest linked tokens left and right of j link to; -1 and the sentence's length if there is no
such token. J[d]: `jump` plus the count of jumps d; J_all: 100 `jump` plus the count of all jumps (of
priors, of those that the text can have). k: the number of links that e_i has from other tokens of the
sentence. p_e: the distribution of the type's fertilities 0..7: before each sweep, the mean of the
Dirichlet distribution whose parameters are `fertility` plus the counts of the fertilities.

There are three stages: the first uses only the first factor, the second also jumps, the third also
fertilities. Each starts from the links of the stage before. In a last sweep the distributions of all
samplers are added, and each token gets the link with the highest sum.

Each sampler of each direction has its own random numbers, derived from the seed, and all sums are
computed in a fixed order, so links do not depend on threads or on the processor.
"""

from __future__ import annotations

import hashlib
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seggrid.align.aligner import AlignedSample
from seggrid.align.chosen import kind_between, links_of
from seggrid.align.gibbs._rows import LANES
from seggrid.align.gibbs._sampler import PriorParameters, SampledText
from seggrid.align.gibbs._training import Samplers, SweepStage, in_steps, last_sweep
from seggrid.align.gibbs.link_counts import LinkCounts, dense, key_numbers
from seggrid.align.gibbs.options import LITTLE, Options
from seggrid.align.gibbs.others import Others
from seggrid.align.gibbs.spelling import spelled_alike
from seggrid.align.parallel import check_parallel
from seggrid.align.threads import Workers
from seggrid.base.arrays import Float32, Float64, Int64
from seggrid.base.compiled import float32
from seggrid.text.links import Links, Posteriors
from seggrid.text.ragged import offsets_of
from seggrid.text.segmentation import Segmentation

# What other constants gave: docs/studies/data/gibbs-constants.csv.

SWEEPS = 3_000
"""The number of sweeps of the last stage, times the square root of the number of sentence pairs. eflomal has
5,000, with three samplers; here there are four or more."""

SHARE_OF_EIGHT = 0.75
"""The share of the sweeps that each of eight samplers has (see `LITTLE`). The model has the counts of four,
and with priors there are four."""

ENOUGH = 20_000
"""The last stage has as many draws in a text with more sentence pairs as in one with this many."""

SHORTER = 8
"""How many times as many sweeps the last stage has as each stage before it; eflomal has 4."""

LEXICAL_SHARE = 0.4
"""What the prior counts of all V generated types add up to, as a share of the mean count T / V of a type; but
each is at most `LEXICAL_MOST`, eflomal's. A higher prior makes links of rare words random, and a lower one
those of subwords."""

LEXICAL_MOST = 0.001

BLOCK = 1 << 18
"""The number of positions (pairs of tokens) whose probabilities are in memory at once. With 16 times as many,
the alignment of 10,508 real sentence pairs on two threads takes 75 MB more."""

FLOOR = 0.01
"""Links that are less probable are left out of the probabilities."""

SHARE_WITH_PRIORS = 0.5
"""The share of the sweeps that are run when there are priors."""

LEAST = 800
"""With priors, a text with fewer sentence pairs gets the number of sweeps of a text with this many, as a
single pair would get 28 times as many."""


def align_by_gibbs(
    source: Segmentation,
    target: Segmentation,
    options: Options,
    *,
    threads: int = 1,
    seed: int = 0,
    priors: LinkCounts | Others | None = None,
    probabilities: bool = False,
    keep: bool = False,
) -> AlignedSample:
    """Align two segmentations of the same sentences in both directions.

    Each sampler has its own counts in the model, so that samplers that start from them differ as these did.

    Args:
        source, target, options: the text, and how it is aligned.
        threads, seed: the seed determines all random numbers; the links do not depend on `threads`.
        priors: the counts of each sampler of an earlier alignment, or of all other parts of the text. Their
            links count as if their text were part of this one. If they are of fewer samplers, the samplers
            take them in turn. With priors, half as many sweeps are run.
        probabilities: whether to return the probabilities by which links were chosen, of at least `FLOOR`.
        keep: whether to return the model: the counts of each sampler's links before the last sweep. If the
            options have no number of samplers, it is of the first four.
    """
    check_parallel(source, target)
    job = prepared(source, target, options, seed, priors)
    with Workers(threads) as workers:
        found = workers.run(_one_direction, [(0, 1), (1, 2)], job, probabilities, keep)
    links, probable, drawn = zip(*found, strict=True)
    model = LinkCounts.from_links(*job.sides, *drawn) if keep else None
    return AlignedSample(links, probable if probabilities else None, model)


class _Job(NamedTuple):
    """A text and how it is aligned; see `prepared`."""

    sides: tuple[Segmentation, Segmentation]
    options: Options
    samplers: int
    seed: int
    stages: list[SweepStage]
    counts: LinkCounts | None


def prepared(
    source: Segmentation,
    target: Segmentation,
    options: Options,
    seed: int,
    priors: LinkCounts | Others | None,
) -> _Job:
    """The text, in lower case if the options say so; the options; the number of samplers; the sweeps, fewer
    if there are priors or more samplers; and the counts of the priors for the types of the text, or of the
    words that are spelled alike."""
    if options.lowercase:
        source, target = _lowercased(source), _lowercased(target)
    types, counts = (source.types, target.types), None
    samplers, share = options.samplers or LANES, options.relative_iterations
    ordinary = ordinary_pairs(source.lengths, target.lengths)
    if priors is not None:
        share *= SHARE_WITH_PRIORS
        ordinary = max(ordinary, LEAST)
        if options.lowercase and isinstance(priors, LinkCounts):
            priors = priors.lowercased()
        counts = priors.of_types(types)
    else:
        if options.samplers is None and ordinary <= LITTLE:
            samplers, share = 2 * LANES, share * SHARE_OF_EIGHT
        if options.spelling_prior and len(pairs := spelled_alike(source, target)):
            counts = LinkCounts.of_pairs(types, pairs, options.spelling_prior)
    options = options.model_copy(update={"relative_iterations": share})
    stages = in_steps(len(source), stages_of(options, ordinary))
    return _Job((source, target), options, samplers, seed, stages, counts)


def score_pairs(
    model: LinkCounts, source: Segmentation, target: Segmentation, options: Options
) -> Float64:
    """The log-probability of each sentence given the other, by IBM model 1 with the counts of all samplers.

    p(f_j) = (1 / V + sum over i of n(e_i, f_j) / n(e_i)) / (I + 1), where V is the number of types of the
    generated side in the model, and n is summed over its samplers. As in the scores of `fast_align`, the
    log-probability of a sentence is the sum over its tokens; its length has no probability.

    Returns:
        Forward and reverse, float64, shape (S, 2).
    """
    if options.lowercase:
        source, target = _lowercased(source), _lowercased(target)
        model = model.lowercased()
    check_parallel(source, target)
    counts = model.of_types((source.types, target.types))
    keys, links = key_numbers(counts.pairs.keys), counts.pairs.counts.sum(axis=1)
    shares = []
    for way, side in enumerate((source, target)):
        (types,), totals = counts.totals[way]
        total = dense(types, totals, len(side.types)).sum(axis=1).clip(min=1)[side.ids]
        shares.append((1 / total, 1 / max(len(model.totals[way].counts), 1)))
    (of_source, source_floor), (of_target, target_floor) = shares
    found = np.empty((len(source), 2))
    bounds = zip(pairwise(source.offsets.tolist()), pairwise(target.offsets.tolist()), strict=True)
    for s, ((a, b), (c, d)) in enumerate(bounds):
        wanted = key_numbers([source.ids[a:b, None], target.ids[c:d]])
        at = np.searchsorted(keys, wanted).clip(max=len(keys) - 1)
        both = np.where(keys[at] == wanted, links[at], 0) if len(keys) else np.zeros(wanted.shape)
        forward = of_source[a:b] @ both + target_floor
        reverse = both @ of_target[c:d] + source_floor
        found[s] = np.log(forward / (b - a + 1)).sum(), np.log(reverse / (d - c + 1)).sum()
    return found


def stages_of(options: Options, sentences: int) -> list[tuple[int, int]]:
    """The stages of training: the number of the model and of sweeps of each.

    >>> stages_of(Options(), 10_000), stages_of(Options(model=1), 100_000)
    ([(1, 3), (2, 3), (3, 30)], [(1, 4)])
    """
    share = min(1, ENOUGH / sentences) ** 0.5 * options.relative_iterations
    sweeps = max(2, round(SWEEPS * share / sentences**0.5))
    before = [(1, max(2, sweeps // SHORTER)), (2, max(1, sweeps // SHORTER))]
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


def _key(seed: int, way: int, sampler: int) -> int:
    """The key, 64 bits, of a stream of random numbers."""
    text = f"{seed}/{way}/{sampler}/links"
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")


def _one_direction(
    way: int, _: int, job: _Job, probabilities: bool, keep: bool
) -> tuple[Links, Posteriors, list[Links]]:
    """Run all sweeps of one direction: each generated token's most probable link; the links that are probable
    enough, and each sampler's links before the last sweep, both empty if not asked for."""
    groups = samplers_of(job, way)
    for number, group in enumerate(groups):
        group.train(is_shown=way == 0 and number == 0)
    lanes = [(group, lane) for group in groups for lane in range(LANES)][: job.samplers]
    ends = job.sides[way].offsets, job.sides[1 - way].offsets
    used, of_model = len(lanes), (job.options.samplers or LANES) if keep else 0
    drawn = [
        links_of(*ends, group.lanes.link[:, lane], way == 1) for group, lane in lanes[:of_model]
    ]
    del lanes
    blocks = last_sweep(groups, used, BLOCK)
    found = (_probable_of(block, *ends, used, way == 1) for block in blocks if probabilities)
    probable = Posteriors.joined(found, kind_between(*ends))
    link = groups[0].lanes.link
    # Free the counts, then the links of the other lanes.
    del groups, blocks, found
    chosen = link[:, 0].copy()
    del link
    return links_of(*ends, chosen, way == 1), probable, drawn


def samplers_of(job: _Job, way: int) -> list[Samplers]:
    """The samplers of one direction before their first sweep, in groups of `LANES`."""
    sides, options, samplers, seed, stages, counts = job
    conditioning, generated = sides[way], sides[1 - way]
    text = SampledText(conditioning.ids, conditioning.offsets, generated.ids, generated.offsets)
    types = len(conditioning.types), len(generated.types)
    lexical = options.lexical_prior
    if lexical is None:
        lexical = min(LEXICAL_SHARE * len(generated.ids) / max(types[1], 1) ** 2, LEXICAL_MOST)
    prior = PriorParameters(
        float32(lexical),
        float32(options.jump_prior),
        float32(options.fertility_prior),
        float32(lexical * (types[1] + 1)),
        float32(options.null_prior),
    )
    longest = int(conditioning.lengths.max()) + 1
    groups = []
    for first in range(0, samplers, LANES):
        group = range(first, first + LANES)
        keys = np.array([_key(seed, way, lane) for lane in group], dtype=np.uint64)
        known = counts.of_samplers(group).in_direction(way, longest) if counts else None
        groups.append(Samplers(text, types, prior, keys, stages, known))
    return groups


def _probable_of(
    block: tuple[int, int, Float32],
    conditioning_offsets: Int64,
    generated_offsets: Int64,
    samplers: int,
    is_reverse: bool,
) -> Posteriors:
    """The links of one block of `last_sweep` that are probable enough, and their probabilities."""
    begin, end, summed = block
    starts = generated_offsets[begin : end + 1] - generated_offsets[begin]
    lengths = np.diff(conditioning_offsets[begin : end + 1])
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
