"""BPE-dropout, compared with its definition and with the rates that it is asked for."""

from itertools import pairwise

import bpe_twin as twin
import numpy as np
import pytest
from bpe_strategies import corpora, lines_of, merge_lists
from hypothesis import given
from hypothesis import strategies as st

import builtin_pair
from random_twin import random_bits
from seggrid.segment.bpe.apply import apply, apply_dropout
from seggrid.segment.bpe.model import BPEModel, learn


@given(
    merges=merge_lists(),
    sentences=corpora,
    rate=st.floats(0, 1),
    seed=st.integers(0, 2**64 - 1),
    spaces=st.booleans(),
)
def test_dropout_drops_what_the_definition_drops(merges, sentences, rate, seed, spaces):
    model = BPEModel(merges, spaces)
    expected = [
        [
            token
            for w, unit in enumerate(units)
            if unit
            for token in twin.segment(unit, merges, rate, twin.key_of(seed, s, w))[0]
        ]
        for s, units in enumerate(twin.units_of(sentences, spaces))
    ]
    (sample,) = apply_dropout(model, sentences, rate=rate, seeds=[seed])
    assert lines_of(sample) == expected


@given(
    merges=merge_lists(),
    sentences=corpora,
    rate=st.floats(0, 1),
    seed=st.integers(0, 2**64 - 1),
    application=st.sampled_from(["rank", "replace", "left"]),
)
def test_dropout_of_merges_is_the_model_without_them(merges, sentences, rate, seed, application):
    model = BPEModel(merges, spaces=False)
    drawn = [twin.uniform(random_bits(seed, 0), 0, k, 0) for k in range(len(merges))]
    kept = [merge for merge, number in zip(merges, drawn, strict=True) if number >= rate]
    options = {"rate": rate, "kind": "merge", "application": application}
    (sample,) = apply_dropout(model, sentences, seeds=[seed], **options)
    plain = apply(BPEModel(kept, spaces=False), sentences, application=application)
    assert lines_of(sample) == lines_of(plain)


@pytest.mark.parametrize("kind", ["occurrence", "merge"])
def test_a_sample_depends_on_its_seed_alone(kind):
    sentences = builtin_pair.words_of("eng")[:300]
    model, seeds = learn(sentences, 300), [5, -7, 2**63 + 1]

    def digests(seeds, threads):
        options = {"rate": 0.2, "kind": kind, "threads": threads}
        return [one.digest() for one in apply_dropout(model, sentences, seeds=seeds, **options)]

    together = digests(seeds, 1)
    assert len({*together}) == 3
    assert together == digests(seeds, 3)
    assert together[1:2] == digests([-7], 1)


def test_draws_of_neighbors_are_independent():
    # Drops are independent between words, sentences and samples.
    samples = apply_dropout(BPEModel([("▁a", "b")]), [["ab"] * 50] * 100, rate=0.5, seeds=range(4))
    kept = np.array([[len(word) == 1 for word in words_in(sample)] for sample in samples])
    for one, other in [
        (kept[:, :-1], kept[:, 1:]),
        (kept[:, :-50], kept[:, 50:]),
        (kept[:-1], kept[1:]),
    ]:
        correlation = np.corrcoef(one.ravel(), other.ravel())[0, 1]
        assert abs(correlation) < 5 / one.size**0.5


def words_in(sample):
    """The tokens of each word of a sample."""
    tokens = [sample.types[i] for i in sample.ids]
    begins = [i for i, token in enumerate(tokens) if token.startswith("▁")]
    return [tokens[i:j] for i, j in pairwise([*begins, len(tokens)])]
