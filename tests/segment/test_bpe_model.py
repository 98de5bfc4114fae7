"""The file of a BPE model, also as one that the user has already."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seggrid.base.errors import InputError
from seggrid.segment.bpe import MARKINGS, SCORINGS
from seggrid.segment.bpe.model import BPEModel
from sides import side_of

parts = st.text(
    st.characters(exclude_characters=" \r\n", exclude_categories=["Cs"]), min_size=1, max_size=3
)
merge_lists = st.lists(st.lists(parts, min_size=2, max_size=4).map(tuple), unique=True, max_size=8)


@given(
    merges=merge_lists,
    spaces=st.booleans(),
    scoring=st.sampled_from(SCORINGS),
    marking=st.sampled_from(MARKINGS),
    dropout=st.floats(0, 1),
)
def test_is_read_back(tmp_path_factory, merges, spaces, scoring, marking, dropout):
    path = tmp_path_factory.mktemp("model") / "eng.bpe"
    split = frozenset(map("".join, merges[::2]))
    model = BPEModel(merges, spaces, scoring, split, dropout, marking)
    model.write(path)
    assert BPEModel.read(path) == model


MERGES = [("a", "b"), ("ab", "c")]
VALUES = {"spaces": False, "merges": 2, "application": "replace"}


def test_merges_of_the_users(tmp_path):
    path = tmp_path / "mine.model"
    BPEModel(MERGES, spaces=False).write(path)
    assert BPEModel.read_given(path, side_of(**VALUES)).prefix(1).merges == MERGES[:1]


@pytest.mark.parametrize(
    ("axis", "value", "message"),
    [
        ("spaces", True, "mine.model:1: merges with other spaces than"),
        ("scoring", "likelihood", "mine.model:1: merges with other scoring than"),
        ("merges", 3, "2 merges, and an experiment asks for 3"),
        ("joint", True, "together with joint: True"),
        ("vocabulary", 100, "together with vocabulary: 100"),
    ],
)
def test_merges_that_do_not_fit_are_refused(tmp_path, axis, value, message):
    path = tmp_path / "mine.model"
    BPEModel(MERGES, spaces=False).write(path)
    with pytest.raises(InputError, match=message):
        BPEModel.read_given(path, side_of(**VALUES | {axis: value}))
