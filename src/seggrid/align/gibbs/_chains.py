"""The state of the samplers, and how it is updated between sweeps."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seggrid.align.gibbs._corpus import Corpus
from seggrid.align.gibbs._prior_counts import FERTILITIES, PriorCounts
from seggrid.align.gibbs._random import gamma, random_bits
from seggrid.align.gibbs._vectors import WIDTH
from seggrid.base.arrays import Float32, Int32, Int64, UInt64
from seggrid.base.compiled import int64, njit

BEYOND = np.float32(1e-10)
"""p(8) / p(7): hardly any token has more than seven links."""

RATIO_LIMIT = 1e12
"""Upper bound of quotients of the probabilities of fertilities, so that no product of weights overflows."""

_32, _LOW = np.uint64(32), np.uint64((1 << 32) - 1)


class Prior(NamedTuple):
    """Parameters of the priors.

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


class Chains(NamedTuple):
    """The state of the L samplers (lanes) of one group; arrays are flat.

    V and W are the numbers of conditioning and generated types; D is the longest possible jump. In arrays
    with an element for each lane, the lane is the last dimension; in those of jumps, it is the
    first.

    Attributes:
        key: key of the random numbers for each lane's links, uint64, shape (L,).
        fertility_key: the same for each lane's fertility distributions, uint64, shape (L,).
        link: place of the conditioning token that each generated token links to, or -1 for NULL, int32,
            shape (T x L).
        fertility: number of links of each conditioning token, int32, shape (N x L).
        word: number of links of each cell, int64, shape (cells,); each lane has a field of `bits` bits.
        total: number of links of each conditioning type, int32, shape (V x L).
        null: number of NULL links of each generated type, int32, shape (W x L).
        null_total: number of all NULL links, int64, shape (L,).
        jump: counts of the jumps -D..D, int32, shape (L x (2 D + 1 + 2 x 16)).
        ahead, back: these counts plus `Prior.jump`, from -D to D and from D to -D, float32; all 1 if the
            model has no jumps.
        jump_total: number of all jumps, int64, shape (L,).
        fertility_counts: how many tokens of each conditioning type had 0..7 links before the sweep, int32,
            shape (V x 8 x L).
        variate: unnormalized probabilities of fertilities, float32, same shape; -1 if not drawn yet.
        ratio: quotients p(k + 1) / p(k) of these, float32, same shape; -1 if not drawn yet.
    """

    key: UInt64
    fertility_key: UInt64
    link: Int32
    fertility: Int32
    word: Int64
    total: Int32
    null: Int32
    null_total: Int64
    jump: Int32
    ahead: Float32
    back: Float32
    jump_total: Int64
    fertility_counts: Int32
    variate: Float32
    ratio: Float32

    @classmethod
    def allocate(
        cls, corpus: Corpus, types: tuple[int, int], keys: UInt64, fertility_keys: UInt64
    ) -> Chains:
        """Allocate the arrays of samplers with these keys.

        Args:
            types: the numbers of conditioning and generated types.
        """
        lanes = len(keys)
        given, generated = types
        longest = int(np.diff(corpus.given_offsets).max()) + 1
        jumps = lanes * (2 * longest + 1 + 2 * WIDTH)
        fertilities = lanes * FERTILITIES * given

        def zeros(size: int, kind: type = np.int32) -> NDArray[Any]:
            return np.zeros(size, dtype=kind)

        return cls(
            keys,
            fertility_keys,
            link=zeros(lanes * len(corpus.generated)),
            fertility=zeros(lanes * len(corpus.given)),
            word=zeros(int(corpus.cell.max()) + 1, np.int64),
            total=zeros(lanes * given),
            null=zeros(lanes * generated),
            null_total=zeros(lanes, np.int64),
            jump=zeros(jumps),
            ahead=zeros(jumps, np.float32),
            back=zeros(jumps, np.float32),
            jump_total=zeros(lanes, np.int64),
            fertility_counts=zeros(fertilities),
            variate=zeros(fertilities, np.float32),
            ratio=zeros(fertilities, np.float32),
        )


@njit
def start(corpus: Corpus, prior: Prior, chains: Chains) -> None:
    """Link each token to NULL with its prior probability, else to any token with equal probability."""
    lanes = len(chains.key)
    for s in range(len(corpus.load) - 1):
        n = corpus.given_offsets[s + 1] - corpus.given_offsets[s]
        for t in range(corpus.generated_offsets[s], corpus.generated_offsets[s + 1]):
            for lane in range(lanes):
                bits = random_bits(chains.key[lane], np.uint64(t))
                is_null = np.float64(int64(bits >> _32)) < prior.null * 2.0**32
                place = (int64(bits & _LOW) * n) >> 32
                chains.link[t * lanes + lane] = -1 if is_null else place


@njit
def count(
    corpus: Corpus,
    prior_counts: PriorCounts,
    prior: Prior,
    chains: Chains,
    bits: int,
    has_jumps: bool,
) -> None:
    """Recompute all counts from the links and the priors.

    Args:
        prior_counts: the counts of the priors, with a column for each lane.
        bits: number of bits of each lane in the words of cells.
        has_jumps: whether the model has jumps.
    """
    lanes = len(chains.key)
    for array in (chains.fertility, chains.total, chains.null, chains.jump):
        array[:] = 0
    for wide in (chains.null_total, chains.jump_total, chains.word):
        wide[:] = 0
    size = len(chains.jump) // lanes
    longest = (size - 2 * WIDTH - 1) // 2
    for s in range(len(corpus.load) - 1):
        a, b = corpus.given_offsets[s], corpus.generated_offsets[s]
        n, m = corpus.given_offsets[s + 1] - a, corpus.generated_offsets[s + 1] - b
        for lane in range(lanes):
            left = -1
            zero = lane * size + longest
            for j in range(m):
                i = int64(chains.link[(b + j) * lanes + lane])
                if i < 0:
                    chains.null[corpus.generated[b + j] * lanes + lane] += 1
                    chains.null_total[lane] += 1
                    continue
                cell = np.int64(corpus.cell[corpus.load[s] + j * n + i])
                chains.word[cell] += int64(cell != 0) << (bits * lane)
                chains.total[corpus.given[a + i] * lanes + lane] += 1
                chains.fertility[(a + i) * lanes + lane] += 1
                chains.jump[zero + i - left] += 1
                chains.jump_total[lane] += 1
                left = i
            chains.jump[zero + n - left] += 1
            chains.jump_total[lane] += 1
    if len(prior_counts.jump_totals):
        _add_prior_counts(prior_counts, chains, bits)
    for lane in range(lanes):
        zero = lane * size + longest
        for d in range(-longest, longest + 1):
            value = np.float32(1.0)
            if has_jumps:
                value = np.float32(chains.jump[zero + d]) + np.float32(prior.jump)
            chains.ahead[zero + d] = value
            chains.back[zero - d] = value


@njit
def _add_prior_counts(prior_counts: PriorCounts, chains: Chains, bits: int) -> None:
    lanes = len(chains.key)
    size = len(chains.jump) // lanes
    for lane in range(lanes):
        for c in range(len(prior_counts.cells)):
            chains.word[prior_counts.cells[c]] += prior_counts.links[c, lane] << (bits * lane)
        for e in range(len(prior_counts.totals)):
            chains.total[e * lanes + lane] += prior_counts.totals[e, lane]
        for d in range(len(prior_counts.jumps)):
            chains.jump[lane * size + d] += prior_counts.jumps[d, lane]
        chains.jump_total[lane] += prior_counts.jump_totals[lane]


@njit
def forget_fertilities(corpus: Corpus, prior_counts: PriorCounts, chains: Chains) -> None:
    """Count the fertilities, and forget their distributions, so that `draw_ratio` draws new ones."""
    lanes = len(chains.key)
    chains.fertility_counts[:] = 0
    chains.variate[:] = -1.0
    chains.ratio[:] = -1.0
    for e in range(len(chains.ratio) // (FERTILITIES * lanes)):
        for lane in range(lanes):
            chains.ratio[(e * FERTILITIES + FERTILITIES - 1) * lanes + lane] = BEYOND
    for k in range(len(corpus.given)):
        for lane in range(lanes):
            links = min(chains.fertility[k * lanes + lane], FERTILITIES - 1)
            chains.fertility_counts[(corpus.given[k] * FERTILITIES + links) * lanes + lane] += 1
    for at in range(len(prior_counts.fertilities)):
        for lane in range(lanes):
            chains.fertility_counts[at * lanes + lane] += prior_counts.fertilities[at, lane]


@njit
def draw_ratio(
    fertility_counts: Int32,
    variate: Float32,
    ratio: Float32,
    key: int,
    fertility: float,
    counter: int,
    at: int,
    lanes: int,
) -> None:
    """Draw p(k) and p(k + 1) of a type's fertility, unless they have been drawn, and set their quotient.

    A Dirichlet variate consists of gamma variates divided by their sum. The quotient of two does not
    depend on the sum, so most of a type's eight probabilities are never drawn.

    Args:
        fertility: parameter of the Dirichlet prior.
        counter: counter of the random number for p(k); that for p(k + 1) is one higher.
        at: index of p(k) in the arrays; that of p(k + 1) is `lanes` further.
    """
    for step in (0, 1):
        k = at + step * lanes
        if variate[k] < 0.0:
            drawn = random_bits(key, np.uint64(counter + step))
            variate[k] = np.float32(gamma(drawn, fertility + fertility_counts[k]))
    below, above = np.float64(variate[at]), np.float64(variate[at + lanes])
    ratio[at] = np.float32(min(max(above / max(below, 1e-30), 1.0 / RATIO_LIMIT), RATIO_LIMIT))
