"""A selection of lines contains all lines with gold, and the first of the others."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seggrid.base.errors import InputError
from seggrid.text.selection import (
    draw_lines,
    gold_places,
    laid_out,
    select_lines,
    slices,
)


@st.composite
def selections(draw):
    """Lines with gold, the number of lines, and the number of lines to keep."""
    lines = draw(st.integers(1, 40))
    gold = sorted(draw(st.sets(st.integers(0, lines - 1), min_size=1)))
    return np.array(gold), lines, draw(st.integers(len(gold), lines))


@given(selections())
def test_gold_is_where_it_is_said_to_be(drawn):
    gold, lines, sentences = drawn
    kept = select_lines(gold, lines, sentences)
    assert len(kept) == sentences
    assert (np.diff(kept) > 0).all()
    assert kept[gold_places(gold, sentences)].tolist() == gold.tolist()


@given(selections())
def test_a_smaller_selection_is_part_of_a_larger_one(drawn):
    gold, lines, sentences = drawn
    kept = set(select_lines(gold, lines, sentences))
    assert kept <= set(select_lines(gold, lines, min(sentences + 1, lines)))
    others = sorted(kept - set(gold.tolist()))
    rest = [line for line in range(lines) if line not in kept]
    assert not others or not rest or others[-1] < rest[0]


@pytest.mark.parametrize(
    ("sentences", "message", "hint"),
    [
        (2, "2 sentences are to be kept, but 3 have gold", "set sentences to 3 or more"),
        (11, "11 sentences are to be kept, but the text has 10", "set sentences to 10 or less,"),
    ],
)
def test_a_number_that_cannot_be_is_refused(sentences, message, hint):
    with pytest.raises(InputError) as caught:
        select_lines(np.array([0, 3, 9]), 10, sentences)
    assert caught.value.message == message
    assert caught.value.hint.startswith(hint)


@given(lines=st.integers(1, 200), size=st.integers(1, 50))
def test_slices_hold_every_line_once_and_no_more_than_their_size(lines, size):
    cut = slices(lines, size)
    assert [line for a, b in cut for line in range(a, b + 1)] == list(range(lines))
    assert {b - a + 1 for a, b in cut[:-1]} <= {size}


def test_a_sample_is_drawn_without_repeats_and_follows_from_the_seed():
    drawn = draw_lines(1000, 100, seed=3)
    assert len(set(drawn.tolist())) == 100
    assert (np.diff(drawn) > 0).all()
    assert 0 <= drawn.min() <= drawn.max() < 1000
    assert (draw_lines(1000, 100, seed=3) == drawn).all()
    assert (draw_lines(1000, 100, seed=4) != drawn).any()
    # From all of the text: each tenth of it has some.
    assert np.bincount(drawn // 100, minlength=10).min() > 0
    assert draw_lines(5, 100, seed=3).tolist() == [0, 1, 2, 3, 4]


@given(st.lists(st.booleans(), max_size=30), st.integers(0, 3))
def test_laid_out_lines_stand_where_they_were(kept, more):
    lines = [f"line {k}" for k in range(sum(kept) + more)]
    written = list(laid_out(lines, kept))
    assert [line for line, present in zip(written, kept, strict=True) if present] == (
        lines[: sum(kept)]
    )
    assert all(not line for line, present in zip(written, kept, strict=True) if not present)
