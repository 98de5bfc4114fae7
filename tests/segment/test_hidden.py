"""`spaces: hidden`: who learns and cuts sees no boundary, and tokens are laid on the words all the same."""

import pytest

from seggrid.corpus.text import read_text
from seggrid.grid.run import learn_model, segment_text
from seggrid.segment import AXES, HIDDEN, SEGMENTERS
from seggrid.segment.side import Side, parse_spec

HIDING = [name for name, entry in SEGMENTERS.items() if "spaces" in entry.axes]


def side_of(name, **changes):
    defaults = {axis: value.default for axis, value in AXES.items()}
    return Side.from_values(
        {**defaults, "segmenter": name, "merges": 300, "spaces": HIDDEN, **changes}
    )


@pytest.fixture(scope="module")
def sentences(shared_data):
    return read_text(shared_data / "kftt/eng-jpn/jpn.txt", "lines")[0][:300]


def words_of(sentence, begin, end):
    found, at = [], 0
    for j, word in enumerate(sentence):
        if begin < at + len(word) and end > at:
            found.append(j)
        at += len(word)
    return found


@pytest.mark.parametrize("name", HIDING)
def test_tokens_lie_on_the_words_that_their_characters_are_of(name, sentences):
    side = side_of(name)
    (found,) = segment_text(sentences, side, learn_model(sentences, side), [0])
    crossing = 0
    for s, sentence in enumerate(sentences):
        at = 0
        for row in range(found.offsets[s], found.offsets[s + 1]):
            text = found.types[found.ids[row]].replace("▁", "")
            expected = words_of(sentence, at, at + len(text))
            assert list(range(found.first[row], found.last[row] + 1)) == expected
            crossing += len(expected) > 1
            at += len(text)
        assert at == sum(map(len, sentence))
    assert (crossing > 0) == (name != "characters")


@pytest.mark.parametrize("name", HIDING)
def test_no_boundary_is_seen(name, sentences):
    """Other words of the same characters give the same tokens."""
    side = side_of(name)
    other = [list("".join(words)) for words in sentences]
    (one,) = segment_text(sentences, side, learn_model(sentences, side), [0])
    (two,) = segment_text(other, side, learn_model(other, side), [0])
    assert one.lines() == two.lines()


def test_dropout_is_drawn_from_what_is_hidden(sentences):
    side = side_of("bpe", dropout=0.6)
    model = learn_model(sentences, side)
    one, two = segment_text(sentences, side, model, [1, 2])
    assert one.lines() != two.lines()
    for sample in (one, two):
        spelled = ["".join(sample.sentence(s)) for s in range(len(sample))]
        assert spelled == ["".join(words) for words in sentences]


def test_a_path_spells_it():
    assert str(side_of("bpe")) == "bpe+case=keep+spaces=hidden+scoring=frequency+merges=300" + (
        "+application=rank"
    )
    assert parse_spec(str(side_of("bpe"))) == side_of("bpe")


@pytest.mark.parametrize("spaces", [False, HIDDEN])
def test_word_piece_across_words(spaces, sentences):
    """Longest match over the sentence, by the products of merges that may cross words."""
    side = side_of("wordpiece", spaces=spaces)
    model = learn_model(sentences, side)
    types = SEGMENTERS["wordpiece"].load().types(model, side)
    (found,) = segment_text(sentences, side, model, [0])
    joint = "" if spaces == HIDDEN else "▁"
    for s, words in enumerate(sentences[:40]):
        text, expected = joint.join(words), []
        while text:
            fits = [end for end in range(1, len(text) + 1) if end == 1 or text[:end] in types]
            expected.append(text[: max(fits)])
            text = text[max(fits) :]
        assert found.sentence(s) == expected
