"""Weights by which dropout skips some merges more often."""

import pytest

from seggrid.errors import InputError
from seggrid.morphology.blame import dropout_weights
from seggrid.segment.bpe.model import BPEModel

MODEL = BPEModel([("▁a", "b"), ("c", "d"), ("▁ab", "cd")])


@pytest.fixture
def reference(read):
    return read("abcd\tab cd\nab\ta b\n")


def test_late_and_frequent_merges(reference):
    assert dropout_weights(MODEL, "rank", []) == (1.0, 2.0, 3.0)
    sentences = [["ab", "abcd"], ["cd"]]
    # `▁c d` is another pair; a merge that is never applied counts once.
    assert dropout_weights(MODEL, "frequency", sentences) == (2.0, 1.0, 1.0)


def test_a_merge_is_blamed_for_the_boundaries_that_it_deletes(reference):
    first, second, third = dropout_weights(MODEL, "blame", [], reference)
    # ab+cd deletes a morpheme boundary in 1 of 1 applications, a+b in 1 of 2, c+d in 0 of 1; 2 of 4 in total.
    assert first == pytest.approx((1 + 1 / 2) / 3)
    assert second == pytest.approx((0 + 1 / 2) / 2)
    assert third == pytest.approx((1 + 1 / 2) / 2)


def test_what_cannot_be_weighed():
    with pytest.raises(InputError, match="needs a morphological reference"):
        dropout_weights(MODEL, "blame", [])
    with pytest.raises(InputError, match="unknown weights 'size'"):
        dropout_weights(MODEL, "size", [])
