"""Literal replacement by flags, compared with `str.replace`."""

from hypothesis import given, settings
from hypothesis import strategies as st

from seggrid.data.boundary import BOUNDARY
from seggrid.segment.bpe.replace import replace_all
from seggrid.segment.units import SEPARATOR

LETTERS = "ab▁"


def literally(units, merges, spaces):
    mark = BOUNDARY if spaces else ""
    text = SEPARATOR.join(mark + " ".join(unit) for unit in units)
    for merge in merges:
        text = text.replace(" ".join(merge), "".join(merge))
    return text


parts = st.text(LETTERS, min_size=1, max_size=3)
merges = st.lists(st.lists(parts, min_size=2, max_size=3).map(tuple), max_size=12)
units = st.lists(st.text(LETTERS, min_size=1, max_size=12), min_size=1, max_size=4)


@given(units=units, merges=merges, spaces=st.booleans())
@settings(max_examples=4 * settings().max_examples)
def test_deletes_the_spaces_that_str_replace_deletes(units, merges, spaces):
    assert replace_all(units, merges, spaces) == literally(units, merges, spaces)


def test_joins_longer_tokens_that_only_end_and_begin_so():
    # `xe ny` contains the string `e n`, though neither token is `e` or `n`.
    merges = [("x", "e"), ("n", "y"), ("e", "n")]
    assert replace_all(["xeny"], merges, spaces=False) == "xeny"


def test_does_not_match_overlapping():
    assert replace_all(["aaaaa"], [("a", "a")], spaces=False) == "aa aa a"
