"""The learner in the listing of the thesis, which makes merges that a user may give."""

import importlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seggrid.segment.bpe.model import BPEModel, learn

pytestmark = pytest.mark.tier("check")


@pytest.fixture(scope="module")
def listing(root):
    with pytest.MonkeyPatch.context() as patched:
        patched.syspath_prepend(root / "docs/studies")
        yield importlib.import_module("thesis_listing")


words = st.lists(st.text("ab", min_size=1, max_size=4), min_size=1, max_size=4)


@given(sentences=st.lists(words, max_size=5))
def test_the_first_merge_of_the_listing_is_of_a_most_frequent_pair(listing, sentences):
    ours = learn(sentences, 1, spaces=False, min_frequency=1).merges
    texts = ["▁".join(words) for words in sentences]
    theirs = listing.learn(sentences, 1)
    assert len(ours) == len(theirs)
    for pair in zip(ours, theirs, strict=True):
        counts = [
            sum(text[i : i + 2] == a + b for text in texts for i in range(len(text)))
            for a, b in pair
        ]
        assert counts[0] == counts[1]


def test_the_listing_miscounts_where_the_merged_string_is_part_of_a_longer_symbol(listing):
    """After (a, b), then (ab, c), the string ab is also in abc, around which counts are corrected again."""
    sentences = [["abcd", "abe", "abe", "abcd", "abcd"], ["ababab"]]
    exact = learn(sentences, 12, spaces=False, min_frequency=1).merges
    theirs = listing.learn(sentences, 12)
    assert theirs[0] == exact[0] == ("a", "b")
    assert theirs != exact


def test_the_listing_as_a_command(listing, tmp_path):
    text, model = tmp_path / "text.txt", tmp_path / "out.model"
    text.write_text("0\tThe the\n1\tthe\n", "utf-8")
    listing.main(str(text), "2", str(model))
    assert BPEModel.read(model) == BPEModel([("t", "h"), ("th", "e")], spaces=False)
    listing.main(str(text), "2", str(model), "1")
    assert len(BPEModel.read(model).merges) == 2
