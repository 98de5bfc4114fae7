"""Intrinsic measures, compared with other packages, brute force and examples by hand."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenization_scorer.metrics import get_metric

from seggrid.data.segmentation import Segmentation
from seggrid.segment.bpe.apply import apply
from seggrid.segment.bpe.learn import learn
from seggrid.segment.measures import (
    CONTINUED,
    TOKENS,
    measure,
    percentile_frequency,
    renyi_efficiency,
    sentence_counts,
    type_counts,
)

SENTENCES = [["this", "is", "this"], ["thistle", "is", "äöü"], ["is"]]
corpora = st.lists(
    st.lists(st.text("abä", min_size=1, max_size=6), min_size=1, max_size=6), min_size=1, max_size=6
)


def test_an_example_by_hand():
    # thi s | i s | thi s; thi s t l e | i s | ä ö ü; i s
    model = learn(SENTENCES, 2)
    found = measure(apply(model, SENTENCES), SENTENCES, size=20)
    tokens = [word for line in apply(model, SENTENCES).lines() for word in line.split()]
    assert found["tokens"] == len(tokens)
    assert found["fertility"] == len(tokens) / 7
    assert found["characters_per_token"] == 24 / len(tokens)
    assert found["bytes_per_token"] == 27 / len(tokens)
    assert found["vocabulary_use"] == len(set(tokens)) / 20


@given(corpora, st.integers(0, 8), st.booleans())
def test_continued_words_against_brute_force(sentences, merges, spaces):
    segmentation = apply(learn(sentences, merges, spaces=spaces), sentences)
    counts = sentence_counts(segmentation, sentences)
    for s, words in enumerate(sentences):
        rows = range(segmentation.offsets[s], segmentation.offsets[s + 1])
        spans = [(segmentation.first[t], segmentation.last[t]) for t in rows]
        over = [sum(a <= word <= b for a, b in spans) for word in range(len(words))]
        assert min(over) >= 1
        assert counts[s, CONTINUED] == sum(n > 1 for n in over)
        assert counts[s, TOKENS] == len(spans)


@given(corpora, st.integers(0, 8))
def test_distributions_against_tokenization_scorer(sentences, merges):
    segmentation = apply(learn(sentences, merges), sentences)
    tokens = [segmentation.sentence(s) for s in range(len(segmentation))]
    counts = type_counts(segmentation.ids)
    theirs = get_metric("percentile_freq")(tokens, perc_start=0.03, perc_end=0.83)
    assert percentile_frequency(counts) == pytest.approx(theirs, abs=1e-9)
    if len(counts) > 1:
        for power in (2.5, 1.0, 0.5):
            theirs = get_metric("renyi")(tokens, power=power)
            assert renyi_efficiency(counts, order=power) == pytest.approx(theirs, abs=1e-9)
        theirs = get_metric("renyi")(tokens, power=2.5, vocab=1000)
        assert renyi_efficiency(counts, 1000) == pytest.approx(theirs, abs=1e-9)


def test_what_cannot_be_measured_is_not_a_number():
    nothing = Segmentation.from_words([])
    assert all(math.isnan(v) for k, v in measure(nothing, []).items() if k != "tokens")
    assert math.isnan(renyi_efficiency(np.array([5])))
    assert math.isnan(measure(Segmentation.from_words([["a"]]), [["a"]])["vocabulary_use"])
