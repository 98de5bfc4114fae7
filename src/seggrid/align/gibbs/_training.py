"""How the samplers of one direction are trained: in two steps, first on a part of the sentence pairs, then on
all.

The first step links its sentence pairs at random and runs all stages on them, with two sweeps in the last
one. The second draws the links of all other sentence pairs, in order, by the counts so far, but NULL with the
probability `FIRST_NULL`, and then runs the last stage on the whole text. So only the first step has random
links, which have very many cells.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from seggrid.align.gibbs._rows import LANES, add_links, empty_rows, packed, slots_for
from seggrid.align.gibbs._sampler import (
    FERTILITIES,
    Factors,
    Lanes,
    PriorParameters,
    SampledText,
    State,
    choose_links,
    sentence_for,
    start,
    sweeps,
)
from seggrid.align.gibbs._weights import WIDTH
from seggrid.align.gibbs.link_counts import PriorCounts
from seggrid.base.arrays import Float32, Int64, UInt64
from seggrid.base.steps import step
from seggrid.text.ragged import each_block, offsets_of

FIRST = 100_000
"""The first step has at least this number of sentence pairs."""

PARTS = 8
"""The first step has one in so many sentence pairs."""

AT_ONCE = 100_000
"""Progress is shown, and rows may be packed, after sweeps over about so many sentence pairs."""


FEW = 10_000
"""Up to so many conditioning types, tokens have no candidates, and all sweeps are full: in others, tokens do
not see what other sentence pairs have learned."""


class SweepStage(NamedTuple):
    """Sweeps over sentence pairs `begin:end`, before which the rows are packed.

    Attributes:
        model: 1 lexical, 2 with jumps, 3 with fertilities.
        sweeps: how often each of the sentence pairs is drawn.
        is_first: whether the tokens have no links yet.
    """

    begin: int
    end: int
    model: int
    sweeps: int
    is_first: bool = False


def in_steps(sentences: int, stages: list[tuple[int, int]]) -> list[SweepStage]:
    """All sweeps but the last; `stages`: the model and the number of sweeps of each stage. The first sweep of
    the last model is a stage of its own: it frees many slots of links that were drawn without fertilities, or
    for the first time.

    >>> in_steps(100, [(1, 4), (3, 8)])
    [SweepStage(begin=0, end=100, model=1, sweeps=4, is_first=False), \
SweepStage(begin=0, end=100, model=3, sweeps=1, is_first=False), \
SweepStage(begin=0, end=100, model=3, sweeps=7, is_first=False)]
    """
    first = min(max(FIRST, sentences // PARTS), sentences)
    *before, (model, sweeps) = stages
    found = [SweepStage(0, first, *stage) for stage in before]
    if first < sentences:
        found += [SweepStage(0, first, model, 1), SweepStage(0, first, model, 1)]
        found.append(SweepStage(first, sentences, model, 1, is_first=True))
    found += [SweepStage(0, sentences, model, 1), SweepStage(0, sentences, model, sweeps - 1)]
    return found


class Samplers:
    """Four samplers of one direction, and their sweeps over a text."""

    def __init__(
        self,
        text: SampledText,
        types: tuple[int, int],
        prior: PriorParameters,
        keys: UInt64,
        stages: list[SweepStage],
        known: PriorCounts | None,
    ) -> None:
        """Set up the samplers before their first sweep.

        Args:
            types: the numbers of conditioning and generated types.
            stages: all sweeps but the last.
            known: the counts of priors, with a column for each lane.
        """
        self.text, self.prior, self.stages = text, prior, stages
        conditioning, generated = types
        places = np.diff(text.conditioning_offsets)
        longest = int(places.max())
        jumps = 2 * (longest + 1 + WIDTH) + 1
        total = len(text.generated)
        width = (places + 7) // 8 * (conditioning > FEW)
        candidates = offsets_of(np.diff(text.generated_offsets) * width)
        self.lanes = Lanes(
            keys,
            link=np.zeros((total, LANES), dtype=np.min_scalar_type(longest)),
            asleep=np.zeros(total, dtype=np.uint8),
            candidates=np.zeros(int(candidates[-1]) + 8 * (conditioning > FEW), dtype=np.uint8),
            candidates_offsets=candidates,
            total=np.zeros((conditioning, LANES), dtype=np.int32),
            null=np.zeros((generated, LANES), dtype=np.int32),
            null_total=np.zeros(LANES, dtype=np.int64),
            jump=np.zeros(jumps, dtype=np.int64),
            fertilities=np.zeros((conditioning, FERTILITIES), dtype=np.int32),
        )
        shapes = [jumps] * 3 + [(conditioning, FERTILITIES)]
        self.factors = Factors(*(np.ones(size, dtype=np.float32) for size in shapes))
        self.sentence = sentence_for(
            conditioning, longest, int(np.diff(text.generated_offsets).max())
        )
        most = _most_tokens(text, generated) + (int(known.links.max(initial=0)) if known else 0)
        self.rows = empty_rows(conditioning, generated, most)
        if known:
            self._add_known(known)

    def _add_known(self, known: PriorCounts) -> None:
        added = 0
        while added < len(known.links):
            needed = slots_for(self.rows, known.generated, added, added + 1, True)
            self.rows = packed(self.rows, needed)
            added = add_links(added, known.conditioning, known.generated, known.links, self.rows)
        self.lanes.total[:] += known.totals.astype(np.int32)
        # The lanes share these counts.
        self.lanes.jump[WIDTH:-WIDTH] += known.jumps.sum(axis=1)
        fertilities = known.fertilities.sum(axis=1).astype(np.int32)
        self.lanes.fertilities[:] += fertilities.reshape(-1, FERTILITIES)

    def train(self, is_shown: bool) -> None:
        """Run all sweeps but the last."""
        end = self.stages[0].end
        reached = 0
        while reached < end:
            self._make_room(reached)
            reached = start(reached, end, self.text, self.prior, self.lanes, self.rows)
        visits = sum((stage.end - stage.begin) * stage.sweeps for stage in self.stages)
        done, number = 0, 1
        nothing = np.zeros(0, dtype=np.float32)
        for stage in self.stages:
            self.rows = packed(self.rows, 0, True)
            pairs = stage.end - stage.begin
            since, behind = number, number + stage.sweeps
            while number < behind:
                until = min(number + max(AT_ONCE // pairs, 1), behind)
                done += (until - number) * pairs
                reached = stage.begin
                while number < until:
                    number, reached = self._sweeps(
                        number, until, reached, stage.end, stage, since, nothing
                    )
                if is_shown:
                    step("sentence pair", done, visits)

    def last(self, begin: int, end: int, summed: Float32, load: Int64, used: int) -> None:
        """Run the last sweep over sentence pairs `begin:end`, and add the distributions of the first `used`
        lanes to `summed`; see `_sampler.sweep`.

        Args:
            load: where the distributions of each sentence pair begin in `summed`, shape (end - begin + 1,).
        """
        number = 1 + sum(stage.sweeps for stage in self.stages)
        stage = self.stages[-1]
        reached = begin
        while reached < end:
            rest = summed[int(load[reached - begin]) :]
            reached = self._sweeps(number, number + 1, reached, end, stage, number, rest, used)[1]

    def _sweeps(
        self,
        number: int,
        behind: int,
        reached: int,
        end: int,
        stage: SweepStage,
        since: int,
        summed: Float32,
        used: int = 0,
    ) -> tuple[int, int]:
        """Run sweeps `number` to `behind` - 1, the first one from sentence pair `reached` on, until the rows
        lack room, and make room; return the sweep and the sentence pair that were reached."""
        state = State(self.text, self.prior, self.lanes, self.factors, self.rows, self.sentence)
        number, reached = sweeps(
            number, behind, reached, stage.begin, end, state, stage.model, since, stage.is_first,
            summed, used,
        )  # fmt: skip
        if number < behind:
            self._make_room(reached)
        return number, reached

    def _make_room(self, reached: int) -> None:
        """Pack the rows, with room for all links of a sentence pair."""
        ends = self.text.generated_offsets[reached : reached + 2]
        self.rows = packed(self.rows, slots_for(self.rows, self.text.generated, *ends, True))


def _most_tokens(text: SampledText, types: int) -> int:
    """The highest number of tokens of a generated type."""
    found = np.zeros(types, dtype=np.int64)
    # Block by block, since NumPy makes a copy with 8 bytes per token.
    for begin, end in each_block(len(text.generated), 1 << 20):
        found += np.bincount(text.generated[begin:end], minlength=types)
    return int(found.max())


def last_sweep(
    samplers: list[Samplers], used: int, block: int
) -> Iterator[tuple[int, int, Float32]]:
    """Run the last sweep: for blocks of sentence pairs, yield their begin and end, and the probabilities of
    each token's links, summed over the first `used` samplers. The most probable links are then in the first
    lane of the first group.
    """
    text = samplers[0].text
    for first, behind in each_block(len(text.conditioning_offsets) - 1):
        conditioning, generated = (
            np.diff(offsets[first : behind + 1])
            for offsets in (text.conditioning_offsets, text.generated_offsets)
        )
        load = offsets_of((conditioning + 1) * generated)
        begin = first
        while begin < behind:
            start_of = load[begin - first]
            end = first + int(np.searchsorted(load, start_of + block, side="right")) - 1
            end = min(max(end, begin + 1), behind)
            own = load[begin - first : end - first + 1] - start_of
            summed = np.zeros(own[-1], dtype=np.float32)
            for number, group in enumerate(samplers):
                group.last(begin, end, summed, own, used - LANES * number)
            choose_links(begin, end, text, summed, samplers[0].lanes.link[:, 0])
            yield begin, end, summed
            begin = end
