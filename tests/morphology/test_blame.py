from fractions import Fraction

import knockout_oracle as oracle
import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from test_merge_graph import merge_lists

from seggrid.morphology.blame import Blame, best_analyses, blame
from seggrid.morphology.cuts import Cuts
from seggrid.morphology.references import read_reference
from seggrid.morphology.word_segmentation import ByteLevelModel, segment, spell, spell_reference
from seggrid.segment.bpe.model import BPEModel

IDS = [("i", "d"), ("id", "s")]


def blame_of(model, tmp_path, text, frequencies=None) -> Blame:
    path = tmp_path / "surface.tsv"
    path.write_text(text)
    reference = read_reference(path, "surface")
    segmented = segment(model.merges, spell(model, reference.words))
    return blame(segmented, reference, reference.weights(frequencies))


def test_the_example_of_the_paper(tmp_path):
    """Section A.5: blamed in 2 of 3 words, but in 20 of 50 occurrences."""
    text = "bruidsjurk\tbruid s jurk\nbeleidsmaker\tbeleid s maker\ngids\tgids\n"
    found = blame_of(BPEModel(IDS), tmp_path, text)
    assert found.applied.tolist() == [3, 3]
    assert found.blamed.tolist() == [0, 2]
    assert found.at_least(Fraction(1, 2)).tolist() == [False, True]
    often = {"gids": 30, "bruidsjurk": 10, "beleidsmaker": 10}
    found = blame_of(BPEModel(IDS), tmp_path, text, often)
    assert (found.applied[1], found.blamed[1]) == (50, 20)
    assert not found.at_least(Fraction(1, 2)).any()


def test_threshold_is_inclusive_and_never_meets_the_unused():
    found = Blame(np.array([10, 10, 0, 3]), np.array([3, 2, 0, 3]))
    assert found.at_least(Fraction(3, 10)).tolist() == [True, False, False, True]
    assert found.at_least(Fraction(1)).tolist() == [False, False, False, True]
    assert found.effective_dropout(found.at_least(Fraction(3, 10))) == 13 / 23


def test_a_tuple_of_k_parts_deletes_k_minus_1_boundaries(tmp_path):
    found = blame_of(BPEModel([("▁a", "b", "c", "d")]), tmp_path, "abcd\tab cd\n")
    assert (found.applied[0], found.blamed[0]) == (3, 1)


def test_the_boundary_after_a_marker_is_applied_but_not_blamed(tmp_path):
    text = "ab\ta b\n"
    found = blame_of(ByteLevelModel([("Ġ", "a"), ("Ġa", "b")]), tmp_path, text)
    assert found.applied.tolist() == [1, 1]
    assert found.blamed.tolist() == [0, 1]
    merges = [("b", "▁"), ("▁", "a"), ("▁a", "b▁")]
    found = blame_of(BPEModel(merges, spaces=False), tmp_path, text)
    assert found.applied.tolist() == [1, 1, 1]
    assert found.blamed.tolist() == [0, 0, 1]


def test_bytes_of_a_letter_are_joined_without_blame(tmp_path):
    """é is two bytes; the cut after it is after the second one."""
    merges = [("Ã", "©"), ("Ã©", "t")]
    found = blame_of(ByteLevelModel(merges), tmp_path, "été\té té\n")
    assert found.applied.tolist() == [2, 1]
    assert found.blamed.tolist() == [0, 1]


def test_the_analysis_that_fits_best_counts(tmp_path):
    """a+b joins un-able's boundary, but the word is segmented as una-ble, which is an analysis."""
    model = BPEModel([("▁u", "n"), ("▁un", "a"), ("b", "l"), ("bl", "e")])
    found = blame_of(model, tmp_path, "unable\tun able\tuna ble\n")
    assert found.blamed.sum() == 0
    assert blame_of(model, tmp_path, "unable\tun able\n").blamed.tolist() == [0, 1, 0, 0]


def test_best_analyses_of_equal_ones_is_the_first(tmp_path):
    path = tmp_path / "surface.tsv"
    path.write_text("abc\ta bc\tab c\tabc\nxy\tx y\txy\n")
    reference = read_reference(path, "surface")
    none = Cuts.from_pieces([["abc"], ["xy"]])
    assert best_analyses(none, reference.morphemes, reference).tolist() == [2, 4]
    both = Cuts.from_pieces([["a", "b", "c"], ["x", "y"]])
    assert best_analyses(both, reference.morphemes, reference).tolist() == [0, 3]


@given(merge_lists("ĠabÃ©"), st.lists(st.text("abé-", min_size=1), min_size=1))
def test_any_blame(tmp_path_factory, merges, words):
    path = tmp_path_factory.mktemp("blame") / "surface.tsv"
    words = list(dict.fromkeys(words))
    path.write_text("".join(f"{word}\t{' '.join(word)}\n" for word in words))
    reference = read_reference(path, "surface")
    model = ByteLevelModel(merges)
    found = blame(segment(merges, spell(model, words)), reference, reference.weights(None))
    entries = [(word, list(range(1, len(word)))) for word in words]
    applied, blamed = oracle.blame(entries, merges)
    assert found.applied.tolist() == applied
    assert found.blamed.tolist() == blamed


def test_applications_count_once(tmp_path):
    """A merge of three parts is applied twice and so deletes four boundaries, two of them morpheme
    boundaries."""
    (tmp_path / "r.tsv").write_text("abcabc\tabc abc\nabcd\ta b cd\n")
    reference = read_reference(tmp_path / "r.tsv", "surface")
    model = ByteLevelModel([("a", "b", "c")])
    segmented = segment(model.merges, spell_reference(model, reference))
    weights = np.array([1, 10])
    found = blame(segmented, reference, weights)
    assert (found.applied.tolist(), found.blamed.tolist()) == ([24], [20])
    once = blame(segmented, reference, weights, once=True)
    assert (once.applied.tolist(), once.blamed.tolist()) == ([12], [10])
