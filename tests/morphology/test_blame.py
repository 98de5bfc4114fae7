from fractions import Fraction

import numpy as np
import pytest

from seggrid.base.errors import InputError
from seggrid.morphology.cuts import Cuts
from seggrid.morphology.knockout import Blame, best_analyses, blame_merges, dropout_weights
from seggrid.segment.bpe.model import BPEModel
from seggrid.segment.byte_level import ByteLevelModel

IDS = [("i", "d"), ("id", "s")]


@pytest.fixture
def blame_of(read):
    def blame_of(model, text, frequencies=None):
        return blame_merges(model, reference := read(text), reference.weights(frequencies))

    return blame_of


def test_the_example_of_the_paper(blame_of):
    """Section A.5: blamed in 2 of 3 words, but in 20 of 50 occurrences."""
    text = "bruidsjurk\tbruid s jurk\nbeleidsmaker\tbeleid s maker\ngids\tgids\n"
    found = blame_of(BPEModel(IDS), text)
    assert found.applied.tolist() == [3, 3]
    assert found.blamed.tolist() == [0, 2]
    assert found.at_least(Fraction(1, 2)).tolist() == [False, True]
    often = {"gids": 30, "bruidsjurk": 10, "beleidsmaker": 10}
    found = blame_of(BPEModel(IDS), text, often)
    assert (found.applied[1], found.blamed[1]) == (50, 20)
    assert not found.at_least(Fraction(1, 2)).any()


def test_the_threshold_is_inclusive_and_never_met_by_the_unused():
    found = Blame(np.array([10, 10, 0, 3]), np.array([3, 2, 0, 3]))
    assert found.at_least(Fraction(3, 10)).tolist() == [True, False, False, True]
    assert found.at_least(Fraction(1)).tolist() == [False, False, False, True]


def test_the_boundary_after_a_marker_is_applied_but_not_blamed(blame_of):
    merges = [("b", "▁"), ("▁", "a"), ("▁a", "b▁")]
    found = blame_of(BPEModel(merges, spaces=False), "ab\ta b\n")
    assert found.applied.tolist() == [1, 1, 1]
    assert found.blamed.tolist() == [0, 0, 1]


def test_best_analyses_of_equal_ones_is_the_first(read):
    reference = read("abc\ta bc\tab c\tabc\nxy\tx y\txy\n")
    none = Cuts.from_pieces([["abc"], ["xy"]])
    assert best_analyses(none, reference.morphemes, reference).tolist() == [2, 4]
    both = Cuts.from_pieces([["a", "b", "c"], ["x", "y"]])
    assert best_analyses(both, reference.morphemes, reference).tolist() == [0, 3]


def test_each_boundary_that_a_merge_deletes_counts(read):
    """A merge of three parts is applied twice and so deletes four boundaries, two of them morpheme
    boundaries."""
    reference = read("abcabc\tabc abc\nabcd\ta b cd\n")
    model = ByteLevelModel([("a", "b", "c")])
    found = blame_merges(model, reference, np.array([1, 10]))
    assert (found.applied.tolist(), found.blamed.tolist()) == ([24], [20])


# Weights by which dropout skips some merges more often


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
