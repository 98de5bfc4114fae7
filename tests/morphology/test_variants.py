from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seggrid.base.errors import InputError
from seggrid.morphology.names import canonical_evaluation
from seggrid.segment.variants import Knockout, canonical_knockout, parse_knockout


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("blame-0.50", "blame-0.5"),
        ("blame-1.0", "blame-1"),
        ("random-0.10-seed007", "random-0.1-seed7"),
        ("iterate-0.250x3-tokens", "iterate-0.25x3-tokens"),
        ("latest-0.000100", "latest-0.0001"),
    ],
)
def test_one_name_a_variant(text, name):
    assert canonical_knockout(text) == name == canonical_knockout(name)
    assert parse_knockout(text) == parse_knockout(name)


@pytest.mark.parametrize(
    "text",
    [
        "", "Full", "full\n", "holdout", "holdout-0.0", "holdout-1", "holdout-.5", "holdout-nan",
        "holdout-1/0", "holdout-٠.٥", "$(touch x)full", "--output", None, 0.5, ["full"],
    ],
)  # fmt: skip
def test_any_other_evaluation_is_refused(text):
    with pytest.raises(InputError):
        canonical_evaluation(text)


@pytest.mark.parametrize(
    "text",
    [
        "", "blame", "blame-0.0", "blame-1.1", "blame-.5", "blame-0.5\n", "blame-5e-1", "blame-٠.٥",
        "blame-0.5-seed1", "blame-0.5x3", "iterate-0.5", "iterate-0.5x0", "latest-0.1-tokens", "trim-0",
        "trim-1.5", "none-1", "random-0.1-seed-1", "random-blame", "random-blame-0.5-tokens", "Blame-0.5",
        "blame-nan", "blame-1e-9999999", "blame-1/0", "blame-0.1234567", "$(touch x)none", "--output",
        None, 0.5, ["none"],
    ],
)  # fmt: skip
def test_anything_else_is_refused(text):
    with pytest.raises(InputError):
        parse_knockout(text)


shares = st.integers(1, 10**6).map(lambda n: Fraction(n, 10**6))
seeds = st.none() | st.integers(0, 10**9 - 1)
variants = st.one_of(
    st.just(Knockout()),
    st.builds(
        Knockout, st.sampled_from(["blame", "cascade", "dropout"]), shares, tokens=st.booleans()
    ),
    st.builds(
        Knockout, st.just("iterate"), shares, rounds=st.integers(1, 99), tokens=st.booleans()
    ),
    st.builds(Knockout, st.sampled_from(["latest", "leaves", "residues"]), shares),
    st.builds(Knockout, st.sampled_from(["random", "random-blame"]), shares, seed=seeds),
    st.builds(Knockout, st.just("trim"), st.integers(1, 10**8).map(Fraction)),
)


@given(variants)
def test_every_variant_is_read_back(variant):
    assert parse_knockout(str(variant)) == variant
    assert not set(str(variant)) & set("/\\ ,()'\"*?:")
