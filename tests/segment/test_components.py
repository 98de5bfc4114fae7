"""sentencepiece's learners and Morfessor as segmenters: same results as the libraries, seeded."""

import random
from functools import partial

import morfessor as library
import pytest
import sentencepiece

import builtin_pair
import sides
from seggrid.base.errors import InputError
from seggrid.segment.morfessor import Morfessor
from seggrid.segment.side_segmenter import learn_model, segment_text

pytestmark = pytest.mark.tier("check")


@pytest.fixture(scope="module")
def sentences():
    return builtin_pair.words_of("deu")[:200]


side_of = partial(sides.side_of, merges=200)


def test_the_same_text_gives_the_same_model_whatever_was_drawn_before(sentences):
    def learned(state):
        random.seed(state)
        before = random.getstate()
        model = Morfessor.learn(sentences[:60], 100, side_of("morfessor"))
        assert random.getstate() == before
        return model

    one = learned("one")
    assert one == learned("two")
    assert abs(one.learned - 100) <= 10


@pytest.mark.parametrize("spaces", [True, False])
@pytest.mark.parametrize("name", ["sentencepiece_bpe", "sentencepiece_unigram"])
def test_sentencepiece_cuts_as_its_library_does(name, spaces, sentences):
    side = side_of(name, spaces=spaces)
    model = learn_model(sentences, side)
    theirs = sentencepiece.SentencePieceProcessor(model_proto=model.tokenizer.data)
    (ours,) = segment_text(sentences, side, model, [0])
    for s, words in enumerate(sentences):
        assert ours.sentence(s) == theirs.Encode(" ".join(words), out_type=str)
    assert (ours.last > ours.first).any() == (not spaces)


def test_morfessor_refuses_a_word_that_would_take_minutes():
    with pytest.raises(InputError, match=r"'abababab.* of 1,200 characters.*--glossary"):
        Morfessor.learn([["the", "ab" * 600]], 20, side_of("morfessor"))
    side = side_of("morfessor", merges=20, glossary="(ab)+")
    assert learn_model([["the", "ab" * 600, "house"]] * 3, side).words.keys() == {"the", "house"}


def test_morfessor_is_the_library(sentences, tmp_path):
    """With as many morphs as words, the weight stays 1."""
    sentences, counts = sentences[:60], {}
    for word in (word for words in sentences for word in words):
        counts[word] = counts.get(word, 0) + 1
    theirs = library.BaselineModel()
    theirs.load_data([(count, word) for word, count in counts.items()])
    random.seed(1)
    theirs.train_batch()
    model = Morfessor.learn(sentences, len(counts), side_of("morfessor"))
    assert {word: list(morphs) for word, (_, morphs) in model.words.items()} == {
        word: theirs.segment(word) for word in counts
    }
    assert sides.read_back("morfessor", model, tmp_path) == model
    new = "".join(max(counts, key=len)[::-1])
    (found,) = model.segment([[new]], side_of("morfessor"), [0], 1)
    expected, _ = theirs.viterbi_segment(new)
    assert found.sentence(0) == ["▁" + expected[0], *expected[1:]]


def test_no_morphs(sentences):
    with pytest.raises(InputError, match="0 morphs"):
        Morfessor.learn(sentences, 0, side_of("morfessor"))
