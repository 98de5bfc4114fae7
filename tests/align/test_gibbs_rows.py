"""Rows of counts against a dictionary: what is added and left, and what they are after they were packed."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seggrid.align.gibbs import _rows
from seggrid.align.gibbs._rows import LANES, change, empty_rows, field, packed, slot_in, slots_for

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
            slot = slot_in(rows, *(int(part) for part in rows.row[f, :2]), e)
            if slot >= 0 and rows.key[slot] > 0:
                found[e, f] = []
                for lane in range(LANES):
                    word, shift, mask = (int(part) for part in field(rows, lane))
                    found[e, f].append(int(rows.links[slot * rows.words + word]) >> shift & mask)
    return found


@pytest.mark.tier("check")
@given(CHANGES, st.lists(st.integers(0, 200), max_size=4), st.booleans(), st.sampled_from([0, 64]))
@settings(max_examples=60)
def test_rows_count_as_a_dictionary_however_often_they_are_packed(changes, when, are_wide, dense):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_rows, "DENSE", dense)
        rows, known = empty_rows(GIVEN, GENERATED, 1 << (20 if are_wide else 10)), {}
    much = (1 << 16) + 1 if are_wide else 300
    for k, (e, f, lane) in enumerate(changes):
        tokens = np.array([f], dtype=np.int32)
        if k in when or rows.end[0] + slots_for(rows, tokens, 0, 1, False) > len(rows.key):
            rows = packed(rows, slots_for(rows, tokens, 0, 1, True))
            assert counts_in(rows) == known
            assert not rows.key[rows.end[0] :].any()
            assert not rows.links[rows.end[0] * rows.words :].any()
        # Every third change takes links away, if there are any.
        have = known.get((e, f), [0] * LANES)
        by = -min(much, have[lane]) if k % 3 == 2 and have[lane] else much
        change(rows, e, f, lane, by)
        known[e, f] = [count + by * (at == lane) for at, count in enumerate(have)]
        if not any(known[e, f]):
            del known[e, f]
    assert counts_in(rows) == known
    assert counts_in(packed(rows, 0)) == known


@pytest.mark.tier("check")
@given(st.lists(st.lists(st.integers(0, 3), max_size=40), max_size=6), st.integers(0, 99))
@settings(max_examples=60)
def test_there_is_room_for_the_links_of_a_sentence(sentences, seed):
    random, types = np.random.default_rng(seed), 300
    rows, linked = empty_rows(types, 4, 1000), {f: [] for f in range(4)}
    for sentence in sentences:
        tokens = np.array(sentence, dtype=np.int32)
        needed = slots_for(rows, tokens, 0, len(tokens), True)
        rows = packed(rows, needed)
        end = int(rows.end[0])
        assert end + slots_for(rows, tokens, 0, len(tokens), False) <= len(rows.key)
        for f in sentence:
            for lane in range(LANES):
                if linked[f] and random.random() < 0.5:
                    old = linked[f].pop(random.integers(len(linked[f])))
                    change(rows, *old, -1)
                linked[f].append((int(random.integers(types)), f, lane))
                change(rows, *linked[f][-1], 1)
        assert rows.end[0] - end <= needed


def test_the_room_for_a_sentence_grows_as_its_tokens():
    few, many = (
        slots_for(empty_rows(10**6, n, 1000), np.arange(n, dtype=np.int32), 0, n, True)
        for n in (100, 1000)
    )
    assert many == 10 * few
