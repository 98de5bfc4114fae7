"""WordPiece, compared with the thesis's examples and a slow applier; how a vocabulary is applied is tested
in test_vocabulary_rules."""

import bpe_twin as twin
from hypothesis import given
from hypothesis import strategies as st

from seggrid.segment.wordpiece import WordPiece
from sides import side_of

words = st.text("abc", min_size=1, max_size=9)
corpora = st.lists(st.lists(words, min_size=1, max_size=6), min_size=1, max_size=6)


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


def test_frequent_parts_are_merged_after_rare_ones_that_go_together():
    # The thesis's `soon` and `Jaggery`, section 3.1.2. Here 6 / (8 * 8) is compared with 2 / (2 * 2).
    sentences = [["xso"] * 6 + ["xs", "xo"] * 2 + ["xjg"] * 2]
    assert [*WordPiece.learn(sentences, 1, side_of("wordpiece")).numbers] == ["jg"]


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
