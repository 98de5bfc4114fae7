"""Messages about wrong values, derived from the models."""

from typing import Annotated, Literal

import pytest
from pydantic import Field

from seggrid.base.errors import InputError, InputErrors
from seggrid.base.settings import OneOrMore, Settings


class Inner(Settings):
    """Inner settings."""

    size: Annotated[int, Field(gt=0, lt=10)] = 1
    """How many."""


class Outer(Settings):
    """Outer settings."""

    named: dict[str, Inner] | None = None

    inner: Inner = Field(default_factory=Inner)
    sizes: OneOrMore[Annotated[int, Field(ge=1)]] = Field([1])
    share: Annotated[float, Field(ge=0, le=1)] = 0.5
    case: Literal["keep", "lower"] = "keep"


def test_values_that_fit():
    settings = Outer.from_values({"inner": {"size": 2}, "sizes": 3, "share": 1})
    assert (settings.inner.size, settings.sizes, settings.share) == (2, [3], 1)
    assert Outer.from_values({"sizes": [3, 4]}).sizes == [3, 4]


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (
            {"inner": {"size": 10}},
            "inner.size: 10 is out of range (give more than 0 and less than 10)",
        ),
        ({"inner": {"size": True}}, "inner.size: yes is not a whole number"),
        ({"inner": {"sice": 1}}, "inner.sice: unknown key 'sice' (did you mean 'size'?)"),
        ({"inner": 3}, "inner: 3 is not a mapping"),
        ({"inner": "3"}, "inner: '3' is not a mapping (write inner: {size: 3})"),
        ({"named": "3"}, "named: '3' is not a mapping (write named: {NAME: 3})"),
        (
            {"named": {"size": {"sice": 1}}},
            "named.size.sice: unknown key 'sice' (did you mean 'size'?)",
        ),
        ({"sizes": [1, "2"]}, "sizes: '2' is not a whole number (write it without quotes: 2)"),
        (
            {"sizes": "010"},
            "sizes: '010' is not a whole number (write it without zeros before it: 10)",
        ),
        ({"share": "0.5"}, "share: '0.5' is not a number (write it without quotes: 0.5)"),
        ({"share": ".5"}, "share: '.5' is not a number (write it without quotes: .5)"),
        ({"sizes": 0}, "sizes: 0 is out of range (give 1 or more)"),
        ({"share": 2}, "share: 2 is out of range (give 0 to 1)"),
        ({"share": "1"}, "share: '1' is not a number (write it without quotes: 1)"),
        ({"share": float("inf")}, "share: .inf is not a finite number"),
        (
            {"case": "keep, lower"},
            "case: 'keep, lower' is not one of its values (write a list: [keep",
        ),
        (
            {"case": "keep, low"},
            "case: 'keep, low' is not one of its values (did you mean 'keep'?)",
        ),
    ],
)
def test_a_mistake(values, said):
    with pytest.raises(InputError) as caught:
        Outer.from_values(values)
    assert str(caught.value).startswith(said)


@pytest.mark.parametrize("text", ["1.5", "2..4", "2020-01-01", "+-1", "1.2.3, 4"])
def test_no_hint_that_would_be_refused_again(text):
    with pytest.raises(InputError) as caught:
        Outer.from_values({"sizes": text})
    assert str(caught.value) == f"sizes: {text!r} is not a whole number"


def test_all_mistakes_are_told():
    with pytest.raises(InputErrors) as caught:
        Outer.from_values({"inner": {"size": 0}, "sizes": 0, "share": 2, "x": 1})
    assert len(caught.value.errors) == 4
