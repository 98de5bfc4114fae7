"""Rates and thresholds are exact and have one spelling each."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seggrid.base.errors import InputError
from seggrid.base.rational import read_rational, spell_rational

rates = st.one_of(
    st.fractions(0, 1, max_denominator=10**6),
    st.integers(0, 10**12).map(lambda n: Fraction(n, 10**12)),
)


@given(rates)
def test_a_spelling_is_read_back_as_the_number_that_it_spells(number):
    assert read_rational(spell_rational(number)) == number


@given(st.floats(0, 1).map(lambda x: round(x, 9)))
def test_a_float_counts_as_its_shortest_decimal(number):
    assert read_rational(number) == Fraction(repr(number))


@pytest.mark.parametrize("text", ["0.5", "0.50", ".5", "5e-1", "1/2", "50/100", 0.5, "+0.5"])
def test_one_number_in_many_spellings(text):
    assert spell_rational(read_rational(text)) == "0.5"


def test_more_than_a_float_can_hold():
    assert read_rational("0.33333334") != read_rational("0.33333333")
    assert read_rational("1/3") * 9 == 3


WRITTEN = ["1/0", "1e-9999999", "9" * 5000, "0.1234567890123", "nan", "-0.5", "", "½", "1/2\n"]


@pytest.mark.parametrize("value", [*WRITTEN, True, float("nan"), float("inf"), -0.1, None, [0.5]])
def test_anything_else_is_refused_at_once(value):
    with pytest.raises(InputError, match="is not a number of at most 12 digits, 0 or more"):
        read_rational(value)
