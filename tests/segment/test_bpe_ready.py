"""Merges that the user has already, and the learner of the thesis that makes some."""

import pytest
import thesis_listing
from hypothesis import given
from hypothesis import strategies as st

from seggrid.errors import InputError
from seggrid.segment.bpe.learn import learn
from seggrid.segment.bpe.model import BPEModel
from seggrid.segment.bpe.ready import ready_model
from sides import side_of

MERGES = [("a", "b"), ("ab", "c")]
VALUES = {"spaces": False, "merges": 2, "application": "replace"}


def test_merges_of_the_users(tmp_path):
    path = tmp_path / "mine.model"
    BPEModel(MERGES, spaces=False).write(path)
    assert ready_model(path, side_of(**VALUES)).prefix(1).merges == MERGES[:1]


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
        ready_model(path, side_of(**VALUES | {axis: value}))


@given(
    st.lists(st.lists(st.text("ab", min_size=1, max_size=4), min_size=1, max_size=4), max_size=5)
)
def test_the_first_merge_of_the_listing_is_of_a_most_frequent_pair(sentences):
    ours = learn(sentences, 1, spaces=False, min_frequency=1).merges
    texts = ["▁".join(words) for words in sentences]
    theirs = thesis_listing.learn(sentences, 1)
    assert len(ours) == len(theirs)
    for left, right in ours:
        counts = [
            sum(text[i : i + 2] == a + b for text in texts for i in range(len(text)))
            for a, b in ((left, right), theirs[0])
        ]
        assert counts[0] == counts[1]


def test_the_listing_miscounts_where_the_merged_string_is_part_of_a_longer_symbol():
    """After (a, b), then (ab, c), the string ab is also in abc, around which counts are corrected again."""
    sentences = [["abcd", "abe", "abe", "abcd", "abcd"], ["ababab"]]
    exact = learn(sentences, 12, spaces=False, min_frequency=1).merges
    theirs = thesis_listing.learn(sentences, 12)
    assert theirs[0] == exact[0] == ("a", "b")
    assert theirs != exact


def test_the_listing_as_a_command(tmp_path):
    text, model = tmp_path / "text.txt", tmp_path / "out.model"
    text.write_text("0\tThe the\n1\tthe\n", "utf-8")
    thesis_listing.main(str(text), "2", str(model))
    assert BPEModel.read(model) == BPEModel([("t", "h"), ("th", "e")], spaces=False)
    thesis_listing.main(str(text), "2", str(model), "1")
    assert len(BPEModel.read(model).merges) == 2
