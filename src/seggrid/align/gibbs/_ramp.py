"""How a large text is aligned: in steps, of which each has a few times as many sentence pairs.

The first sentence pairs are linked at random and go through all stages, as a small text does. The links of
the next ones are drawn in their order with what was learned, and sweeps of the last stage follow over all so
far, and so on. So the many cells that random links have are never those of the whole text.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seggrid.align.gibbs._chains import Float32, Prior, UInt64
from seggrid.align.gibbs._known import FERTILITIES, Known
from seggrid.align.gibbs._lean import (
    Factors,
    Lanes,
    Sides,
    add_known,
    largest,
    rebuilt,
    set_factors,
    start,
    sweep,
)
from seggrid.align.pairs import Int32, Int64
from seggrid.base.compiled import njit
from seggrid.base.steps import step
from seggrid.data.links import Links
from seggrid.data.ragged import offsets_of

FIRST = 20_000
"""Sentence pairs of the first step. With fewer, quality suffers: from 1,000 of 3,500 F1 was 0.034 lower."""

GROWTH = 4
"""About how many times as many sentence pairs the next step has."""


class Pass(NamedTuple):
    """A sweep over sentence pairs `begin:end`; see `_lean.sweep`.

    Attributes:
        model: 1 lexical, 2 with jumps, 3 with fertilities.
        is_tidied: whether the table of cells is rebuilt behind it.
    """

    begin: int
    end: int
    model: int
    is_first: bool = False
    is_full: bool = False
    is_tidied: bool = False


def ends_of_steps(sentences: int) -> list[int]:
    """How many sentence pairs each step has.

    >>> ends_of_steps(1_000), ends_of_steps(100_000), ends_of_steps(1_000_000)
    ([1000], [20000, 100000], [20000, 73681, 271442, 1000000])
    """
    if sentences <= FIRST:
        return [sentences]
    factor = sentences / FIRST
    steps = max(1, round(math.log(factor, GROWTH)))
    return [round(FIRST * factor ** (k / steps)) for k in range(steps)] + [sentences]


def passes(sentences: int, stages: Callable[[int], list[tuple[int, int]]]) -> list[Pass]:
    """All sweeps but the last.

    Args:
        stages: of a text of so many sentence pairs: models and numbers of sweeps.
    """
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
            # The last with the first model, and the first with the last one.
            is_turn = before == 0 and (
                models[k : k + 2] == [1, 2] or models[k - 1 : k + 1] == [2, 3]
            )
            # 0, 1, 2, 4, 8, 16, ...
            found.append(Pass(0, end, model, is_full=k & (k - 1) == 0, is_tidied=is_turn))
        before = end
    return found


class Ramp:
    """One direction's samplers, and their sweeps over a text."""

    def __init__(
        self,
        sides: Sides,
        types: tuple[int, int],
        prior: Prior,
        keys: UInt64,
        plan: list[Pass],
        known: Known,
        known_cells: tuple[Int64, Int64, Int64],
    ) -> None:
        """Samplers with given keys, before their first sweep.

        Args:
            types: how many conditioning and generated types there are.
            plan: all sweeps but the last.
            known: what priors count.
            known_cells: conditioning type, generated type and count of the cells that they know.
        """
        self.sides, self.prior, self.plan, self.known = sides, prior, plan, known
        given, generated = types
        places, tokens = np.diff(sides.given_offsets), np.diff(sides.generated_offsets)
        longest = int(places.max())
        jumps = 2 * (longest + 1) + 1
        width, total = len(keys), len(sides.generated)
        self.lanes = Lanes(
            keys,
            link=np.zeros(total * width, dtype=np.min_scalar_type(longest)),
            asleep=np.zeros(total, dtype=np.uint8),
            candidate=np.zeros(int((places + 7 >> 3) @ tokens), dtype=np.uint8),
            total=np.zeros(given * width, dtype=np.int32),
            null=np.zeros(generated * width, dtype=np.int32),
            null_total=np.zeros(width, dtype=np.int64),
            jump=np.zeros(jumps, dtype=np.int64),
            kind=np.zeros(given * FERTILITIES, dtype=np.int32),
        )
        shapes = [jumps] * 5 + [given * FERTILITIES]
        self.factors = Factors(*(np.ones(size, dtype=np.float32) for size in shapes))
        self.table = np.zeros(8 * (width + 2), dtype=np.int32)
        # Cells that the table has, and the place of the next token's bits.
        self.used = np.zeros(2, dtype=np.int64)
        self._tidy(len(known_cells[0]))
        add_known(*known_cells, self.table, self.used, width)
        if len(known.total):
            self.lanes.total.reshape(given, width)[:] += known.total[:, None].astype(np.int32)

    def train(self, is_shown: bool) -> None:
        """All sweeps but the last.

        Args:
            is_shown: whether each is reported as a step.
        """
        nothing = np.zeros(0, dtype=np.float32)
        visits, done = sum(one.end - one.begin for one in self.plan), 0
        reached, end = 0, self.plan[0].end
        while reached < end:
            arrays = self.sides, self.prior, self.lanes, self.table, self.used
            reached = start(reached, end, *arrays)
            self._make_room(reached, end)
        for number, one in enumerate(self.plan, 1):
            self._sweep(number, one, one.begin, one.end, nothing)
            if one.is_tidied:
                self._tidy(0)
            done += one.end - one.begin
            if is_shown:
                step("sentence pair", done, visits)

    def last(self, block: int) -> Iterator[tuple[int, int, Float32]]:
        """The last sweep: the distributions of blocks of sentence pairs, added over samplers.

        Args:
            block: about how many probabilities are held at a time.
        """
        places, tokens = np.diff(self.sides.given_offsets), np.diff(self.sides.generated_offsets)
        load = offsets_of((places + 1) * tokens)
        sentences, begin = len(tokens), 0
        last = Pass(0, sentences, self.plan[-1].model, is_full=True)
        while begin < sentences:
            end = int(np.searchsorted(load, load[begin] + block, side="right")) - 1
            end = min(max(end, begin + 1), sentences)
            summed = np.zeros(load[end] - load[begin], dtype=np.float32)
            self._sweep(len(self.plan) + 1, last, begin, end, summed, load)
            yield begin, end, summed
            begin = end

    def chosen(self) -> NDArray[np.unsignedinteger]:
        """The link of each generated token after the last sweep, in which all samplers agree."""
        return self.lanes.link[:: len(self.lanes.key)].copy()

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
            if not one.is_first:
                lanes.jump[:], lanes.kind[:], self.used[1] = 0, 0, 0
                if len(self.known.total):
                    lanes.jump[:] += self.known.jump * len(lanes.key)
                    lanes.kind[:] += (self.known.kinds * len(lanes.key)).astype(np.int32)
        reached = begin
        while reached < end:
            behind = 0 if load is None else int(load[reached] - load[begin])
            reached = sweep(
                reached, end, self.sides, self.prior, lanes, self.factors, self.table, self.used,
                number, one.is_first, one.is_full, one.model > 1 and not one.is_full, summed[behind:],
            )  # fmt: skip
            self._make_room(reached, end)

    def _make_room(self, reached: int, end: int) -> None:
        """Rebuild the table if a sweep stopped because it is full."""
        if reached < end:
            tokens = np.diff(self.sides.generated_offsets[reached : reached + 2])
            self._tidy(int(tokens[0]) * len(self.lanes.key))

    def _tidy(self, spare: int) -> None:
        self.table, self.used[0] = rebuilt(self.table, len(self.lanes.key), spare)


def links_of(offsets: Int64, places: NDArray[np.unsignedinteger], is_reverse: bool) -> Links:
    """The links of generated tokens to places, as `Ramp.chosen` gives them.

    Args:
        offsets: of the generated side, shape (S + 1,).
    """
    none = largest(places)
    counts = np.zeros(len(offsets), dtype=np.int64)
    pairs = np.empty((int(np.count_nonzero(places != none)), 2), dtype=np.int32)
    _fill_links(offsets, places, is_reverse, counts, pairs)
    return Links(counts, pairs)


@njit
def _fill_links(
    offsets: Int64,
    places: NDArray[np.unsignedinteger],
    is_reverse: bool,
    ends: Int64,
    pairs: Int32,
) -> None:
    none, end = largest(places), 0
    for s in range(len(offsets) - 1):
        begin = end
        for token in range(offsets[s], offsets[s + 1]):
            if places[token] == none:
                continue
            place, other = np.int32(places[token]), np.int32(token - offsets[s])
            at = end
            if is_reverse:
                pairs[at, 0], pairs[at, 1] = other, place
            else:
                # Insertion, for links are nearly in the order of their places.
                while at > begin and pairs[at - 1, 0] > place:
                    pairs[at, 0], pairs[at, 1] = pairs[at - 1, 0], pairs[at - 1, 1]
                    at -= 1
                pairs[at, 0], pairs[at, 1] = place, other
            end += 1
        ends[s + 1] = end
