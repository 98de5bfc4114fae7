"""WordPiece, compared with the thesis's examples and a slow applier; how a vocabulary is applied is tested
in test_vocabulary_rules."""

import bpe_twin as twin
from hypothesis import given
from hypothesis import strategies as st

from seggrid.segment.vocabulary import cut as cut_by
from seggrid.segment.wordpiece import WordPiece
from sides import side_of

words = st.text("abc", min_size=1, max_size=9)
corpora = st.lists(st.lists(words, min_size=1, max_size=6), min_size=1, max_size=6)


def cut(word, vocabulary):
    texts, tokens, _ = cut_by([word], vocabulary, "left", "start")
    return [texts[token] for token in tokens]


def greedy(text, vocabulary):
    """Longest match: the longest type at the start of a text, then the same with the rest."""
    if not text:
        return []
    single = 2 if text[0] == "▁" else 1
    for end in range(len(text), single, -1):
        if text[:end] in vocabulary:
            return [text[:end], *greedy(text[end:], vocabulary)]
    return [text[:single], *greedy(text[single:], vocabulary)]


def segment(sentences, merges):
    side = side_of("wordpiece", merges=merges)
    return WordPiece.learn(sentences, merges, side).segment(sentences, side, [0], 1)[0]


def test_the_example_of_the_thesis():
    # Section 3.1.2: `johan ##son`, that is, `▁johan son`.
    vocabulary = {"▁john", "▁johan", "son", "▁house"}
    assert cut("john", vocabulary) == ["▁john"]
    assert cut("johanson", vocabulary) == ["▁johan", "son"]
    assert cut("house", vocabulary) == ["▁house"]


def test_frequent_parts_are_merged_after_rare_ones_that_go_together():
    # The thesis's `soon` and `Jaggery`, section 3.1.2. Here 6 / (8 * 8) is compared with 2 / (2 * 2).
    sentences = [["xso"] * 6 + ["xs", "xo"] * 2 + ["xjg"] * 2]
    assert [*WordPiece.learn(sentences, 1, side_of("wordpiece")).numbers] == ["jg"]


def test_longest_match_first_is_not_what_merging_gives():
    # Merges would make `ab` first, so that no `bcd` is left; the longest match does not look ahead either.
    assert cut("abcd", {"▁ab", "bcd"}) == ["▁ab", "c", "d"]
    assert cut("abcd", {"▁abc", "▁ab", "cd"}) == ["▁abc", "d"]


@given(sentences=corpora, size=st.integers(0, 12))
def test_the_vocabulary_is_learned_by_likelihood(sentences, size):
    merges = twin.learn(sentences, size, True, "likelihood", 2)
    vocabulary = {a + b for a, b in merges}
    expected = [
        [token for word in sentence for token in greedy("▁" + word, vocabulary)]
        for sentence in sentences
    ]
    found = segment(sentences, size)
    assert [found.sentence(s) for s in range(len(found))] == expected


def test_an_unknown_character_is_a_token():
    assert cut("abéab", {"▁ab", "ab"}) == ["▁ab", "é", "ab"]
    assert cut("é", {"▁ab", "ab"}) == ["▁é"]


def test_a_model_holds_those_of_fewer_types():
    sentences = [["abcab", "bcabc", "abc"]]
    side = side_of("wordpiece", merges=2)
    large, small = (WordPiece.learn(sentences, size, side) for size in (9, 2))
    assert large.prefix(2) == small
