"""Check the arguments of the functions of `import seggrid`: a wrong one is a mistake of the user, told in one
line."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import signature
from math import inf
from os import PathLike
from typing import Any, NamedTuple, ParamSpec, TypeVar

import numpy as np

from seggrid.base.errors import InputError, either, one_line

_P = ParamSpec("_P")
_T = TypeVar("_T")


class Rule(NamedTuple):
    """Which values an argument may have: whether it holds for one, and what is expected, for the message."""

    holds: Callable[[Any], bool]
    expected: str

    def or_none(self) -> Rule:
        """The same rule, which also allows None."""
        return Rule(lambda value: value is None or self.holds(value), f"{self.expected}, or None")


def whole(least: int, most: int) -> Rule:
    """Whole numbers."""
    return Rule(
        lambda value: (
            isinstance(value, int | np.integer)
            and not isinstance(value, bool)
            and bool(least <= value <= most)
        ),
        f"a whole number from {least} to {most}",
    )


def real(least: float = -inf, most: float = inf) -> Rule:
    """Numbers that are not NaN."""
    bounds = f" from {least:g} to {most:g}" if most < inf else f", {least:g} or more"
    return Rule(
        lambda value: (
            isinstance(value, int | float | np.number)
            and not isinstance(value, bool)
            and bool(least <= value <= most)
        ),
        f"a number{bounds if least > -inf else ''}",
    )


def one_of(*values: Any) -> Rule:
    """Some values."""
    return Rule(
        lambda value: any(type(value) is type(one) and value == one for one in values),
        either([repr(value) for value in values]),
    )


FLAG = Rule(lambda value: isinstance(value, bool | np.bool_), "True or False")
PATH = Rule(lambda value: isinstance(value, str | PathLike), "a path")
PATHS = Rule(
    lambda value: (
        PATH.holds(value) or (isinstance(value, list | tuple) and all(map(PATH.holds, value)))
    ),
    "a path, or a list of them",
)
TEXT = Rule(lambda value: isinstance(value, str), "a text")
CALLABLE = Rule(callable, "a function")
SEED = whole(0, 2**32 - 1)
THREADS = whole(1, 1024)
COUNT = whole(0, (1 << 63) - 1)


def checked(**rules: Rule) -> Callable[[Callable[_P, _T]], Callable[_P, _T]]:
    """A decorator that checks arguments of a function by rules, by their names."""

    def decorate(function: Callable[_P, _T]) -> Callable[_P, _T]:
        known = signature(function)
        assert not set(rules) - set(known.parameters), function

        @wraps(function)
        def call(*args: _P.args, **kwargs: _P.kwargs) -> _T:
            given = known.bind(*args, **kwargs).arguments
            for name, rule in rules.items():
                if name in given and not rule.holds(given[name]):
                    raise InputError(
                        f"{name}={one_line(repr(given[name]), 80)}", hint=f"give {rule.expected}"
                    )
            return function(*args, **kwargs)

        return call

    return decorate
