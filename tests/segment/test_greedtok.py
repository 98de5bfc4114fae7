"""GreedTok, compared with a slow twin, and with what the authors' code learns from the built-in texts."""

from collections import Counter

import bpe_twin as twin
import pytest
from bpe_strategies import corpora, lines_of
from hypothesis import example, given
from hypothesis import strategies as st

import builtin_pair
import sides
from seggrid.segment import greedtok
from seggrid.segment.greedtok import GreedTok


def learn(sentences, size):
    return GreedTok.learn(sentences, size, sides.side_of("greedtok"))


def apply(model, sentences, size=10**6):
    return model.segment(sentences, sides.side_of("greedtok", merges=size), [0], 1)[0]


def occurrences(text, part):
    return [i for i in range(len(text) + 1 - len(part)) if text[i : i + len(part)] == part]


def lay(symbols, begins, part):
    """Lay a candidate over a word; the tokens that begin, and how many it saves."""
    begins, saved, free = list(begins), 0, 0
    for i in occurrences(symbols, part):
        end = i + len(part)
        if i >= free and begins[i] and (end == len(symbols) or begins[end]):
            saved += sum(begins[i + 1 : end])
            begins[i + 1 : end] = [False] * (len(part) - 1)
            free = end
    return begins, saved


def slowly_learned(sentences, size):
    """The gains of types, with every candidate tried in every step; and the tokens of each word."""
    counts = Counter(word for words in sentences for word in words)
    symbols = {word: tuple(twin.initial_symbols(word, "start")) for word in counts}
    begins = {word: [True] * len(s) for word, s in symbols.items()}
    parts = {s[i:j] for s in symbols.values() for j in range(len(s) + 1) for i in range(j - 1)}
    gains = {}
    while len(gains) < size:
        found = {
            part: sum(n * lay(symbols[word], begins[word], part)[1] for word, n in counts.items())
            for part in parts
        }
        best = max(found, key=lambda part: (found[part], -len(part), part), default=None)
        if best is None or not found[best]:
            break
        gains["".join(best)] = found[best]
        begins = {word: lay(symbols[word], begins[word], best)[0] for word in counts}
    return gains, {word: tokens_at(symbols[word], begins[word]) for word in counts}


def tokens_at(symbols, begins):
    tokens = []
    for symbol, begin in zip(symbols, begins, strict=True):
        if begin:
            tokens.append("")
        tokens[-1] += symbol
    return tokens


@given(sentences=corpora, size=st.integers(0, 12))
@example([["aaaa", "aaa"]], 3)
@example([["abab"] * 2, ["babab"]], 4)
def test_learns_and_ends_as_defined(sentences, size):
    gains, tokens = slowly_learned(sentences, size)
    model = learn(sentences, size)
    assert list(model.numbers.items()) == list(gains.items())
    expected = [[token for word in words for token in tokens[word]] for words in sentences]
    assert lines_of(apply(model, sentences)) == expected


def test_a_candidate_may_swallow_tokens_but_not_cut_them():
    model = GreedTok({"bc": 9, "ab": 5, "abc": 3})
    assert apply(model, [["xabcab", "xab"]]).lines() == ["▁x abc ab ▁x ab"]


TOKENS = {"eng": 34477, "deu": 41473}


@pytest.mark.parametrize("language", TOKENS)
def test_learns_what_the_authors_code_learns(language):
    sentences = builtin_pair.words_of(language)
    model = learn(sentences, 500)
    assert len(apply(model, sentences).ids) == TOKENS[language]
    symbols = sum(len(word) for words in sentences for word in words)
    assert symbols - sum(model.numbers.values()) == TOKENS[language]
    # The authors' encoder takes equal adjacent tokens for one, and cuts these words into more tokens.
    if language == "deu":
        words = [["gesessen", "sauberer", "unserer"]]
        assert apply(model, words).lines() == ["▁ges es sen ▁sauber er ▁unser er"]


def test_a_type_has_at_most_so_many_symbols(monkeypatch):
    monkeypatch.setattr(greedtok, "LONGEST", 3)
    assert list(learn([["abcde"] * 3], 4).numbers.values()) == [6, 3]
