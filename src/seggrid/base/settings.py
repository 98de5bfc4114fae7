"""Settings as pydantic models, and messages of one line for mistakes in their values.

A model defines the type, range, default and description of each setting. The schema and the reference of the
config, and the messages about wrong values, are made from models.
"""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Annotated, Any, NamedTuple, Self, TypeVar, get_args, get_origin

from pydantic import BaseModel, BeforeValidator, ConfigDict, GetJsonSchemaHandler, ValidationError
from pydantic.fields import FieldInfo
from pydantic.json_schema import JsonSchemaValue

from seggrid.base.errors import InputError, InputErrors, quoted_value, suggestion

T = TypeVar("T")


class Settings(BaseModel):
    """A group of settings. A value must have exactly its declared type; unknown keys are refused.

    The docstring of a model and those below its fields are what users read (`field_docstrings`).
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Self:
        """Build from values given by the user; all mistakes in them are raised together."""
        try:
            return cls.model_validate(values)
        except ValidationError as error:
            found = [
                InputError(": ".join(filter(None, [".".join(path), message])), hint=hint)
                for path, message, hint in mistakes(error, cls)
            ]
            raise InputErrors(found) from None


def field_docstrings(model: type[BaseModel]) -> dict[str, str]:
    """The docstrings below the fields of a model, from its source. pydantic would read them for all models
    whenever the package is imported, which takes a tenth of a short command."""
    found: dict[str, str] = {}
    for base in reversed(model.__mro__):
        if not issubclass(base, Settings):
            continue
        try:
            source = inspect.getsource(base)
        except OSError:  # of a model that a function has made
            continue
        (definition,) = ast.parse(textwrap.dedent(source)).body
        for own, below in pairwise(getattr(definition, "body", ())):
            match own, below:
                case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(ast.Constant(str(text))):
                    found[name] = inspect.cleandoc(text)
    return found


class _OneOrMore:
    """A list that may be written as a single value if it has only one."""

    def __get_pydantic_json_schema__(
        self, core: Any, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        listed = handler(core)
        return {"anyOf": [listed["items"], listed]}


def _as_list(value: Any) -> Any:
    return value if isinstance(value, list | tuple) else [value]


TAGS = ("(string)", "(object)")
"""Tags for the members of a union, by their types; pydantic puts them into the paths of mistakes."""

OneOrMore = Annotated[list[T], BeforeValidator(_as_list), _OneOrMore()]
"""A list of values of one kind; a single value stands for a list of one."""


class Mistake(NamedTuple):
    """A mistake in a group of settings.

    Attributes:
        path: the keys to the value, without positions in lists.
        message: what is wrong.
        hint: the likely correction.
    """

    path: tuple[str, ...]
    message: str
    hint: str | None


def mistakes(error: ValidationError, model: type[BaseModel]) -> Iterator[Mistake]:
    """The mistakes that pydantic found in values of a model, with messages for users."""
    for details in error.errors(include_url=False):
        steps = (step for step in details["loc"] if step not in ("[key]", *TAGS))
        path = tuple(step for step in steps if isinstance(step, str))
        kind, value, context = details["type"], details["input"], details.get("ctx", {})
        if kind == "value_error" and isinstance(inner := context["error"], InputError):
            # A mistake in another file, such as that of a glossary, has a place of its own there.
            place = "".join(f"{part}:" for part in (inner.file, inner.line) if part is not None)
            yield Mistake(path, f"{place} {inner.message}".lstrip(), inner.hint)
        elif kind == "extra_forbidden":
            hint = suggestion(path[-1], _keys(model, path[:-1]))
            yield Mistake(path, f"unknown key {path[-1]!r}", hint)
        elif kind == "missing":
            inside = _keys(model, path)
            hint = f"add {path[-1]}: {f'{{{inside[0]}: …}}' if inside else '…'}"
            yield Mistake(path[:-1], f"the key {path[-1]!r} is missing", hint)
        else:
            text = quoted_value(value)
            problem = _PROBLEMS.get(kind) or _PROBLEMS.get(kind.split("_")[0]) or details["msg"]
            hint = _range(model, path) if "than" in kind else _hint(kind, value, text, context)
            if kind.startswith(("model", "dict")) and isinstance(value, str) and path:
                hint = f"write {path[-1]}: {{{[*_keys(model, path), 'NAME'][0]}: {value}}}"
            yield Mistake(path, f"{text} {problem}", hint)


def _keys(model: type[BaseModel], path: Sequence[str]) -> list[str]:
    """The keys of the mapping at a path; none if it is a mapping by names."""
    _, models, by_name = _walk(model, path)
    return [] if by_name else [key for own in models for key in own.model_fields]


def _walk(
    model: type[BaseModel], path: Sequence[str]
) -> tuple[list[FieldInfo], list[type[BaseModel]], bool]:
    """The fields at a path, the models that their values may have, and whether the value is a mapping by
    names."""
    fields, models, by_name = list[FieldInfo](), [model], False
    for step in path:
        if by_name:
            by_name = False
            continue
        fields = [own.model_fields[step] for own in models if step in own.model_fields]
        kinds = [field.annotation for field in fields]
        models = [inner for kind in kinds for inner in _models(kind)]
        by_name = any(
            get_origin(part) is dict for kind in kinds for part in (kind, *get_args(kind))
        )
    return fields, models, by_name


def _range(model: type[BaseModel], path: Sequence[str]) -> str:
    """Which numbers the value at a path may have."""
    fields, _, _ = _walk(model, path)
    limits: dict[str, Any] = {}
    for field in fields:
        limits |= _limits(field)
    if limits.keys() == {"ge", "le"}:
        return f"give {_number(limits['ge'])} to {_number(limits['le'])}"
    told = (text.format(_number(limits[name])) for name, text in _BOUNDS.items() if name in limits)
    return f"give {' and '.join(told)}"


def _limits(kind: Any) -> dict[str, Any]:
    """The limits of a number, which may stand anywhere in its type."""
    is_field = isinstance(kind, FieldInfo)
    limits = {name: getattr(kind, name) for name in _BOUNDS if hasattr(kind, name)}
    for part in [kind.annotation, *kind.metadata] if is_field else get_args(kind):
        limits |= _limits(part)
    return limits


def _number(limit: float) -> str:
    return f"{int(limit) if limit == int(limit) else limit:,}"


def _models(kind: Any) -> list[type[BaseModel]]:
    """The models in a type, such as `dict[str, Pair] | None`."""
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return [kind]
    return [model for part in get_args(kind) for model in _models(part)]


_PROBLEMS = {
    "int": "is not a whole number",
    "float": "is not a number",
    "finite": "is not a finite number",
    "bool": "is not yes or no",
    "string_type": "is not text",
    "list": "is not a list",
    "dict": "is not a mapping",
    "model": "is not a mapping",
    "literal": "is not one of its values",
    "greater": "is out of range",
    "less": "is out of range",
    "too_short": "is empty",
    "string_too_short": "is empty",
    "too_long": "is too long",
    "string_too_long": "is too long",
}
"""What is wrong, by pydantic's name for it or the name's first word; for others, its message is shown."""

_BOUNDS = {"ge": "{} or more", "gt": "more than {}", "le": "{} or less", "lt": "less than {}"}
_LENGTHS = {"min_length": "at least {}", "max_length": "at most {:,}"}
"""How the limits of a number, and of a length, are told, by pydantic's names for them."""

_WHOLE = r"[+-]?\d+"
_REAL = r"[+-]?(\d+(\.\d*)?|\.\d+)"


def _hint(kind: str, value: Any, text: str, context: Mapping[str, Any]) -> str | None:
    """How a value is most likely meant to be written."""
    for name, limit in _LENGTHS.items():
        if name in context:
            return f"give {limit.format(context[name])}"
    if kind == "literal_error":
        choices = re.findall(r"'([^']*)'", context["expected"])
        parts = value.strip("[]").split(", ") if isinstance(value, str) else []
        if len(parts) > 1 and set(parts) <= set(choices):
            return f"write a list: [{', '.join(parts)}]"
        return suggestion(str(value), choices)
    if kind.startswith(("int", "float")) and isinstance(value, str):
        numbers = value.strip("[]")
        one = _WHOLE if kind.startswith("int") else _REAL
        if re.fullmatch(f"{one}(, *{one})*", numbers, re.ASCII):
            return f"write a list: [{numbers}]" if "," in numbers else _unquoted(numbers)
    if kind.startswith("int") and isinstance(value, float) and value.is_integer():
        return f"write {value:.0f}"
    if kind.startswith("bool") and value in ("yes", "no", "true", "false", "on", "off"):
        return _unquoted(value)
    if kind == "string_type" and not isinstance(value, list | dict):
        return f'quote it: "{text}"'
    several = isinstance(value, list | dict) and not kind.startswith(("model", "dict"))
    return "give one value" if several else None


def _unquoted(text: str) -> str:
    without = re.sub(r"^0+(?=\d)", "", text)
    return f"write it without {'quotes' if without == text else 'zeros before it'}: {without}"
