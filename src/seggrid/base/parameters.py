"""Parameters that commands, jobs, Python functions and configs have: type, bounds and help, declared once.

`Seed = Annotated[int, Interval(ge=0, le=2**32 - 1), Help("seed of all random choices")]` is the type of a
parameter. From the signature of a function, `seggrid.base.options` makes the options of a command or script,
`checked` checks the arguments of callers in Python, and a model of a config reads the same bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, wraps
from inspect import signature
from math import inf
from os import PathLike, fspath
from types import NoneType
from typing import (
    Annotated,
    Any,
    Literal,
    NamedTuple,
    ParamSpec,
    TypeVar,
    Unpack,
    get_args,
    get_origin,
    get_type_hints,
)

from annotated_types import Interval

from seggrid.base.axis import Axis
from seggrid.base.errors import InputError, either, one_line

_P = ParamSpec("_P")
_T = TypeVar("_T")

LARGEST = (1 << 63) - 1


@dataclass(frozen=True)
class Help:
    """What users read of a parameter.

    Attributes:
        text: its help.
        flags: the names of its option, in place of `--` and its own name.
        metavar: how its value is called.
    """

    text: str = ""
    flags: tuple[str, ...] = ()
    metavar: str | tuple[str, ...] | None = None


class Group(NamedTuple):
    """A part of the help.

    Attributes:
        title: its heading.
        about: the text below the heading.
        exclusive: whether only one of its parameters may be given.
    """

    title: str
    about: str | None = None
    exclusive: bool = False


class Choices(NamedTuple):
    """The values of a parameter, where they are not a `Literal`."""

    values: Collection[Any]


class Defaults(NamedTuple):
    """The object that has the defaults of a typed dictionary of parameters, as attributes."""

    of: object


class PassedOn(NamedTuple):
    """Says that a parameter takes all arguments of a command from the first option on that is not one of its
    own; `name` is how the help calls them."""

    name: str


class Rule(NamedTuple):
    """Which values an argument may have: whether it holds for one, and what is expected, for the message."""

    holds: Callable[[Any], bool]
    expected: str


# Readers of options: a function in the annotation reads the text of the option.


def input_file(text: str) -> str:
    """The type of an option that names a file to read, or a folder of such files; `-` is standard input."""
    return text


def output_file(text: str) -> str:
    """The type of an option that names a file to write; `-` is standard output."""
    return text


def output_folder(text: str) -> str:
    """The type of an option that names a folder to write, which is replaced as a whole."""
    return text


InputFile = Annotated[str, input_file]
OutputFile = Annotated[str, output_file]
OutputFolder = Annotated[str, output_folder]
Output = Annotated[OutputFile, Help(flags=("-o", "--output"))]
"""The file to which a command writes its result."""
COMPRESSED = "; compressed if the name ends in .gz or .zst; by default, standard output"
"""The end of the help of an output that may be left out."""

Seed = Annotated[int, Interval(ge=0, le=2**32 - 1), Help("seed of all random choices")]
Threads = Annotated[
    int,
    Interval(ge=1, le=1024),
    Help(
        "number of threads; results do not depend on it, but those of tuning do in the last digits"
    ),
]
NameOfPair = Annotated[str, Help("name of the pair, on which seeds depend", ("--name",))]
Share = Annotated[float, Interval(ge=0, le=1)]
Resamples = Annotated[
    int,
    Interval(ge=1, le=100_000),
    Help("number of bootstrap resamples for the intervals"),
]


VocabFile = Annotated[InputFile, Help("vocab.json that belongs to merges.txt")]
FormatOfMorphemes = Annotated[
    Literal["surface", "celex"],
    Help(
        "its format; surface: words as a text has them, each cut into morphemes; celex: lemmas (library, not "
        "libraries)",
        ("--morphemes-format",),
    ),
]


class Declared(NamedTuple):
    """A parameter's type, without None and `Annotated`, and what is declared of it."""

    kind: Any
    marks: tuple[Any, ...]
    optional: bool

    @classmethod
    def of(cls, hint: Any) -> Declared:
        """Take a type apart.

        >>> Declared.of(Share | None)[::2]
        (<class 'float'>, True)
        """
        marks: tuple[Any, ...] = ()
        optional = False
        while True:
            parts = get_args(hint)
            if get_origin(hint) is Annotated:
                hint, marks = parts[0], (*parts[1:], *marks)
            elif len(parts) == 2 and NoneType in parts:
                (hint,) = (part for part in parts if part is not NoneType)
                optional = True
            else:
                return cls(hint, marks, optional)

    def every(self, kind: type[_T]) -> list[_T]:
        """The marks of a kind."""
        return [mark for mark in self.marks if isinstance(mark, kind)]

    def mark(self, kind: type[_T]) -> _T | None:
        """The last mark of a kind."""
        return next(reversed(self.every(kind)), None)

    @property
    def help(self) -> Help | None:
        """What users read, put together from all that is told; None for a parameter of a job."""
        told = self.every(Help)
        if not told:
            return None
        text, flags, metavar = (
            next(filter(None, values), None)
            for values in zip(
                *((one.text, one.flags, one.metavar) for one in told[::-1]), strict=True
            )
        )
        return Help(text or "", flags or (), metavar)

    @property
    def choices(self) -> tuple[Any, ...] | None:
        """The values, if they are enumerated."""
        if get_origin(self.kind) is Literal:
            return get_args(self.kind)
        listed = self.mark(Choices)
        return None if listed is None else tuple(listed.values)

    @property
    def bounds(self) -> tuple[Any, Any] | None:
        """The least and the largest number, if there are bounds."""
        within = self.mark(Interval)
        if within is None:
            return None
        least = -inf if within.ge is None else within.ge
        most = within.le if within.le is not None else LARGEST if self.kind is int else inf
        return least, most

    @property
    def rule(self) -> Rule | None:
        """Which values are allowed; None if that is not declared."""
        found = self.mark(Rule) or self._rule()
        if found is None or not self.optional:
            return found
        holds, expected = found
        return Rule(lambda value: value is None or holds(value), f"{expected}, or None")

    def _rule(self) -> Rule | None:
        axis = self.mark(Axis)
        if values := tuple(axis.choices) if axis else self.choices:
            return one_of(*values)
        if self.kind is int and self.bounds:
            return whole(*self.bounds)
        if self.kind is float and self.marks:
            return real(*self.bounds or (-inf, inf))
        return _RULES.get(self.kind)


def _numpy() -> Any:
    """NumPy, whose numbers are numbers too; its import takes as long as all of `seggrid --help`."""
    import numpy

    return numpy


def without_numpy(values: Mapping[str, Any]) -> dict[str, Any]:
    """Values of settings, of which those of NumPy become Python's own."""
    return {
        name: value.item() if isinstance(value, _numpy().generic) else value
        for name, value in values.items()
    }


def whole(least: int, most: int) -> Rule:
    """Whole numbers."""
    return Rule(
        lambda value: (
            isinstance(value, int | _numpy().integer)
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
            isinstance(value, int | float | _numpy().number)
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


_RULES = {
    bool: Rule(lambda value: isinstance(value, bool | _numpy().bool_), "True or False"),
    str: Rule(lambda value: isinstance(value, str), "a text"),
}


def is_path(value: object) -> bool:
    """Whether a value is a path."""
    return isinstance(value, str | PathLike)


AnyPath = Annotated[str | PathLike[str], Rule(is_path, "a path")]
Files = Annotated[
    str | PathLike[str] | Sequence[str | PathLike[str]],
    Rule(
        lambda value: (
            is_path(value) or (isinstance(value, list | tuple) and all(map(is_path, value)))
        ),
        "a path, or a list of them",
    ),
]
"""A file, or several."""


Ids = Annotated[
    Iterable[str],
    Rule(
        lambda value: isinstance(value, Iterable) and not isinstance(value, str | PathLike | bytes),
        "the id of each sentence, such as ['a', 'b']",
    ),
]


def paths_of(files: Files | None) -> tuple[str, ...]:
    """The paths of a file, or of several."""
    given = [files] if isinstance(files, str | PathLike) else files or ()
    return tuple(fspath(file) for file in given)


Progress = Annotated[Callable[[str], None], Rule(callable, "a function")]
"""Called with messages on progress."""


def checked(function: Callable[_P, _T]) -> Callable[_P, _T]:
    """A function that refuses arguments outside of what the types of its parameters declare; for
    `**name: Unpack[T]`, those of the typed dictionary."""
    known = signature(function)
    rest = next((own.name for own in known.parameters.values() if own.kind is own.VAR_KEYWORD), "")

    @cache
    def declared() -> tuple[dict[str, Rule | None], bool]:
        """The rules of all parameters, and whether no other keywords are allowed."""
        hints = get_type_hints(function, include_extras=True)
        found = {name: hints[name] for name in known.parameters if name in hints}
        typed = get_origin(found.get(rest)) is Unpack
        if typed:
            found |= get_type_hints(get_args(found.pop(rest))[0], include_extras=True)
        return {name: Declared.of(hint).rule for name, hint in found.items()}, typed

    @wraps(function)
    def call(*args: _P.args, **kwargs: _P.kwargs) -> _T:
        given = known.bind(*args, **kwargs).arguments
        given |= given.pop(rest, {})
        rules, closed = declared()
        for name, value in given.items():
            if closed and name not in known.parameters and name not in rules:
                message = f"{function.__name__}() got an unexpected keyword argument {name!r}"
                raise TypeError(message)
            rule = rules.get(name)
            if rule is not None and not rule.holds(value):
                shown = one_line(repr(value), 80)
                raise InputError(f"{name}={shown}", hint=f"give {rule.expected}")
        return function(*args, **kwargs)

    return call
