import pytest
from hypothesis import given
from hypothesis import strategies as st

from seggrid.errors import InputError
from seggrid.morphology.variants import Knockout, parse_knockout


@pytest.mark.parametrize(
    ("text", "variant"),
    [
        ("none", Knockout()),
        ("blame-0.5", Knockout("blame", 0.5)),
        ("blame-1", Knockout("blame", 1.0)),
        ("blame-0.5-tokens", Knockout("blame", 0.5, tokens=True)),
        ("cascade-0.25", Knockout("cascade", 0.25)),
        ("iterate-0.5x3", Knockout("iterate", 0.5, rounds=3)),
        ("iterate-0.5x12-tokens", Knockout("iterate", 0.5, rounds=12, tokens=True)),
        ("dropout-0.5", Knockout("dropout", 0.5)),
        ("random-0.08", Knockout("random", 0.08)),
        ("random-0.08-seed7", Knockout("random", 0.08, seed=7)),
        ("latest-0.000001", Knockout("latest", 0.000001)),
        ("trim-5", Knockout("trim", 5.0)),
        ("trim-1000000", Knockout("trim", 1000000.0)),
    ],
)
def test_names(text, variant):
    assert parse_knockout(text) == variant
    assert str(variant) == text
    assert not set(text) & set("/\\ ,()'\"*?:")


@pytest.mark.parametrize("text", ["blame-0.50", "blame-0.500000"])
def test_one_name_a_variant(text):
    assert str(parse_knockout(text)) == "blame-0.5"


@pytest.mark.parametrize(
    "text",
    [
        "", "blame", "blame-", "blame-0", "blame-0.0", "blame-1.1", "blame-.5", "blame-0.5 ",
        "blame-0.5\n", "blame-5e-1", "blame-0.5-seed1", "blame-0.5x3", "iterate-0.5", "blame-٠.٥",
        "iterate-0.5x0", "latest-0.1-tokens", "trim-0", "trim-1.5", "none-1", "random-0.1-seed-1",
        "Blame-0.5", "knockout-0.5",
    ],
)  # fmt: skip
def test_anything_else_is_refused(text):
    with pytest.raises(InputError):
        parse_knockout(text)


variants = st.one_of(
    st.builds(
        Knockout,
        st.sampled_from(["blame", "cascade", "dropout"]),
        st.integers(1, 10**6).map(lambda n: n / 10**6),
        tokens=st.booleans(),
    ),
    st.builds(
        Knockout,
        st.just("random"),
        st.integers(1, 10**6).map(lambda n: n / 10**6),
        seed=st.none() | st.integers(0, 10**9 - 1),
    ),
    st.builds(Knockout, st.just("trim"), st.integers(1, 10**8).map(float)),
)


@given(variants)
def test_every_variant_is_read_back(variant):
    assert parse_knockout(str(variant)) == variant
