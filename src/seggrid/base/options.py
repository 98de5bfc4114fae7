"""Options of a command or a script from the signature of its function.

A parameter with a `Help` is one of a command, for users; without, one of a job's script, whose command line
a rule writes. Positional-only parameters are arguments without a name; a data class, or a typed dictionary
with `Defaults`, is a group of parameters.
"""

from __future__ import annotations

import argparse
import inspect
import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import is_dataclass
from functools import partial
from pathlib import Path
from types import NoneType
from typing import (
    Any,
    Literal,
    NamedTuple,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from seggrid.base.axis import Axis
from seggrid.base.errors import one_line
from seggrid.base.parameters import (
    LARGEST,
    Declared,
    Defaults,
    Group,
    Help,
    PassedOn,
    input_file,
    output_file,
)
from seggrid.base.parsers import Parser

_T = TypeVar("_T")


class AxisOptions(NamedTuple):
    """Says of `**axes` which axes are options, in a group; those that are given become arguments. A function
    gives them, since plug-ins may add some, each with the default that its help tells, or None."""

    axes: Callable[[], list[tuple[Axis[Any], Any]]]
    group: Group


def add_options(parser: argparse.ArgumentParser, function: Callable[..., Any]) -> None:
    """Add the options of a function: one for each parameter or, for a data class, for each of its fields.

    For users: `T | None` may be left out; `tuple[T, T]` takes two values, `tuple[T, ...]` one or more,
    `Sequence[T]` one each time that it is given; a `bool` is given alone; a function among what is declared
    reads the text.

    For jobs: `T | None` takes an empty text as None; `list[T]` takes any number of values; a `bool` is given
    alone or with True or False; `dict` and `list[tuple]` are JSON, or `@FILE` that has it; a class with
    `from_text`, such as `Side` or `Part`, is written as in paths.
    """
    groups: dict[Group, Parser] = {}
    for parameter, declared, group in _options(function):
        place = parser if group is None else _place(parser, group, groups)
        if several := declared.every(AxisOptions):
            for mark in several:
                for each, told in mark.axes():
                    add_axis(_place(parser, mark.group, groups), each, told=told)
        elif (rest := declared.mark(PassedOn)) is not None:
            parser.set_defaults(passed_on=rest)
        elif (axis := declared.mark(Axis)) is not None:
            add_axis(place, axis, parameter.default)
        elif declared.help is None:
            _add_passed(place, parameter)
        else:
            _add_told(place, parameter, declared, declared.help)


def call_with_options(function: Callable[..., _T], read: dict[str, Any]) -> _T:
    """Call a function with the values of its options."""
    values, places = values_of(function, read), []
    for own in _parameters(function):
        if own.kind is own.POSITIONAL_ONLY:
            places.append(values.pop(own.name))
    return function(*places, **values)


def values_of(
    function: Callable[..., Any], read: dict[str, Any], defaults: Defaults | None = None
) -> dict[str, Any]:
    """The arguments of a function, from the values of all options."""
    values: dict[str, Any] = {}
    for own in _parameters(function, defaults):
        declared = Declared.of(own.annotation)
        if several := declared.every(AxisOptions):
            given = (axis for mark in several for axis, _ in mark.axes() if axis.name in read)
            values |= {axis.name: _axis_value(axis, read[axis.name]) for axis in given}
            continue
        if _is_group(declared.kind):
            fields = values_of(declared.kind, read, declared.mark(Defaults))
            values[own.name] = declared.kind(**fields)
            continue
        if declared.mark(PassedOn):
            values[own.name] = tuple(read["passed_on"])
            continue
        # Of several names, argparse keeps the value under the first that is not a single letter.
        name = min(_flags(own, declared), key=lambda flag: not flag.startswith("--"))
        value = read[name.lstrip("-").replace("-", "_")]
        is_list = get_origin(declared.kind) in (tuple, Sequence)
        values[own.name] = _as_tuples(value) if is_list else value
    return values


def _parameters(
    function: Callable[..., Any], defaults: Defaults | None = None
) -> list[inspect.Parameter]:
    """The parameters, with their types; those of a data class may be inherited from another module. The
    fields of a typed dictionary have the `defaults` that are declared."""
    types = get_type_hints(function, include_extras=True)
    if defaults is not None:
        kind = inspect.Parameter.KEYWORD_ONLY
        return [
            inspect.Parameter(name, kind, annotation=hint, default=getattr(defaults.of, name))
            for name, hint in types.items()
        ]
    found = inspect.signature(function).parameters.values()
    return [own.replace(annotation=types[own.name]) for own in found]


def _options(
    function: Callable[..., Any], group: Group | None = None, defaults: Defaults | None = None
) -> Iterator[tuple[inspect.Parameter, Declared, Group | None]]:
    """The parameters of a function and of its groups."""
    for parameter in _parameters(function, defaults):
        declared = Declared.of(parameter.annotation)
        inside = declared.mark(Group) or group
        if _is_group(declared.kind):
            yield from _options(declared.kind, inside, declared.mark(Defaults))
        else:
            yield parameter, declared, inside


def _is_group(kind: Any) -> bool:
    return is_typeddict(kind) or (is_dataclass(kind) and not hasattr(kind, "from_text"))


def _as_tuples(value: Any) -> Any:
    return tuple(map(_as_tuples, value)) if isinstance(value, list) else value


def _place(parser: argparse.ArgumentParser, group: Group, groups: dict[Group, Parser]) -> Parser:
    """The group of the parser, made when it is first needed."""
    if group not in groups:
        outer = next((own for own in groups if own.title == group.title), None)
        place = parser.add_argument_group(group.title, group.about) if outer is None else None
        found: Parser = place or groups[outer]  # type: ignore[index]
        groups[group] = found.add_mutually_exclusive_group() if group.exclusive else found
    return groups[group]


def _flags(parameter: inspect.Parameter, declared: Declared) -> tuple[str, ...]:
    """The names of an option, or the one of an argument."""
    if parameter.kind is parameter.POSITIONAL_ONLY:
        return (parameter.name,)
    told = declared.help
    return (told.flags if told else ()) or (f"--{parameter.name.replace('_', '-')}",)


def _add_told(parser: Parser, parameter: inspect.Parameter, declared: Declared, told: Help) -> None:
    """Add an option, or an argument, for users."""
    placed, required = (
        parameter.kind is parameter.POSITIONAL_ONLY,
        parameter.default is parameter.empty,
    )
    how: dict[str, Any] = {"help": told.text.replace("%", "%%")}
    if not placed:
        how["required"] = required
    if not required:
        default = parameter.default
        how["default"] = list(default) if isinstance(default, tuple) else default
    if declared.kind is bool:
        del how["required"], how["default"]
        parser.add_argument(*_flags(parameter, declared), action="store_true", **how)
        return
    one = declared
    while (origin := get_origin(one.kind)) in (tuple, Sequence):
        if origin is Sequence:
            how["action"] = "append"
        else:
            own = get_args(one.kind)
            optional = placed and not required
            how["nargs"] = ("*" if optional else "+") if own[-1] is Ellipsis else len(own)
        one = Declared.of(get_args(one.kind)[0])
    if placed and not required and "nargs" not in how:
        how["nargs"] = "?"
    how |= _reading(one)
    metavar = told.metavar
    if not metavar and not placed and how.get("type") in (input_file, output_file):
        metavar = "FILE"
    if metavar:
        how["metavar"] = metavar
    parser.add_argument(*_flags(parameter, declared), **how)


def _reading(declared: Declared) -> dict[str, Any]:
    """How the text of one value is read: its type, and its choices."""
    if choices := declared.choices:
        kinds = {*map(type, choices)}
        return {"choices": choices} | ({"type": int} if kinds == {int} else {})
    readers = [mark for mark in declared.marks if callable(mark)]
    if readers:
        return {"type": readers[-1]}
    if declared.kind is int and declared.bounds:
        return {"type": whole_number(*declared.bounds)}
    if declared.kind is float and declared.rule:
        return {"type": partial(_number, declared._replace(optional=False))}
    return {} if declared.kind is str else {"type": declared.kind}


def whole_number(least: int = 0, most: int = LARGEST) -> Callable[[str], int]:
    """A function that parses the value of an option as a whole number from `least` to `most`."""

    def read(text: str) -> int:
        if not re.fullmatch(r"-?[0-9]{1,19}", text):
            raise argparse.ArgumentTypeError(f"{one_line(text)!r} is not a whole number")
        if not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"{text} is not within {least} to {most}")
        return int(text)

    return read


def _number(declared: Declared, text: str) -> float:
    """Parse the value of an option as a number within the bounds that are declared."""
    rule = declared.rule
    assert rule is not None
    try:
        if rule.holds(value := float(text)):
            return value
    except ValueError:
        pass
    raise argparse.ArgumentTypeError(f"{one_line(text)!r} is not {rule.expected}")


def add_axis(
    parser: Parser, axis: Axis[Any], default: object = argparse.SUPPRESS, told: object = None
) -> None:
    """Add an option for an axis, with its name; its help says the default that is `told`."""
    text = axis.description.replace("%", "%%").replace("`", "")
    if told is not None:
        text = f"{text} By default, {axis.spell(told) if isinstance(told, bool) else told}."
    how: dict[str, Any] = {"default": default, "help": text}
    number = whole_number(axis.least, LARGEST if axis.most is None else axis.most)
    kinds: dict[str, Callable[[str], Any]] = {
        "integer": number,
        "count": lambda text: text if text == axis.uncounted else number(text),
    }
    if axis.kind == "flag":
        how["choices"] = ("yes", "no", *axis.choices)
    elif axis.choices:
        how["choices"] = axis.choices
    else:
        how |= {"type": kinds.get(axis.kind, str), "metavar": axis.kind.upper()}
    parser.add_argument(f"--{axis.name.replace('_', '-')}", **how)


def _axis_value(axis: Axis[Any], given: Any) -> Any:
    """The value of an axis as a caller in Python gives it."""
    return axis.read(given) if axis.kind == "flag" else given


def _add_passed(parser: Parser, parameter: inspect.Parameter) -> None:
    """Add an option of a job's script."""
    kind, required = parameter.annotation, parameter.default is parameter.empty
    given: dict[str, Any] = {} if required else {"default": parameter.default}
    if kind is bool:
        given |= {"nargs": "?", "const": True, "type": "True".__eq__, "default": False}
        required = False
    elif get_origin(kind) is list and get_args(kind)[0] is not tuple:
        (kind,) = get_args(kind)
        given |= {"action": "extend", "nargs": "*", "type": _reader(kind)}
        if not required:
            given["default"] = list(parameter.default)
    else:
        given["type"] = _reader(kind)
    name = f"--{parameter.name.replace('_', '-')}"
    parser.add_argument(name, required=required, metavar=parameter.name.upper(), **given)


def _reader(kind: Any) -> Callable[[str], Any]:
    """The function that reads the text of one value of a type."""
    if NoneType in get_args(kind):
        (kind,) = (each for each in get_args(kind) if each is not NoneType)
        read_value = _reader(kind)
        return lambda text: read_value(text) if text else None
    if get_origin(kind) is Literal:
        return partial(_choose, get_args(kind))
    if kind is dict or get_args(kind) == (tuple,):
        return _json
    read: Callable[[str], Any] = getattr(kind, "from_text", kind)
    return read


def _json(text: str) -> Any:
    return json.loads(Path(text[1:]).read_text("utf-8") if text.startswith("@") else text)


def _choose(choices: tuple[Any, ...], text: str) -> Any:
    """The one of some numbers or words that a text spells."""
    for choice in choices:
        if str(choice) == text:
            return choice
    raise argparse.ArgumentTypeError(f"{text!r} is none of {', '.join(map(str, choices))}")
