"""How a large text is aligned: in two steps, first a part of its sentence pairs, then all.

The first step links its sentence pairs at random and runs all stages on them, as on a small text. The second
draws the links of all other sentence pairs, in order, by the counts so far, and then runs the last stage on
the whole text. So only the first step has random links, which have very many cells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seggrid.align.gibbs._chains import Prior
from seggrid.align.gibbs._lean import (
    Factors,
    Lanes,
    Sides,
    set_factors,
    start,
    sweep,
)
from seggrid.align.gibbs._prior_counts import FERTILITIES, PriorCounts
from seggrid.align.gibbs._rows import add_prior_links, empty_rows, rebuilt, spare_for
from seggrid.align.gibbs._vectors import LANES, WIDTH
from seggrid.base.arrays import Float32, Int64, UInt64
from seggrid.base.steps import step
from seggrid.data.ragged import each_block, offsets_of

FIRST = 20_000
"""The first step has at least this number of sentence pairs. With fewer, quality suffers: in a text of 3,500,
a first step of 1,000 lowered F1 by 0.034."""

PARTS = 8
"""The first step has one in so many sentence pairs. With a million generated pairs, F1 is then 0.916. With
one in four it is 0.918, in a tenth more time and memory; with steps of 20,000, 73,681, 271,442 and all pairs
it is 0.914, in a sixth more time."""


class Pass(NamedTuple):
    """A sweep over sentence pairs `begin:end`; see `_lean.sweep`.

    Attributes:
        model: 1 lexical, 2 with jumps, 3 with fertilities.
        is_first: whether the tokens have no links yet.
        is_tidied: whether the rows are rebuilt after it.
    """

    begin: int
    end: int
    model: int
    is_first: bool = False
    is_tidied: bool = False


def ends_of_steps(sentences: int) -> list[int]:
    """How many sentence pairs each step has.

    >>> ends_of_steps(1_000), ends_of_steps(100_000), ends_of_steps(1_000_000)
    ([1000], [20000, 100000], [125000, 1000000])
    """
    first = max(FIRST, sentences // PARTS)
    return [first, sentences] if first < sentences else [sentences]


def passes(sentences: int, stages: Callable[[int], list[tuple[int, int]]]) -> list[Pass]:
    """All sweeps but the last."""
    found: list[Pass] = []
    before = 0
    for end in ends_of_steps(sentences):
        stages_here = stages(end)
        model = stages_here[-1][0]
        if before:
            found.append(Pass(before, end, model, is_first=True))
            stages_here = stages_here[-1:]
        models = [model for model, sweeps in stages_here for _ in range(sweeps)]
        for k, model in enumerate(models):
            # Rebuild the rows after the last sweep of model 1 and the first of model 3, and in later steps
            # after the first sweep: this frees half of the memory for links that were just drawn
            # for the first time.
            is_turn = models[k : k + 2] == [1, 2] or models[k - 1 : k + 1] == [2, 3]
            found.append(Pass(0, end, model, is_tidied=is_turn if before == 0 else k == 0))
        before = end
    return found


class Ramp:
    """Four samplers of one direction, and their sweeps over a text."""

    def __init__(
        self,
        sides: Sides,
        types: tuple[int, int],
        prior: Prior,
        keys: UInt64,
        plan: list[Pass],
        prior_counts: PriorCounts,
        prior_links: tuple[Int64, Int64, Int64],
    ) -> None:
        """Set up the samplers before their first sweep.

        Args:
            types: the numbers of conditioning and generated types.
            plan: all sweeps but the last.
            prior_counts: the counts of the priors, with a column for each lane.
            prior_links: for the cells with links in priors, the conditioning types, the generated types, and
                the number of links for each lane.
        """
        self.sides, self.prior, self.plan = sides, prior, plan
        given, generated = types
        longest = int(np.diff(sides.given_offsets).max())
        # Kernels read whole vectors, which reach beyond the longest jump.
        jumps = 2 * (longest + 1 + WIDTH) + 1
        total = len(sides.generated)
        self.lanes = Lanes(
            keys,
            link=np.zeros(total * LANES, dtype=np.min_scalar_type(longest)),
            asleep=np.zeros(total // 4 + 1, dtype=np.uint8),
            total=np.zeros(given * LANES, dtype=np.int32),
            null=np.zeros(generated * LANES, dtype=np.int32),
            null_total=np.zeros(LANES, dtype=np.int64),
            jump=np.zeros(jumps, dtype=np.int64),
            fertility_counts=np.zeros(given * FERTILITIES, dtype=np.int32),
        )
        shapes = [jumps] * 5 + [given * FERTILITIES]
        self.factors = Factors(*(np.ones(size, dtype=np.float32) for size in shapes))
        most = tokens_of_types(sides.generated, generated)
        np.add.at(most, prior_links[1], prior_links[2].sum(axis=1))
        self.rows = empty_rows(most)
        added = 0
        while added < len(prior_links[0]):
            added = add_prior_links(added, *prior_links, self.rows)
            if added < len(prior_links[0]):
                self.rows = rebuilt(
                    self.rows, spare_for(self.rows, prior_links[1], added, added + 1)
                )
        if len(prior_counts.totals):
            self.lanes.total.reshape(given, LANES)[:] += prior_counts.totals.astype(np.int32)
            # The lanes share these counts.
            self.lanes.jump[WIDTH:-WIDTH] += prior_counts.jumps.sum(axis=1)
            self.lanes.fertility_counts[:] += prior_counts.fertilities.sum(axis=1).astype(np.int32)

    def train(self, is_shown: bool) -> None:
        """Run all sweeps but the last."""
        nothing = np.zeros(0, dtype=np.float32)
        visits, done = sum(one.end - one.begin for one in self.plan), 0
        reached, end = 0, self.plan[0].end
        while reached < end:
            reached = start(reached, end, self.sides, self.prior, self.lanes, self.rows)
            self._make_room(reached, end)
        for number, one in enumerate(self.plan, 1):
            self._sweep(number, one, one.begin, one.end, nothing)
            if one.is_tidied:
                self.rows = rebuilt(self.rows, 0)
            done += one.end - one.begin
            if is_shown:
                step("sentence pair", done, visits)

    def last(self, begin: int, end: int, summed: Float32, load: Int64) -> None:
        """Run the last sweep over sentence pairs `begin:end`, and add the distributions to `summed`; see
        `_lean.sweep`.

        Args:
            load: where the distributions of each sentence pair begin in `summed`, shape (end - begin + 1,).
        """
        last = Pass(0, len(self.sides.given_offsets) - 1, self.plan[-1].model)
        self._sweep(len(self.plan) + 1, last, begin, end, summed, load)

    def _sweep(
        self,
        number: int,
        one: Pass,
        begin: int,
        end: int,
        summed: Float32,
        load: Int64 | None = None,
    ) -> None:
        lanes = self.lanes
        if begin == one.begin:
            set_factors(self.prior, lanes, self.factors, one.model, one.is_first)
        reached = begin
        while reached < end:
            behind = 0 if load is None else int(load[reached - begin])
            reached = sweep(
                reached, end, self.sides, self.prior, lanes, self.factors, self.rows,
                number, one.is_first, one.model > 1, summed[behind:],
            )  # fmt: skip
            self._make_room(reached, end)

    def _make_room(self, reached: int, end: int) -> None:
        """Rebuild the rows if a sweep stopped at `reached` for lack of room in them."""
        if reached < end:
            offsets = self.sides.generated_offsets
            spare = spare_for(
                self.rows, self.sides.generated, offsets[reached], offsets[reached + 1]
            )
            self.rows = rebuilt(self.rows, spare)


def tokens_of_types(ids: NDArray[np.integer], types: int) -> Int64:
    """The number of tokens of each type, int64, shape (types,)."""
    found = np.zeros(types, dtype=np.int64)
    # Block by block, since NumPy makes a copy with 8 bytes per token.
    for begin, end in each_block(len(ids), 1 << 20):
        found += np.bincount(ids[begin:end], minlength=types)
    return found


def last_sweep(ramps: list[Ramp], block: int) -> Iterator[tuple[int, int, Float32]]:
    """Run the last sweep: for blocks of sentence pairs, yield their begin and end, and the probabilities of
    each token's links, summed over samplers.
    """
    sides = ramps[0].sides
    sentences = len(sides.given_offsets) - 1
    for first, behind in each_block(sentences):
        given, generated = (
            np.diff(offsets[first : behind + 1])
            for offsets in (sides.given_offsets, sides.generated_offsets)
        )
        load = offsets_of((given + 1) * generated)
        begin = first
        while begin < behind:
            start_of = load[begin - first]
            end = first + int(np.searchsorted(load, start_of + block, side="right")) - 1
            end = min(max(end, begin + 1), behind)
            own = load[begin - first : end - first + 1] - start_of
            summed = np.zeros(own[-1], dtype=np.float32)
            for ramp in ramps:
                ramp.last(begin, end, summed, own)
            yield begin, end, summed
            begin = end
