"""The state of the samplers, and its updates between sweeps."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seggrid.align.gibbs._corpus import Corpus
from seggrid.align.gibbs._known import FERTILITIES, Known
from seggrid.align.gibbs._random import gamma, random_bits
from seggrid.align.gibbs._vectors import WIDTH
from seggrid.align.pairs import Int32, Int64
from seggrid.base.compiled import int64, njit

Float32 = NDArray[np.float32]
UInt64 = NDArray[np.uint64]

BEYOND = np.float32(1e-10)
"""p(8) / p(7): hardly any token has more than seven links."""

RATIO_LIMIT = 1e12
"""Upper bound of quotients of fertilities, so that no product of weights overflows."""

_32, _LOW = np.uint64(32), np.uint64((1 << 32) - 1)


class Prior(NamedTuple):
    """Parameters of the priors.

    Attributes:
        lexical, jump, fertility: of the Dirichlet distributions.
        lexical_sum: `lexical` times the number of generated types and one.
        null: probability of NULL.
    """

    lexical: float
    jump: float
    fertility: float
    lexical_sum: float
    null: float


class Chains(NamedTuple):
    """The state of L samplers, the lanes of one group; arrays are flat.

    V and W are the numbers of conditioning and generated types; D is the longest jump that there can
    be. Of the arrays with a lane for each element, the lane is the last dimension; jumps have it
    first.

    Attributes:
        key: of each lane's links, uint64, shape (L,).
        fertility_key: of each lane's fertility distributions, uint64, shape (L,).
        link: place of the conditioning token that each generated token links to, or -1, int32,
            shape (T x L).
        fertility: links of each conditioning token, int32, shape (N x L).
        word: links of each cell, int64, shape (cells,); each lane has `bits` of its bits.
        total: links of each conditioning type, int32, shape (V x L).
        null: NULL links of each generated type, int32, shape (W x L).
        null_total: all NULL links, int64, shape (L,).
        jump: counts of the jumps -D..D, int32, shape (L x (2 D + 1 + 2 x 16)).
        ahead, back: the same plus their prior, from -D to D and from D to -D, float32; all 1 where
            the model has no jumps.
        jump_total: all jumps, int64, shape (L,).
        kinds: how many tokens of a conditioning type have 0..7 links, int32, shape (V x 8 x L); as
            it was before the sweep.
        variate: unnormalized probabilities of fertilities, float32, same shape; -1 is not drawn yet.
        ratio: quotients of neighboring ones, float32, same shape; -1 is not drawn yet.
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
    kinds: Int32
    variate: Float32
    ratio: Float32

    @classmethod
    def allocate(
        cls, corpus: Corpus, types: tuple[int, int], keys: UInt64, fertility_keys: UInt64
    ) -> Chains:
        """Allocate the arrays of some samplers, whose keys are given.

        Args:
            types: how many conditioning and generated types there are.
        """
        lanes = len(keys)
        given, generated = types
        longest = int(np.diff(corpus.given_offsets).max()) + 1
        jumps = lanes * (2 * longest + 1 + 2 * WIDTH)
        kinds = lanes * FERTILITIES * given

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
            kinds=zeros(kinds),
            variate=zeros(kinds, np.float32),
            ratio=zeros(kinds, np.float32),
        )


@njit
def start(corpus: Corpus, prior: Prior, chains: Chains) -> None:
    """Link each token to NULL with the prior's probability, else to any token alike."""
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
    corpus: Corpus, known: Known, prior: Prior, chains: Chains, bits: int, has_jumps: bool
) -> None:
    """Recompute all counts from the links and from what is known.

    Args:
        known: with priors for each lane.
        bits: of a lane in the words of cells.
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
    if len(known.jumps):
        _add_known(known, chains, bits)
    for lane in range(lanes):
        zero = lane * size + longest
        for d in range(-longest, longest + 1):
            value = np.float32(1.0)
            if has_jumps:
                value = np.float32(chains.jump[zero + d]) + np.float32(prior.jump)
            chains.ahead[zero + d] = value
            chains.back[zero - d] = value


@njit
def _add_known(known: Known, chains: Chains, bits: int) -> None:
    lanes = len(chains.key)
    size = len(chains.jump) // lanes
    for lane in range(lanes):
        for c in range(len(known.cell)):
            chains.word[known.cell[c]] += known.links[c, lane] << (bits * lane)
        for e in range(len(known.total)):
            chains.total[e * lanes + lane] += known.total[e, lane]
        for d in range(len(known.jump)):
            chains.jump[lane * size + d] += known.jump[d, lane]
        chains.jump_total[lane] += known.jumps[lane]


@njit
def forget_fertilities(corpus: Corpus, known: Known, chains: Chains) -> None:
    """Count the fertilities; their distributions are drawn anew when they are next asked for."""
    lanes = len(chains.key)
    chains.kinds[:] = 0
    chains.variate[:] = -1.0
    chains.ratio[:] = -1.0
    for e in range(len(chains.ratio) // (FERTILITIES * lanes)):
        for lane in range(lanes):
            chains.ratio[(e * FERTILITIES + FERTILITIES - 1) * lanes + lane] = BEYOND
    for k in range(len(corpus.given)):
        for lane in range(lanes):
            links = min(chains.fertility[k * lanes + lane], FERTILITIES - 1)
            chains.kinds[(corpus.given[k] * FERTILITIES + links) * lanes + lane] += 1
    for kind in range(len(known.kinds)):
        for lane in range(lanes):
            chains.kinds[kind * lanes + lane] += known.kinds[kind, lane]


@njit
def draw_ratio(
    kinds: Int32,
    variate: Float32,
    ratio: Float32,
    key: int,
    fertility: float,
    counter: int,
    at: int,
    lanes: int,
) -> None:
    """Draw p(k) and p(k + 1) of a type's fertility, unless they are drawn, and set their quotient.

    A Dirichlet variate is one of gamma variates divided by their sum, which the quotient need not
    know. So most of a type's eight probabilities are never drawn.

    Args:
        fertility: parameter of the Dirichlet prior.
        counter: which random number p(k) starts from; p(k + 1) from the next.
        at: index of p(k) in the arrays; that of p(k + 1) is `lanes` further.
    """
    for step in (0, 1):
        k = at + step * lanes
        if variate[k] < 0.0:
            drawn = random_bits(key, np.uint64(counter + step))
            variate[k] = np.float32(gamma(drawn, fertility + kinds[k]))
    below, above = np.float64(variate[at]), np.float64(variate[at + lanes])
    ratio[at] = np.float32(min(max(above / max(below, 1e-30), 1.0 / RATIO_LIMIT), RATIO_LIMIT))
