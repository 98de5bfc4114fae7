"""Parity-aware BPE, compared with a slow twin, and with known merges of the built-in texts."""

import bpe_twin as twin
import pytest
from bpe_strategies import words
from hypothesis import example, given
from hypothesis import strategies as st

import sides
from seggrid.base.errors import InputError
from seggrid.segment.bpe.model import BPEModel
from seggrid.segment.bpe.model import learn as learn_bpe
from seggrid.segment.parity import Parity
from seggrid.segment.side_segmenter import learn_model


def learn(texts, merges, spaces=True):
    side = sides.side_of("parity", spaces=spaces)
    return Parity.learn([sentence for text in texts for sentence in text], merges, side)


rows = st.lists(words, max_size=4)
parallel = st.lists(st.tuples(rows, rows), min_size=1, max_size=5)


def slowly_learned(texts, merges, spaces):
    """The merges, with everything counted again before each."""
    units = [[unit for row in twin.units_of(text, spaces) for unit in row] for text in texts]
    learned = []
    while len(learned) < merges:
        sizes = [sum(map(len, text)) for text in units]
        which = sizes.index(max(sizes))
        if (found := twin.best_of(units[which])) is None:
            break
        learned.append(found[0])
        units = [[twin.merge_all(unit, found[0]) for unit in text] for text in units]
    return learned


@given(pairs=parallel, merges=st.integers(0, 25), spaces=st.booleans())
@example([(["aaaa", "aaab"] * 3, ["b"]), (["ab"], ["bcbc"] * 3)], 12, True)
def test_learns_as_defined(pairs, merges, spaces):
    texts = [list(text) for text in zip(*pairs, strict=True)]
    assert learn(texts, merges, spaces).merges == slowly_learned(texts, merges, spaces)


def test_the_text_with_more_tokens_is_served():
    source, target = [["ab", "ab", "ab"]], [["cdcd", "cdcd"]]
    # The source has 6 tokens, the target 8; after the first merge both have 6, and the source is served.
    assert learn([source, target], 2).merges == [("▁c", "d"), ("▁a", "b")]
    assert learn_bpe([*source, *target], 2).merges[0] == ("▁a", "b")


def test_refuses_texts_of_different_lengths():
    with pytest.raises(InputError, match="two texts of 2 and 1 sentences"):
        learn_model([["ab"], ["ab"], ["cd"]], sides.side_of("parity"))


def test_a_text_of_one_word_has_no_merges():
    assert learn([[["a"]], [["b"]]], 3) == BPEModel([])
    assert learn([[], []], 3) == BPEModel([])
