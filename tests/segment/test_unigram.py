"""The unigram language model, compared with the enumeration of all segmentations and with Hugging Face."""

from collections import Counter
from math import exp, fsum, inf, log

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from tokenizers import models
from unigram_twin import (
    all_losses,
    em,
    lattices,
    normalized,
    probability,
    seeds_of,
    segmentations,
    slow_steps,
    symbols_of,
    units_of,
)

import builtin_pair
from seggrid.segment import unigram_kernels as kernels
from seggrid.segment.token_offsets import map_to_words
from seggrid.segment.trie import trie_of
from seggrid.segment.unigram import Unigram, most_probable, seed_vocabulary
from seggrid.segment.units import WordTypes
from seggrid.text.ragged import offsets_of
from sides import side_of

words = st.text("abc", min_size=1, max_size=7)
corpora = st.lists(st.lists(words, min_size=1, max_size=6), min_size=1, max_size=5)
strings = st.builds(
    lambda mark, text: mark + text,
    st.sampled_from(["", "▁"]),
    st.text("abc", min_size=1, max_size=4),
)
SINGLES = [mark + letter for mark in ("", "▁") for letter in "abc"]


def learn(sentences, size, spaces=True):
    return Unigram.learn(sentences, size, side_of("unigram", spaces=spaces))


def apply(model, sentences):
    return model.segment(sentences, side_of("unigram"), [0], 1)[0]


def sample(model, sentences, alpha, seeds, best=None):
    sampling = f"alpha-{alpha}" + (f"-best-{best}" if best else "")
    return model.segment(sentences, side_of("unigram", sampling=sampling), seeds, 1)


@st.composite
def unigram_models(draw):
    """All single symbols and some strings, with any probabilities."""
    pieces = sorted({*SINGLES, *draw(st.sets(strings, max_size=12))})
    masses = draw(st.lists(st.integers(1, 50), min_size=len(pieces), max_size=len(pieces)))
    return Unigram.of_pieces(
        {piece: log(mass / sum(masses)) for piece, mass in zip(pieces, masses, strict=True)}
    )


@given(sentences=corpora, longest=st.integers(1, 8))
def test_seeds_are_the_strings_that_occur_twice(sentences, longest):
    types = WordTypes.from_sentences(sentences)
    arcs, offsets, texts, frequencies, n_symbols = seed_vocabulary(types, longest)
    counts = Counter(word for words in sentences for word in words)
    assert dict(zip(texts, frequencies, strict=True)) == seeds_of(counts, longest)
    assert all(len(text.removeprefix("▁")) == 1 for text in texts[:n_symbols])
    for word, first in zip(types.words, offsets.tolist(), strict=False):
        symbols = symbols_of(word)
        for i in range(len(symbols)):
            for n in range(1, longest + 1):
                text = "".join(symbols[i : i + n]) if i + n <= len(symbols) else None
                piece = arcs[first + i, n - 1]
                assert (texts[piece] == text) if piece >= 0 else (text not in texts)


@given(sentences=corpora, masses=st.randoms(use_true_random=False))
def test_expectations_and_losses_are_those_of_all_segmentations(sentences, masses):
    counts = Counter(word for words in sentences for word in words)
    arcs, offsets, weights, texts = lattices(counts)
    p = normalized({text: masses.random() + 1e-3 for text in texts})
    log_p = np.log([p[text] for text in texts])
    expected = kernels.expect_pieces(arcs, offsets, weights, log_p)
    assert expected / expected.sum() == pytest.approx(
        np.array([em(counts, p)[text] for text in texts]), rel=1e-9, abs=1e-12
    )
    loss = dict(zip(texts, kernels.losses(arcs, offsets, weights, log_p, 0), strict=True))
    for piece, value in all_losses(counts, p).items():
        assert loss[piece] == pytest.approx(value, rel=1e-6, abs=1e-9)


@given(letters=st.text("ab", min_size=70, max_size=110), masses=st.randoms(use_true_random=False))
@settings(max_examples=30)
def test_losses_in_a_long_unit_are_those_of_sums_to_its_end(letters, masses):
    """Summed again as far as the last occurrence alone, and then joined with the sums from there on."""
    types = WordTypes.from_sentences([[letters[:40], letters[40:]]] * 2, spaces=False)
    arcs, offsets, texts, _, n_symbols = seed_vocabulary(types, 6)
    weights = types.counts.astype(float)
    log_p = np.log([masses.random() + 1e-3 for _ in texts])

    def likelihood(arcs):
        sums = np.empty(len(arcs) + 1)
        kernels.sum_forward(arcs, 0, len(arcs), log_p, sums)
        return weights[0] * sums[-1]

    loss = kernels.losses(arcs, offsets, weights, log_p, n_symbols)
    assert not loss[:n_symbols].any()
    for piece in range(n_symbols, len(texts)):
        without = np.where(arcs == piece, -1, arcs)
        fall = likelihood(arcs) - likelihood(without)
        assert loss[piece] == pytest.approx(fall, rel=1e-6, abs=1e-9)


def test_a_loss_is_exact_where_nothing_else_is_likely():
    # Two segmentations: `▁ab`, and `▁a b`, whose probability is too small to show in 1 - P(▁ab).
    arcs = np.array([[0, 2], [1, -1]], dtype=np.int32)
    log_p = np.array([-30.0, -30.0, 0.0])
    loss = kernels.losses(arcs, np.array([0, 2]), np.array([3.0]), log_p, 0)
    assert loss[2] == pytest.approx(3 * 60.0)


short = st.lists(
    st.lists(st.text("ab", min_size=1, max_size=3), min_size=1, max_size=3), max_size=4
)


@pytest.mark.tier("check")
@given(
    given_text=st.one_of(st.tuples(corpora, st.just(True)), st.tuples(short, st.just(False))),
    size=st.integers(0, 6),
)
def test_what_is_learned_is_what_the_definition_gives(given_text, size):
    sentences, spaces = given_text
    assume(sentences)
    counts = units_of(sentences, spaces)
    steps = list(slow_steps(counts, size, spaces=spaces))
    for _, loss, edge in steps:
        # Exact ties may be ordered either way by rounding.
        assume(loss is None or len(edge) < 2 or loss[edge[0]] - loss[edge[1]] > 1e-9)
    found, p = learn(sentences, size, spaces=spaces), steps[-1][0]
    assert set(found.numbers) == set(p)
    for piece, value in found.numbers.items():
        assert exp(value) == pytest.approx(p[piece], rel=1e-6, abs=1e-12)


@given(model=unigram_models(), word=words)
@example(Unigram({"▁a": log(0.25), "b": log(0.25), "▁ab": log(0.0625)}), "ab")
@settings(max_examples=3 * settings().max_examples)
def test_tokens_are_the_most_probable(model, word):
    p = {piece: exp(value) for piece, value in model.numbers.items()}
    (line,) = apply(model, [[word]]).lines()
    tokens = line.split(" ")
    best = max(probability(way, p) for way in segmentations(word))
    assert probability(tokens, p) == pytest.approx(best, rel=1e-9)


def test_of_the_same_probability_it_is_the_one_with_the_longer_last_token():
    pieces = dict.fromkeys(["▁a", "b", "c", "▁ab", "bc"], -2.0)
    assert apply(Unigram.of_pieces(pieces), [["abc"]]).lines() == ["▁a bc"]


def test_long_text_is_segmented_as_hugging_face_does():
    sentences = builtin_pair.words_of("eng")[:400]
    model = learn(sentences, 200)
    theirs = models.Unigram(
        [("<unk>", -100.0), *model.numbers.items()], unk_id=0, byte_fallback=False
    )
    found = apply(model, sentences)
    for s, sentence in enumerate(sentences):
        expected = [token.value for word in sentence for token in theirs.tokenize("▁" + word)]
        assert found.sentence(s) == expected


@given(sentences=corpora, size=st.integers(0, 10), sampled=st.booleans())
def test_across_words_tokens_spell_the_sentences_and_know_their_words(sentences, size, sampled):
    model = learn(sentences, size, spaces=False)
    assert not model.spaces
    letters = {c for words in sentences for c in "▁".join(words)}
    assert {piece for piece in model.numbers if len(piece) == 1} == letters
    if sampled:
        samples = sample(model, sentences, "1/3", [5, 6])
        samples += sample(model, sentences, "1/3", [7], best=4)
    else:
        samples = [apply(model, sentences)]
    for found in samples:
        for s, words in enumerate(sentences):
            tokens = found.sentence(s)
            assert "".join(tokens) == "▁".join(words)
        of_characters = map_to_words(found, sentences)
        np.testing.assert_array_equal(found.first, of_characters.first)
        np.testing.assert_array_equal(found.last, of_characters.last)


@pytest.mark.parametrize("alpha", [2, 1, 0.25])
def test_samples_are_drawn_in_proportion(alpha):
    masses = {"▁a": 4, "b": 3, "c": 3, "▁ab": 2, "bc": 2, "▁abc": 1}
    p = normalized(masses)
    model = Unigram.of_pieces({piece: log(value) for piece, value in p.items()})
    n = 20_000
    (found,) = sample(model, [["abc"] * n], alpha, [7])
    words_of = [[] for _ in range(n)]
    for token, word in zip(found.ids.tolist(), found.first.tolist(), strict=True):
        words_of[word].append(found.types[token])
    drawn = Counter(map(tuple, words_of))
    shares = {
        tuple(way): probability(way, p) ** alpha
        for way in segmentations("abc")
        if probability(way, p)
    }
    total = sum(shares.values())
    assert set(drawn) <= set(shares)
    for way, share in shares.items():
        # Four standard deviations.
        spread = (share / total * (1 - share / total) / n) ** 0.5
        assert abs(drawn[way] / n - share / total) < 4 * spread


def test_no_text_gives_no_pieces():
    assert learn([], 5).numbers == {}
    assert len(apply(learn([], 5), [])) == 0


def test_probabilities_do_not_vanish():
    # A word so long that the product of its probabilities underflows to 0.
    model = learn([["ab" * 1000]], 0)
    assert fsum(map(exp, model.numbers.values())) == pytest.approx(1)
    assert len(apply(model, [["ab" * 1000]]).ids) == 2000


@given(unigram_models(), words, st.integers(1, 6))
def test_the_best_segmentations_are_the_most_probable_ones(model, word, best):
    arcs, offsets, texts, log_p = model.lattices([word])
    (ways,) = most_probable(arcs, offsets, log_p, best)
    found = [[texts[p] for p in pieces] for _, pieces in ways]
    p = {piece: exp(value) for piece, value in model.numbers.items()}
    possible = [tokens for tokens in segmentations(word) if probability(tokens, p)]
    ranked = sorted((probability(tokens, p) for tokens in possible), reverse=True)[:best]
    assert len(found) == len(ranked) == len({tuple(tokens) for tokens in found})
    assert [probability(tokens, p) for tokens in found] == pytest.approx(ranked)
    assert [exp(value) for value, _ in ways] == pytest.approx(ranked)


def test_samples_of_the_best_are_drawn_in_proportion():
    p = {"▁a": 0.2, "b": 0.2, "▁ab": 0.3, "c": 0.1, "bc": 0.05, "▁abc": 0.15}
    model = Unigram.of_pieces({piece: log(value) for piece, value in p.items()})
    # ▁abc 0.15, ▁ab c 0.03, ▁a bc 0.01, ▁a b c 0.004: draw from the two best, at α = 1/2.
    (drawn,) = sample(model, [["abc"]] * 20_000, 0.5, [3], best=2)
    counts = Counter(drawn.lines())
    share = 0.15**0.5 / (0.15**0.5 + 0.03**0.5)
    assert counts["▁abc"] / 20_000 == pytest.approx(share, abs=0.012)
    assert set(counts) == {"▁abc", "▁ab c"}


def test_single_characters_are_no_types_beside_single_characters():
    model = Unigram({"▁a": -1.0, "b": -1.0, "▁ab": -2.0})
    assert model.types(None) == {"▁ab"}
    assert model.learned == 1


@given(unigram_models(), st.lists(words, min_size=1, max_size=4), st.sampled_from([0.01, 0.7, 3.0]))
def test_words_with_segmentations_that_are_nearly_as_probable(model, text, margin):
    arcs, offsets, _, log_p = model.lattices(text)
    two = most_probable(arcs, offsets, log_p, 2)
    lower = [ways[0][0] - ways[1][0] if len(ways) > 1 else inf for ways in two]
    assume(all(abs(one - margin) > 1e-9 for one in lower))
    found = kernels.has_rivals(arcs, offsets, log_p, margin)
    assert found.tolist() == [one < margin for one in lower]


@given(st.sets(words), st.lists(words, min_size=1, max_size=4))
def test_lattices_have_each_piece_where_it_occurs(pieces, text):
    letters = sorted(set("".join(text)))
    trie, longer = trie_of(sorted(pieces), letters, None)
    symbols = np.array([letters.index(letter) for word in text for letter in word])
    offsets = offsets_of(list(map(len, text)))
    arcs = kernels.lattices(symbols, offsets, trie.table, trie.longest)
    known = [*letters, *longer]
    found = {
        (k, known[piece]) for k, row in enumerate(arcs.tolist()) for piece in row if piece >= 0
    }
    assert found == {
        (first + begin, word[begin:end])
        for word, first in zip(text, offsets.tolist(), strict=False)
        for begin in range(len(word))
        for end in range(begin + 1, len(word) + 1)
        if end == begin + 1 or word[begin:end] in pieces
    }
