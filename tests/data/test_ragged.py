"""Ragged arrays: where sentences begin, and the rows of some of them."""

from hypothesis import given
from hypothesis import strategies as st

from seggrid.data.ragged import offsets_of, ragged_rows


@given(st.lists(st.integers(0, 9)))
def test_offsets_are_running_sums(lengths):
    assert offsets_of(lengths).tolist() == [sum(lengths[:n]) for n in range(len(lengths) + 1)]


@given(st.lists(st.integers(0, 4), min_size=1, max_size=8), st.data())
def test_ragged_rows_are_the_sentences_rows_in_order(lengths, data):
    chosen = data.draw(st.lists(st.sampled_from(range(len(lengths)))))
    offsets = offsets_of(lengths)
    expected = [row for s in chosen for row in range(offsets[s], offsets[s + 1])]
    assert ragged_rows(offsets, chosen).tolist() == expected
