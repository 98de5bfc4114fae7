"""Rows of counts against a dictionary: what is added and left, and what they are after they were rebuilt."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seggrid.align.gibbs import _rows
from seggrid.align.gibbs._rows import (
    FREE,
    add,
    count,
    empty_rows,
    free_unlinked,
    rebuilt,
    room,
    slot_of,
    spare_for,
    upper_at,
)
from seggrid.align.gibbs._vectors import LANES, WIDTH

GENERATED, GIVEN = 5, 60
CHANGES = st.lists(
    st.tuples(st.integers(0, GIVEN - 1), st.integers(0, GENERATED - 1), st.integers(0, LANES - 1)),
    max_size=200,
)


def counts_in(rows):
    """The counts of each (conditioning, generated) type in its row."""
    found = {}
    for e in range(GIVEN):
        for f in range(GENERATED):
            slot = slot_of(rows, e, f) if rows.size[f] else -1
            if slot >= 0:
                found[e, f] = [count(rows, slot, f, lane) for lane in range(LANES)]
    return found


@pytest.mark.tier("test")
@given(CHANGES, st.lists(st.integers(0, 200), max_size=4), st.booleans())
@settings(max_examples=60)
def test_rows_count_as_a_dictionary_however_often_they_are_rebuilt(changes, rebuilds, in_place):
    # Two of the rows may hold counts of more than 16 bits, and one does.
    rows, known = empty_rows(np.array([10, 10, 10, 1 << 16, 1 << 20])), {}
    before, _rows.IN_PLACE = _rows.IN_PLACE, 0 if in_place else _rows.IN_PLACE
    try:
        for k, (e, f, lane) in enumerate(changes):
            tokens = np.array([f], dtype=np.int32)
            if k in rebuilds or not room(rows, tokens, 0, 1):
                rows = rebuilt(rows, spare_for(rows, tokens, 0, 1))
                assert counts_in(rows) == known
                assert (rows.key[rows.end[0] :] == FREE).all()
                assert not rows.links[rows.end[0] * LANES :].any()
                assert (rows.key.ctypes.data // rows.key.itemsize) % WIDTH == 0
            # Every third change takes a link away, if there is one.
            have = known.get((e, f), [0] * LANES)
            much = (1 << 16) - 1 if f == GENERATED - 1 else 1
            change = -min(much, have[lane]) if k % 3 == 2 and have[lane] else much
            slot = add(rows, e, f)
            beyond = upper_at(rows.halves, rows.size, f)
            _rows.change(rows.links, slot * LANES + lane, beyond, change)
            known[e, f] = [count + change * (at == lane) for at, count in enumerate(have)]
            assert free_unlinked(rows, slot, beyond) == (not any(known[e, f]))
            if not any(known[e, f]):
                del known[e, f]
        assert counts_in(rows) == known
        assert counts_in(rebuilt(rows, 0)) == known
    finally:
        _rows.IN_PLACE = before
