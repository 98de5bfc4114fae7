"""Lines of several sentences: where they are cut, and which sentences are matched."""

import itertools

import numpy as np
import pytest

from seggrid.align.embeddings import sentences
from seggrid.align.embeddings.encoded import Encoded, link
from seggrid.align.embeddings.extraction import normalize
from seggrid.align.embeddings.sentences import BEADS, COST, match_passages, sentence_edges
from seggrid.base.errors import Note
from seggrid.text.segmentation import Segmentation

FOUR = ["the", "house", "is", "red"]


def edges(monkeypatch, *lines, whole=0):
    """Where the lines and their sentences begin and end, each token being a piece."""
    monkeypatch.setattr(sentences, "WHOLE", whole)
    tokens = Segmentation.from_words(list(lines))
    token = np.arange(len(tokens.ids)) - np.repeat(tokens.offsets[:-1], tokens.lengths)
    return sentence_edges(tokens, tokens.offsets, token.astype(np.int32)).tolist()


def test_sentences_begin_after_stops_unless_they_are_short(monkeypatch):
    one = [*FOUR, "."]
    assert edges(monkeypatch, [*one, *one], [], one) == [0, 5, 10, 15]
    # With a closing quote, in other scripts, or glued to the word.
    for stop in (['."'], ["。"], ["।"], ["?"], ["end.”"]):
        assert edges(monkeypatch, [*FOUR, *stop, *one]) == [0, 5, 10]
    assert edges(monkeypatch, [*FOUR, ":", *one]) == [0, 10]
    # An abbreviation, and what is left after it.
    assert edges(monkeypatch, ["Mr.", *one, "Yes", "."]) == [0, 8]
    assert edges(monkeypatch, [*one, *one], whole=10) == [0, 10]
    assert edges(monkeypatch, [], []) == [0]


def test_pieces_of_a_token_stay_together(monkeypatch):
    monkeypatch.setattr(sentences, "WHOLE", 0)
    tokens = Segmentation.from_words([[*FOUR, ".", *FOUR]])
    token = np.repeat(np.arange(9), 2).astype(np.int32)
    assert sentence_edges(tokens, np.array([0, 18]), token).tolist() == [0, 10, 18]


def brute_force(source, target):
    """The best of all sequences of passages, by their ends."""
    means = [normalize(side).mean(axis=0) for side in (source, target)]
    found = (-np.inf, [(len(source), len(target))])
    most = max(len(source), len(target))
    for beads in itertools.chain.from_iterable(
        itertools.product(BEADS, repeat=k) for k in range(1, most + 1)
    ):
        ends = [(int(i), int(j)) for i, j in np.cumsum(beads, axis=0)]
        if ends[-1] != (len(source), len(target)):
            continue
        total = 0.0
        for (i, j), (p, q) in zip(ends, beads, strict=True):
            parts = source[i - p : i].sum(axis=0), target[j - q : j].sum(axis=0)
            one, other = (
                normalize(normalize(part[None]) - mean)[0]
                for part, mean in zip(parts, means, strict=True)
            )
            total += (p + q) * float(one @ other) - (COST if (p, q) != (1, 1) else 0)
        found = max(found, (total, ends))
    return found[1]


@pytest.mark.parametrize("seed", range(6))
def test_the_match_is_the_best_of_all(seed):
    random = np.random.default_rng(seed)
    n, m = random.integers(1, 5, 2)
    source, target = random.normal(1, 1, (n, 8)), random.normal(1, 1, (m, 8))
    assert match_passages(source, target) == brute_force(source, target)


def test_sentences_that_translate_each_other_are_matched():
    own = np.random.default_rng(1).normal(2, 1, (7, 16))
    # The third and fourth are one sentence on the other side.
    other = np.array([*own[:2], own[2] + own[3], *own[4:]])
    assert match_passages(own, other) == [(1, 1), (2, 2), (4, 3), (5, 4), (6, 5), (7, 6)]
    # Too different in number.
    assert match_passages(own, own[:1]) == [(7, 1)]


def test_words_are_linked_within_matched_sentences(monkeypatch):
    monkeypatch.setattr(sentences, "WHOLE", 0)
    tokens = Segmentation.from_words([["a"], [*FOUR, ".", *FOUR, "."], [], FOUR])
    token = np.concatenate([np.arange(n) for n in tokens.lengths]).astype(np.int32)
    # Each sentence has a component of its own, and all words of the line's two sentences are alike.
    vectors = np.full((len(token), 6), 0.1, dtype=np.float32)
    vectors[1:6, 0] = vectors[6:11, 1] = 1
    vectors[range(1, 6), [2, 3, 4, 5, 2]] += [0.5, 0.6, 0.7, 0.8, 2.0]
    vectors[range(6, 11), [2, 3, 4, 5, 2]] += [0.5, 0.6, 0.7, 0.8, 2.0]
    side = Encoded(tokens, tokens.offsets, token, {0: vectors})
    links, probable = link([(side, side)], 0)
    assert links.lines()[1:] == [
        " ".join(f"{k}-{k}" for k in range(10)),
        "",
        links.lines()[3],
    ]
    assert len(probable) == 4
    of_line = probable.links.sentence(1)
    assert {(i < 5) == (j < 5) for i, j in of_line} == {True}


def test_long_lines_without_sentences_are_told():
    tokens = Segmentation.from_words([FOUR * 26, FOUR])
    token = np.concatenate([np.arange(n) for n in tokens.lengths]).astype(np.int32)
    vectors = np.random.default_rng(1).normal(size=(len(token), 4)).astype(np.float32)
    side = Encoded(tokens, tokens.offsets, token, {0: vectors})
    with pytest.warns(Note, match="1 lines .* more than 100 pieces"):
        link([(side, side)], 0)
