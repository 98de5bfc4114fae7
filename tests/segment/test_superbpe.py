"""SuperBPE and BoundlessBPE, compared with slow twins, and with known merges of the built-in texts."""

from itertools import groupby

import bpe_twin as twin
import numpy as np
import pytest
from bpe_strategies import corpora, lines_of, words
from hypothesis import example, given
from hypothesis import strategies as st

import builtin_pair
import sides
from seggrid.base.errors import InputError
from seggrid.commands.segmenter import Segmenter
from seggrid.segment import SEGMENTERS
from seggrid.segment.bpe.model import learn as learn_bpe
from seggrid.segment.superbpe import Boundless
from seggrid.segment.token_offsets import map_to_words


def side_of(transition, **axes):
    """A side of `superbpe`, or of `boundless` if that is given in place of the transition."""
    if transition == "boundless":
        return sides.side_of("boundless", **axes)
    return sides.side_of("superbpe", transition=transition, **axes)


def learn(sentences, merges, transition):
    side = side_of(transition)
    return SEGMENTERS[side.segmenter].learn(sentences, merges, side)


def apply(model, sentences):
    side = sides.side_of("superbpe", merges=10**6)
    return model.segment(sentences, side, [0], 1)[0]


def symbols_of(sentences):
    """Each sentence as a list of words, each a list of symbols."""
    return twin.units_of(sentences, spaces=True)


def may_cross(pair):
    product = "".join(pair)
    return product[1:].count("▁") <= 3 and not (pair[0][-1] == ":" and pair[1][0] == "▁")


def slowly_crossing(sentences, merges, transition):
    """SuperBPE: everything is counted again before each merge."""
    within, across = [], []
    text = symbols_of(sentences)
    while len(within) < min(merges, transition):
        found = twin.best_of([unit for units in text for unit in units])
        if found is None:
            break
        within.append(found[0])
        text = [[twin.merge_all(unit, found[0]) for unit in units] for units in text]
    flat = [[symbol for unit in units for symbol in unit] for units in text]
    while len(within) + len(across) < merges and (found := twin.best_of(flat, may_cross)):
        across.append(found[0])
        flat = [twin.merge_all(unit, found[0]) for unit in flat]
    return within, across, flat


def slowly_boundless(sentences, merges):
    """BoundlessBPE: both stages counted again before each merge, and then the race between them."""
    text, ranked = symbols_of(sentences), []
    while len(ranked) < merges:
        found = twin.best_of([unit for units in text for unit in units])
        if found is None:
            break
        ranked.append(found)
        text = [[twin.merge_all(unit, found[0]) for unit in units] for units in text]
    runs = [[]]
    for units, row in zip(text, sentences, strict=True):
        for unit, word in zip(units, row, strict=True):
            if len(unit) == 1 and any(c.isalpha() for c in word):
                runs[-1].append(unit[0])
            else:
                runs.append([])
        runs.append([])
    taken, across = 0, []
    while taken + len(across) < merges:
        found = twin.best_of(runs)
        count = ranked[taken][1] if taken < len(ranked) else 0
        if found and found[1] > count:
            across.append(found[0])
            runs = [twin.merge_all(run, found[0]) for run in runs]
        elif taken < len(ranked):
            taken += 1
        else:
            break
    return [merge for merge, _ in ranked[:taken]], across


# Few words, so that they become tokens and their neighbors recur; a colon, and a word without letters.
phrases = st.lists(
    st.lists(st.sampled_from(["a", "b", "ab", "aa", "a:", "1", "ba1", "bab"]), max_size=9),
    min_size=1,
    max_size=6,
)


@given(sentences=phrases | corpora, merges=st.integers(0, 25), transition=st.integers(0, 12))
@example([["a", "b"] * 6] * 3, 12, 0)
@example([["a:", "b"] * 3, ["a", ":", "b"] * 3], 9, 3)
def test_superbpe_learns_and_ends_as_defined(sentences, merges, transition):
    within, across, expected = slowly_crossing(sentences, merges, transition)
    model = learn(sentences, merges, transition)
    assert (model.within, model.across) == (within, across)
    assert lines_of(apply(model, sentences)) == expected


@given(sentences=phrases | corpora, merges=st.integers(0, 25))
@example([["a", "b"] * 6] * 3, 12)
@example([["ab", "a"] * 4, ["ab", "1", "a"] * 3], 9)
def test_boundless_learns_as_defined(sentences, merges):
    model = learn(sentences, merges, "boundless")
    assert (model.within, model.across) == slowly_boundless(sentences, merges)


def slowly_applied(model, row):
    """The tokens of a sentence, by merging in order of rank; boundless joins only words of one token."""
    cut = [twin.segment(unit, model.within)[0] for unit in symbols_of([row])[0]]
    boundless = isinstance(model, Boundless)
    tokens = []
    for may_join, units in groupby(cut, lambda unit: len(unit) == 1 or not boundless):
        run = [token for unit in units for token in unit]
        for pair in model.across if may_join else []:
            run = twin.merge_all(run, pair)
        tokens += run
    return tokens


@given(
    sentences=phrases,
    unseen=st.lists(st.lists(words, max_size=6), max_size=4),
    merges=st.integers(0, 20),
    transition=st.sampled_from([0, 2, 5, "boundless"]),
)
@example([["ab", "a"] * 4], [["ab", "ab", "abb"], ["b"]], 12, "boundless")
def test_other_text_is_cut_by_rank(sentences, unseen, merges, transition):
    model = learn(sentences, merges, transition)
    for text in (sentences, unseen):
        found = apply(model, text)
        assert lines_of(found) == [slowly_applied(model, row) for row in text]
        of_characters = map_to_words(found, text)
        np.testing.assert_array_equal(found.first, of_characters.first)
        np.testing.assert_array_equal(found.last, of_characters.last)


VECTORS = {
    ("eng", "boundless"): (483, 17, 39883),
    ("deu", "boundless"): (491, 9, 45599),
    ("eng", 400): (400, 100, 39417),
    ("deu", 400): (400, 100, 44608),
}


@pytest.mark.parametrize(("language", "transition"), VECTORS)
def test_known_merges_of_the_builtin_texts(language, transition):
    sentences = builtin_pair.words_of(language)
    model = learn(sentences, 500, transition)
    tokens = len(apply(model, sentences).ids)
    assert (len(model.within), len(model.across), tokens) == VECTORS[language, transition]
    assert model.within == learn_bpe(sentences, len(model.within)).merges


def test_a_boundless_model_is_not_cut(tmp_path):
    text = [["ab", "c"] * 4]
    learn(text, 3, "boundless").write(tmp_path / "model")
    boundless = Segmenter.load(tmp_path / "model", segmenter="boundless")
    assert boundless.segment(text) == [["▁ab▁c▁ab▁c", "▁ab▁c▁ab▁c"]]
    with pytest.raises(InputError, match="the model cannot be cut to 2"):
        Segmenter.load(tmp_path / "model", segmenter="boundless", merges=2)
