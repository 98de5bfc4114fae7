"""Words that are spelled alike: against a literal definition, and what they do to links."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seggrid.align.gibbs import Gibbs, Options
from seggrid.align.gibbs.spelling import spelled_alike
from seggrid.segment.bpe.apply import apply
from seggrid.segment.bpe.model import learn
from seggrid.text.segmentation import Segmentation

WORDS = st.text("abcAß1", min_size=1, max_size=7)
SENTENCES = st.lists(WORDS, max_size=5)


@cache
def longest_common(one, other):
    if not one or not other:
        return 0
    if one[0] == other[0]:
        return 1 + longest_common(one[1:], other[1:])
    return max(longest_common(one[1:], other), longest_common(one, other[1:]))


def are_alike(one, other):
    one, other = one.lower(), other.lower()
    if min(len(one), len(other)) < 4 or one[0] != other[0]:
        return False
    if "1" in one + other:
        return one == other
    return 2 * longest_common(one, other) >= 0.7 * (len(one) + len(other))


def spelled(source, target):
    pairs = spelled_alike(source, target).tolist()
    assert pairs == sorted(pairs)
    return [(source.types[e], target.types[f]) for e, f in pairs]


@given(st.lists(st.tuples(SENTENCES, SENTENCES), max_size=6))
def test_pairs_of_words_are_those_of_the_definition(corpus):
    source, target = ([pair[side] for pair in corpus] for side in (0, 1))
    expected = {
        (one, other) for ours, theirs in corpus for one in ours for other in theirs
        if are_alike(one, other)
    }  # fmt: skip
    assert set(spelled(*map(Segmentation.from_words, (source, target)))) == expected


def test_pieces_of_words_are_not_compared():
    sides = [[["Minister", "Ministers"]], [["Minister", "ministre"]]]
    whole = [Segmentation.from_words(side) for side in sides]
    pieces = [apply(learn(side, 3), side) for side in sides]
    assert len(spelled(*whole)) == 4
    assert spelled(*pieces) == spelled(whole[0], pieces[1]) == []


@pytest.mark.parametrize("seed", range(4))
def test_names_that_occur_once_are_linked(seed):
    """Which of two words that occur once is which, nothing else tells."""
    names = ["Merkel", "Obama", "Zapatero", "Berlusconi", "Kinnock", "Walesa"]
    pairs = [(names[k : k + 2], names[k : k + 2][::-1]) for k in (0, 2, 4)]
    sides = [Segmentation.from_words(list(side)) for side in zip(*pairs, strict=True)]
    links = Gibbs(Options()).align(*sides, seed=seed)
    assert [one.lines() for one in links] == [["0-1 1-0"] * 3] * 2
