"""Sampling under a vocabulary, compared with the enumeration of all segmentations.

It was compared once with tktkt 2026.10, for six English words under the types of 300 merges, with 40,000
draws each. GRaMPa: the supports are equal (`something`: 58 segmentations), tktkt's probabilities of ours sum
to 1, and the chi-squared statistics of our draws under them are 0.6 to 1.6 times the degrees of freedom; with
2 symbols at least, 0.1 to 0.75 times. StochasTok on `▁their ▁child r en`: both draw the same 44 texts;
chi-squared of the two samples is 44.9 with 43 degrees.
"""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seggrid.base.errors import InputError
from seggrid.segment import unigram_kernels as kernels
from seggrid.segment.redraw import redraw, uniform_lattices
from seggrid.segment.side_segmenter import learn_model, segment_text
from seggrid.segment.trie import symbols_in
from seggrid.segment.units import WordTypes, sentence_units
from seggrid.segment.variants import parse_sampling
from sides import side_of

TEXT = [["abab", "cab", "abcab"], ["bab", "abab"], ["cabab"]] * 3

words = st.text("abc", min_size=1, max_size=7)
types = st.frozensets(
    st.builds(str.__add__, st.sampled_from(["", "▁"]), st.text("abc", min_size=2, max_size=4))
)


def cuts(symbols, known, least=1):
    """All segmentations: where a type of `least` symbols begins no shorter one does, else the longest."""
    if not symbols:
        return [()]
    fits = [n for n in range(1, len(symbols) + 1) if n == 1 or "".join(symbols[:n]) in known]
    allowed = [n for n in fits if n >= least] or [max(fits)]
    return [
        ("".join(symbols[:n]), *rest) for n in allowed for rest in cuts(symbols[n:], known, least)
    ]


@given(words, types, st.integers(1, 4))
def test_all_segmentations_are_counted(word, known, least):
    arcs, *_ = uniform_lattices([word], known, least, True)
    forward = np.empty(len(word) + 1)
    kernels.sum_forward(arcs, 0, len(word), np.zeros(arcs.max() + 1), forward)
    expected = cuts(symbols_in("▁" + word, "start"), known, least)
    assert np.exp(forward[-1]) == pytest.approx(len(expected))


def test_rounding_leads_to_no_symbol_that_no_segmentation_reaches():
    # With the largest number, the shares of the three pieces that end the word leave something over.
    known = (
        "bcd bcdef cde cdef cdefg defgh ef efgh efghi fg fgh fghij ghi hij hijk hijkl ij ijk ijkl"
    )
    arcs, offsets, texts = uniform_lattices(["abcdefghijkl"], known.split(), 3, True)
    drawn = np.full(12, np.nextafter(1, 0))
    pieces, _ = kernels.sample_segmentations(
        arcs, offsets, np.zeros(len(texts)), np.array([0]), drawn
    )
    assert "".join(texts[piece] for piece in pieces) == "▁abcdefghijkl"


def learned(name, **axes):
    return learn_model(TEXT, side_of(name, merges=8, **axes))


def drawn(name, sampling, seeds, text=TEXT, model=None, **axes):
    side = side_of(name, merges=8, sampling=sampling, **axes)
    return segment_text(text, side, model or learned(name), seeds)


def whole(text):
    """A segmentation in which each word is a token."""
    corpus = WordTypes.from_sentences(text)
    return [corpus.segmentation_of_words([["▁" + word] for word in corpus.words])]


def near(counts, probabilities):
    """Counts agree with probabilities: chi-squared is at most 5 deviations above its mean."""
    total = sum(counts.values())
    assert counts.keys() <= probabilities.keys()
    chi = sum((counts[k] - total * p) ** 2 / (total * p) for k, p in probabilities.items())
    free = len(probabilities) - 1
    assert chi <= free + 5 * (2 * free) ** 0.5


@pytest.mark.parametrize("name", ["bpe", "unigram", "mingram", "greedtok", "parity"])
@pytest.mark.parametrize("least", [1, 2])
def test_grampa_is_uniform(name, least):
    text = TEXT * 2 if name == "parity" else TEXT
    model = learn_model(text, side_of(name, merges=8))
    known = model.types(side_of(name, merges=8))
    sampling = "grampa-1" + (f"-least-{least}" if least > 1 else "")
    (found,) = drawn(name, sampling, [3], [["abcab"]] * 4000, model)
    possible = cuts(symbols_in("▁abcab", "start"), known, least)
    counts = Counter(tuple(found.sentence(k)) for k in range(len(found)))
    near(counts, dict.fromkeys(possible, 1 / len(possible)))


def test_grampa_draws_a_share_of_the_words():
    text = [["abab"]] * 4000
    # The plain segmentation has a token that cannot be drawn.
    (found,) = redraw(text, whole(text), ["▁ab"], parse_sampling("grampa-0.25"), [5], spaces=True)
    kept = sum(found.sentence(k) == ["▁abab"] for k in range(len(found)))
    assert abs(kept - 3000) < 5 * (4000 * 3 / 16) ** 0.5


def split_chances(tokens, known, steps):
    """The probability of each result of `steps` draws of a token to split."""
    chances = Counter({tuple(tokens): Fraction(1)})
    for _ in range(steps):
        after = Counter()
        for state, chance in chances.items():
            for k, token in enumerate(state):
                symbols = symbols_in(token, "start")
                halves = [
                    ("".join(symbols[:n]), "".join(symbols[n:])) for n in range(1, len(symbols))
                ]
                pairs = [
                    pair
                    for pair in halves
                    if all(len(symbols_in(t, "start")) == 1 or t in known for t in pair)
                ]
                share = chance / len(state) / max(1, len(pairs))
                for pair in pairs or [(token,)]:
                    after[(*state[:k], *pair, *state[k + 1 :])] += share
        chances = after
    return chances


@pytest.mark.parametrize("rate", ["0.5", "1"])
def test_stochastok_splits_tokens_drawn_at_random(rate):
    known = ["▁ab", "ab", "cab", "▁abc", "bab"]
    text, sampling = [["abcab", "cabab"], ["bab"]], parse_sampling(f"stochastok-{rate}")
    plain = whole(text)
    found = redraw(text, plain, known, sampling, [*range(4000)], spaces=True)
    counts = Counter((*one.sentence(0), *one.sentence(1)) for one in found)
    near(counts, split_chances(plain[0].types, known, int(3 * float(rate))))


def test_the_number_of_splits_is_exact():
    # 0.29 · 100 is less than 29 as a float. Nearly all tokens can be split.
    known = [mark + "a" * n for mark in ("", "▁") for n in range(2, 40)]
    text, sampling = [["a" * 40]] * 100, parse_sampling("stochastok-0.29")
    found = redraw(text, whole(text), known, sampling, [*range(9)], spaces=True)
    assert max(len(one.ids) for one in found) == 129


@pytest.mark.parametrize("sampling", ["grampa-0.5", "stochastok-0.5"])
def test_tokens_across_spaces_and_samples_of_dropout(sampling):
    side = {"spaces": False, "sampling": sampling}
    (found,) = drawn("bpe", model=learned("bpe", spaces=False), seeds=[4], **side)
    units = sentence_units(TEXT)
    assert ["".join(found.sentence(k)) for k in range(len(found))] == units
    assert (found.last > found.first).any()
    both = drawn("bpe", sampling, [1, 2], dropout=0.5)
    assert both[0].digest() != both[1].digest()
    assert both[1].digest() == drawn("bpe", sampling, [2], dropout=0.5)[0].digest()


@pytest.mark.parametrize(
    ("name", "sampling"),
    [("bpe", "alpha-0.5"), ("mingram", "alpha-0.5"), ("sentencepiece_unigram", "grampa-1")],
)
def test_what_a_segmenter_cannot_do_is_refused(name, sampling):
    with pytest.raises(InputError, match=f"{name} cannot be sampled by"):
        drawn(name, sampling, [1])
