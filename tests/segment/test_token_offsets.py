"""Tokens mapped to words by the texts that they spell, compared with the word of each of their characters."""

from itertools import chain, pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from seggrid.segment.token_offsets import CodePoints, spelled_words


@st.composite
def cut_sentences(draw):
    """The words of a sentence, and the texts of its tokens: some may span words, or be a space alone."""
    words = draw(st.lists(st.text("abé𝕏", min_size=1, max_size=3), min_size=1, max_size=4))
    text = "".join(words)
    places = draw(st.lists(st.integers(0, len(text)), max_size=8))
    return words, [text[a:b] for a, b in pairwise(sorted([0, *places, len(text)]))]


def twin(words, tokens):
    """The first and last word of each token."""
    word_of = [-1, *(j for j, word in enumerate(words) for _ in word)]
    end = 0
    for token in tokens:
        begin, end = end, end + len(token)
        last = word_of[end]
        yield (word_of[begin + 1] if token else last + 1), last


def mapped(sentences, tokens, separator=" "):
    """The result of `spelled_words`, with the words of each token as a pair."""
    number = {text: k for k, text in enumerate(dict.fromkeys(chain(*tokens)))}
    ids = np.array([number[text] for text in chain(*tokens)], dtype=np.int32)
    first, last, right = spelled_words(
        CodePoints.from_lines([separator.join(words) for words in sentences], separator),
        list(number),
        ids,
        np.array(list(map(len, tokens))),
    )
    return list(zip(first.tolist(), last.tolist(), strict=True)), right.tolist()


@given(st.lists(cut_sentences(), min_size=1, max_size=3))
def test_tokens_lie_on_the_words_that_they_spell(cuts):
    expected = list(chain.from_iterable(twin(*cut) for cut in cuts))
    sentences, tokens = zip(*cuts, strict=True)
    assert mapped(sentences, tokens) == (expected, [True] * len(cuts))


@given(cut_sentences())
def test_tokens_lie_on_the_characters_that_they_spell(cut):
    characters = list("".join(cut[0]))
    assert mapped([characters], [cut[1]], "") == (list(twin(characters, cut[1])), [True])


@given(cut_sentences(), cut_sentences(), st.data())
def test_tokens_that_spell_another_sentence(cut, other, data):
    words, tokens = cut
    place = data.draw(st.integers(0, len(tokens) - 1))
    tokens[place] = data.draw(st.sampled_from([tokens[place] + "a", "z" + tokens[place][1:]]))
    found, right = mapped([words, other[0]], [tokens, other[1]])
    assert right == [False, True]
    assert found[len(tokens) :] == list(twin(*other))
