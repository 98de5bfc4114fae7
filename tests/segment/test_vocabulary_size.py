"""Models of a vocabulary's size: exactly so many types, whichever segmenter learns them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import builtin_pair
import sides
from seggrid.base.errors import InputError
from seggrid.segment import SEGMENTERS
from seggrid.segment.byte_level import byte_symbols
from seggrid.segment.segmenter import Library
from seggrid.segment.side_segmenter import (
    learn_model,
    learned_text,
    segment_text,
    segmenter_input,
    vocabulary_size,
)
from seggrid.text.annotated import annotate

READERS = [name for name, entry in SEGMENTERS.items() if "vocabulary" in entry.axes]


@pytest.fixture(scope="module")
def sentences():
    return builtin_pair.words_of("deu")[:300]


def side_of(name, vocabulary, **changes):
    return sides.side_of(name, vocabulary=vocabulary, **changes)


def alphabet_size(side, sentences):
    return SEGMENTERS[side.segmenter].alphabet_size(learned_text(side, sentences), side)


def types_of(model, side, sentences):
    """The types of a model: the symbols of the text, and what it makes of them."""
    if isinstance(model, Library):
        return model.tokenizer.vocabulary
    mark = "▁" if side.spaces in (None, True) else ""
    letters = {("" if k else mark) + c for w in words(sentences) for k, c in enumerate(w)}
    return letters | (set() if mark else {"▁"}) | {*getattr(model, "numbers", model.types(side))}


def words(sentences):
    return {word for sentence in sentences for word in sentence}


@pytest.mark.parametrize("size", [300, 600])
@pytest.mark.parametrize("name", READERS)
def test_the_vocabulary_has_exactly_that_size(name, size, sentences, tmp_path):
    side = side_of(name, size)
    model = learn_model(sentences, side)
    if name == "mingram":
        # It drops types that have no tokens, and may keep fewer than it was to.
        assert size - 60 < len(types_of(model, side, sentences)) <= size
        size = len(types_of(model, side, sentences))
    assert len(types_of(model, side, sentences)) == size
    model = sides.read_back(name, model, tmp_path)
    declared = vocabulary_size(side, model, sentences)
    # Wordmap leaves words whole that its types do not cover.
    assert declared is None if name == "wordmap" else declared == size
    (cut,) = segment_text(sentences, side, model, [0])
    for s, row in enumerate(sentences[:50]):
        text = "".join(cut.sentence(s))
        if name == "byte_bpe":
            text = bytes(map(byte_symbols().index, text)).decode()
        assert text.replace("▁", "").replace(" ", "") == "".join(row)


@pytest.mark.parametrize("spaces", [False, "hidden"])
@pytest.mark.parametrize("name", ["bpe", "wordpiece", "sentencepiece_bpe"])
def test_across_words_the_boundary_is_a_type_where_it_is_seen(name, spaces, sentences, tmp_path):
    side = side_of(name, 400, spaces=spaces)
    model = learn_model(sentences, side)
    model = sides.read_back(name, model, tmp_path)
    text = segmenter_input(side, sentences)
    assert vocabulary_size(side, model, text) == 400
    alphabet = alphabet_size(side, sentences)
    letters = len({c for word in words(sentences) for c in word})
    if name == "sentencepiece_bpe":
        assert alphabet == letters + 2
    else:
        assert alphabet == letters + (spaces is False)
        assert model.learned == 400 - alphabet


@given(
    st.lists(st.lists(st.text("ab", min_size=1, max_size=12), min_size=1), min_size=1, max_size=6),
    st.sampled_from(["frequency", "frequency_length", "likelihood"]),
    st.integers(0, 30),
)
def test_no_two_merges_have_the_same_result(sentences, scoring, more):
    """Not even of two letters, of which `a` + `ba` and `ab` + `a` make the same."""
    repeated = sentences * 3
    side = side_of("bpe", 2, scoring=scoring)
    alphabet = alphabet_size(side, repeated)
    side = side_of("bpe", max(2, alphabet + more), scoring=scoring)
    model = learn_model(repeated, side)
    everything = learn_model(repeated, side_of("bpe", "none", scoring=scoring, merges=10_000))
    assert model.merges == everything.merges[: len(model.merges)]
    found = len(types_of(model, side, repeated))
    available = len(types_of(everything, side, repeated))
    assert found == min(side.vocabulary, available)
    if found < side.vocabulary:
        assert model.merges == everything.merges


@pytest.mark.parametrize("name", READERS)
def test_less_than_the_single_characters_is_refused(name, sentences):
    alphabet = alphabet_size(side_of(name, 2), sentences)
    hint = f"give at least {alphabet}"
    with pytest.raises(InputError, match=f"for a text with {alphabet} single characters") as error:
        learn_model(sentences, side_of(name, alphabet - 1))
    assert error.value.hint == hint


@pytest.mark.tier("check")
@pytest.mark.parametrize("spaces", [True, False, "hidden"])
@pytest.mark.parametrize("name", [name for name, entry in SEGMENTERS.items() if entry.learns])
def test_no_other_types_occur_than_are_declared(name, spaces, sentences, tmp_path):
    """Or the share of the vocabulary that is used could be above 1, and a language model not know them."""
    entry = SEGMENTERS[name]
    if spaces is not True and "spaces" not in entry.axes:
        return
    given = sentences
    if entry.annotation:
        given = [
            [annotate(word, "-", "verb" if len(word) % 2 else "noun") for word in words]
            for words in sentences
        ]
    side = side_of(name, "none", merges=100, spaces=spaces)
    model = learn_model(given, side)
    model = sides.read_back(name, model, tmp_path)
    (cut,) = segment_text(given, side, model, [0])
    text = segmenter_input(side, sentences)
    size = vocabulary_size(side, model, text)
    occurring = {cut.types[k] for k in set(cut.ids.tolist())}
    assert size is None if name == "wordmap" else len(occurring) <= size
    if not isinstance(model, Library) and size is not None:
        letters = {c for words in text for word in words for c in (*word, "▁" + word[0], "▁")}
        assert occurring <= model.types(side) | letters
