"""Distinct words: what is not a word, and the words that tokens across spaces overlap."""

from itertools import pairwise

import numpy as np
import pytest
from bpe_strategies import corpora
from hypothesis import given
from hypothesis import strategies as st

import sides
from seggrid.base.errors import InputError
from seggrid.segment import SEGMENTERS
from seggrid.segment.token_offsets import map_to_words
from seggrid.segment.units import WordTypes


@pytest.mark.parametrize("word", ["", "a b", "a▁b", "▁", "a\nb", "a</w>"])
@pytest.mark.parametrize("spaces", [True, False])
def test_refuses_words_with_marks_in_them(word, spaces):
    with pytest.raises(InputError, match="is not a word"):
        WordTypes.from_sentences([["a", word]], spaces=spaces)


@pytest.mark.parametrize("name", [name for name in sides.LEARNING if not SEGMENTERS[name].requires])
def test_segmenters_learn_from_words_alone(name):
    with pytest.raises(InputError, match="is not a word"):
        SEGMENTERS[name].learn([["a▁b"], ["a"]], 1, sides.side_of(name, merges=1))


@given(sentences=corpora, draw=st.randoms(use_true_random=False))
def test_tokens_across_spaces_lie_on_the_words_of_their_characters(sentences, draw):
    units = WordTypes.from_sentences(sentences, spaces=False)
    tokens = []
    for unit in units.words:
        ends = [k for k in range(1, len(unit)) if draw.random() < 0.5]
        bounds = [0, *ends, *([len(unit)] if unit else [])]
        tokens.append([unit[a:b] for a, b in pairwise(bounds)])
    found = units.segmentation_of_words(tokens)
    expected = map_to_words(found, sentences)
    assert ["".join(found.sentence(s)) for s in range(len(found))] == [
        "▁".join(s) for s in sentences
    ]
    np.testing.assert_array_equal(found.first, expected.first)
    np.testing.assert_array_equal(found.last, expected.last)
