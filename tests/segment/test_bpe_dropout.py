"""BPE-dropout, compared with its definition and with the rates that it is asked for."""

from itertools import pairwise

import bpe_twin as twin
import numpy as np
import pytest
from bpe_strategies import corpora, lines_of, merge_lists
from hypothesis import given
from hypothesis import strategies as st

import builtin_pair
from seggrid.segment.bpe.apply import (
    apply,
    apply_dropout,
)
from seggrid.segment.bpe.learn import learn
from seggrid.segment.bpe.model import BPEModel


@pytest.fixture(scope="module")
def english():
    return builtin_pair.words_of("eng")[:2000]


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


@pytest.mark.parametrize("spaces", [True, False])
@pytest.mark.parametrize(
    ("kind", "application"), [("occurrence", "rank"), ("merge", "rank"), ("merge", "replace")]
)
class TestDropout:
    @pytest.fixture
    def model(self, english, spaces):
        return learn(english[:300], 300, spaces=spaces)

    def test_rate_0_is_no_dropout(self, english, model, kind, application):
        plain = apply(model, english[:300], application=application)
        for sample in apply_dropout(
            model, english[:300], rate=0, seeds=[1, 2], kind=kind, application=application
        ):
            assert_same(sample, plain)

    def test_rate_1_leaves_characters(self, english, model, kind, application):
        (sample,) = apply_dropout(
            model, english[:300], rate=1, seeds=[1], kind=kind, application=application
        )
        assert_same(sample, apply(model, english[:300], merges=0))

    def test_a_sample_depends_on_its_seed_alone(self, english, model, kind, application):
        def samples(seeds, threads):
            return apply_dropout(
                model, english[:300], rate=0.2, seeds=seeds, kind=kind,
                application=application, threads=threads,
            )  # fmt: skip

        together = samples([5, -7, 2**63 + 1], 1)
        for sample, again in zip(together, samples([5, -7, 2**63 + 1], 3), strict=True):
            assert_same(sample, again)
        assert_same(samples([-7], 1)[0], together[1])
        assert lines_of(together[0]) != lines_of(together[1])


def assert_same(sample, other):
    assert sample.types == other.types
    for field in ("ids", "offsets", "first", "last"):
        mine, theirs = getattr(sample, field), getattr(other, field)
        assert mine.dtype == theirs.dtype
        np.testing.assert_array_equal(mine, theirs)


@pytest.mark.parametrize("rate", [0.1, 0.5, 0.9])
def test_kept_share_of_occurrences(rate):
    # One possible merge per word: a word becomes one token with probability 1 - rate.
    n = 20_000
    (sample,) = apply_dropout(
        BPEModel([("▁a", "b")]), [["ab"] * 100] * (n // 100), rate=rate, seeds=[3]
    )
    kept = (2 * n - len(sample.ids)) / n
    assert kept == pytest.approx(1 - rate, abs=5 * (rate * (1 - rate) / n) ** 0.5)


@pytest.mark.parametrize("rate", [0.1, 0.5, 0.9])
def test_kept_share_of_merges(rate):
    # A dropped merge is dropped everywhere; over many merges the share of dropped ones is the rate.
    n = 5_000
    letters = [chr(0x4E00 + i) for i in range(n)]
    model = BPEModel([("▁" + c, c) for c in letters])
    sentences = [[c + c for c in letters]] * 2
    (sample,) = apply_dropout(model, sentences, rate=rate, seeds=[3], kind="merge")
    kept = (2 * n - sample.lengths[0]) / n
    assert kept == pytest.approx(1 - rate, abs=5 * (rate * (1 - rate) / n) ** 0.5)
    assert sample.sentence(0) == sample.sentence(1)


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
