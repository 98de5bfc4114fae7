"""Token alignability: the example by hand, a twin over sets, and the built-in pair."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import builtin_pair
from seggrid.align.alignability import alignability, one_to_one
from seggrid.base.errors import InputError
from seggrid.text.links import Links
from seggrid.text.segmentation import Segmentation


def test_an_example_by_hand():
    """a and x are linked one to one; b and y in one direction only; c has two partners; d in the second
    sentence is linked to z by both directions, but z to e, too."""
    source = Segmentation.from_words([["a", "b", "c"], ["d", "e"]])
    target = Segmentation.from_words([["x", "y", "v", "w"], ["z"]])
    forward = Links.from_lines(["0-0 1-1 2-2 2-3", "0-0"])
    reverse = Links.from_lines(["0-0 2-2", "0-0 1-0"])
    assert one_to_one(forward, reverse, source, target).tolist() == [1, 5, 5]


sentence = st.sets(st.tuples(st.integers(0, 3), st.integers(0, 3)))


@given(st.lists(st.tuples(sentence, sentence), min_size=1, max_size=4))
def test_as_counted_pair_by_pair(directions):
    lines = [
        [" ".join(f"{i}-{j}" for i, j in sorted(links)) for links in way]
        for way in zip(*directions, strict=True)
    ]
    tokens = Segmentation.from_words([[*"abcd"]] * len(directions))
    expected = sum(
        pair in back and not any((pair[0] == i) != (pair[1] == j) for i, j in ahead | back)
        for ahead, back in directions
        for pair in ahead
    )
    forward, reverse = map(Links.from_lines, lines)
    found = one_to_one(forward, reverse, tokens, tokens)
    assert found.tolist() == [expected, len(tokens.ids), len(tokens.ids)]


def test_a_text_is_nearly_alignable_to_itself_and_not_to_another():
    eng, deu = (Segmentation.from_words(builtin_pair.words_of(name)) for name in ("eng", "deu"))
    same, other = alignability(eng, eng, seed=1), alignability(eng, deu, seed=1)
    assert same[0] == same[1] > 0.8
    assert 0.3 < other[0] < same[0]
    assert alignability(eng, deu, seed=1, threads=2) == other
    with pytest.raises(InputError, match="sentences"):
        alignability(eng, deu.block(0, 3))
