"""Settings as pydantic models, and messages of one line for mistakes in their values.

A model defines the type, range, default and description of each setting. The schema and the reference of the
config, and the messages about wrong values, are made from models.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Annotated, Any, NamedTuple, Self, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, GetJsonSchemaHandler, ValidationError
from pydantic.json_schema import JsonSchemaValue

from seggrid.errors import InputError, InputErrors, either, show, suggestion

Schema = Mapping[str, Any]
T = TypeVar("T")


class Settings(BaseModel):
    """A group of settings. A value must have exactly its declared type; unknown keys are refused.

    The docstring of a model and the descriptions of its fields are what users read.
    """

    model_config = ConfigDict(
        extra="forbid", frozen=True, strict=True, allow_inf_nan=False, use_attribute_docstrings=True
    )

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Self:
        """Build from values given by the user.

        Raises:
            InputError: keys are unknown or values are wrong; all of these are named.
        """
        try:
            return cls.model_validate(values)
        except ValidationError as error:
            found = [
                InputError(
                    ": ".join([*filter(None, [".".join(wrong.path)]), wrong.message]),
                    hint=wrong.hint,
                )
                for wrong in mistakes(error, cls)
            ]
            raise InputErrors(found) from None


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
"""Tags for the members of a union, named after their types; messages find by them which member the user
meant."""

OneOrMore = Annotated[list[T], BeforeValidator(_as_list), _OneOrMore()]
"""A list of values of one kind; a single value stands for a list of one."""


class Mistake(NamedTuple):
    """A mistake in a group of settings.

    Attributes:
        path: the keys to the value; positions in lists are left out.
        message: the message.
        hint: the likely correction, if there is one.
    """

    path: tuple[str, ...]
    message: str
    hint: str | None


def mistakes(
    error: ValidationError,
    model: type[BaseModel],
    written: Callable[[Sequence[str | int]], str | None] = lambda _: None,
) -> Iterator[Mistake]:
    """The mistakes that pydantic found, with messages for users.

    Args:
        error: the error of validating `model`.
        model: the outermost model.
        written: gives the text that the user wrote at a path if it differs from the value (`no` for False).
    """
    root = _schema_of(model)
    for details in error.errors(include_url=False):
        # Pydantic's paths have additional steps: `[key]` for the key of a mapping, and the tag of a union's
        # member.
        steps = [step for step in details["loc"] if step != "[key]"]
        where = [step for step in steps if step not in TAGS]
        path = tuple(step for step in where if isinstance(step, str))
        kind, value = details["type"], details["input"]
        if kind == "value_error" and isinstance(inner := details["ctx"]["error"], InputError):
            yield Mistake(path, inner.message, inner.hint)
            continue
        if kind == "extra_forbidden":
            outer = schema_at(root, steps[:-1])
            message, hint = _unknown(str(where[-1]), list(outer.get("properties", {})))
            yield Mistake(path, message, hint)
        elif kind == "missing":
            missing = schema_at(root, steps)
            hint = f"add {where[-1]}: {_placeholder(missing)}"
            yield Mistake(path[:-1], f"the key {where[-1]!r} is missing", hint)
        else:
            schema = schema_at(root, steps)
            text = written(where) or show(value)
            yield Mistake(path, *_wrong_value(kind, value, text, schema, str(where[-1])))


@cache
def _schema_of(model: type[BaseModel]) -> Schema:
    return model.model_json_schema()


def schema_at(root: Schema, path: Sequence[str | int]) -> Schema:
    """The JSON schema of the value at a path; empty if there is none."""
    node = resolve(root, root)
    for step in path:
        if isinstance(step, int):
            node = node.get("items", node)
        elif step in TAGS:
            members = (resolve(member, root) for member in node.get("oneOf", ()))
            node = next((m for m in members if f"({m.get('type')})" == step), {})
        else:
            node = node.get("properties", {}).get(step) or node.get("additionalProperties", {})
            if not isinstance(node, Mapping):
                return {}
        node = resolve(node, root)
    return node


def resolve(node: Schema, root: Schema) -> Schema:
    """A JSON schema with its `$ref` resolved. Among alternatives, the most informative is taken: for a file,
    the mapping; for one or more values, the list; for a key that may be left out, its values."""
    while True:
        extra = {key: value for key, value in node.items() if key not in ("$ref", "anyOf", "oneOf")}
        if "$ref" in node:
            inner = root["$defs"][node["$ref"].rpartition("/")[2]]
        elif members := node.get("anyOf"):
            inner = next((m for m in reversed(members) if m.get("type") != "null"), {})
        else:
            return node
        node = {**inner, **extra}


def _unknown(key: str, known: list[str]) -> tuple[str, str | None]:
    return f"unknown key {key!r}", suggestion(key, known)


def _placeholder(schema: Schema) -> str:
    if required := schema.get("required"):
        return "{" + ", ".join(f"{key}: …" for key in required) + "}"
    return "…"


_WANTED = {
    "integer": "a whole number",
    "number": "a number",
    "boolean": "yes or no",
    "string": "text",
    "array": "a list",
    "object": "a mapping",
}


def _wrong_value(
    kind: str, value: Any, text: str, schema: Schema, key: str
) -> tuple[str, str | None]:
    """Message and hint for a wrong value."""
    if schema.get("type") == "array" and not kind.startswith(("list", "too_")):
        schema = schema["items"]
    if kind == "literal_error":
        return _wrong_choice(value, text, schema)
    if kind.startswith(("less_than", "greater_than")):
        return f"{text} is out of range", _range(schema)
    if kind == "finite_number":
        return f"{text} is not a finite number", _range(schema)
    if kind == "too_short":
        return "an empty list", "give at least one value"
    if kind == "string_too_short":
        return "an empty text", "give it one, or leave it out"
    if kind in ("too_long", "string_too_long"):
        most = schema.get("maxItems") or schema.get("maxLength")
        return f"longer than {most:,}", "make it shorter"
    wanted = _WANTED.get(schema.get("type", ""), "allowed here")
    return f"{text} is not {wanted}", _hint(value, text, schema, key)


def _wrong_choice(value: Any, text: str, schema: Schema) -> tuple[str, str | None]:
    choices = schema.get("enum") or [schema.get("const")]
    message = f"{text} is not one of its values"
    if isinstance(value, str):
        parts = re.split(r"[,\s]+", value.strip("[] "))
        if len(parts) > 1 and set(parts) <= set(choices):
            return message, f"write a list: [{', '.join(parts)}]"
        texts = [choice for choice in choices if isinstance(choice, str)]
        if texts:
            return message, suggestion(value, texts)
    return message, f"use {either(choices)}"


def _hint(value: Any, text: str, schema: Schema, key: str) -> str | None:
    """The hint for a value of the wrong type: how it is most likely meant to be written."""
    kind = schema.get("type")
    if isinstance(value, str):
        if kind == "object":
            required = schema.get("required") or list(schema.get("properties", ()))[:1] or ["NAME"]
            only = value if len(required) == 1 else "…"
            return f"write {key}: {{{', '.join(f'{name}: {only}' for name in required)}}}"
        if kind == "boolean" and value.lower() in ("yes", "no", "true", "false", "on", "off"):
            return f"write it without quotes: {value}"
        if kind in ("integer", "number"):
            parts = re.split(r"[,\s]+", value.strip("[] "))
            if all(map(_is_number, parts)):
                if len(parts) > 1:
                    return f"write a list: [{', '.join(parts)}]"
                plain = re.sub(r"^([+-]?)0+(?=\d)", r"\1", value)
                return f"write it without quotes: {value}" if plain == value else f"write {plain}"
    elif kind == "string" and not isinstance(value, list | dict):
        return f'quote it: "{text}"'
    elif kind == "integer" and isinstance(value, float) and value.is_integer():
        return f"write {value:.0f}"
    elif kind == "boolean" and value in (0, 1):
        return f"write {'yes' if value else 'no'}"
    elif isinstance(value, list) and kind in ("integer", "number", "string", "boolean"):
        return "give one value"
    return _range(schema) if kind in ("integer", "number") else None


def _is_number(text: str) -> bool:
    return re.fullmatch(r"[+-]?\d+(\.\d*)?|[+-]?\.\d+", text, re.ASCII) is not None


def _range(schema: Schema) -> str | None:
    """The hint for a number that is out of range.

    >>> _range({"minimum": 0.1, "maximum": 14}), _range({"minimum": 0, "exclusiveMaximum": 1})
    ('give 0.1 to 14', 'give a number from 0 and below 1')
    """
    least, most = schema.get("minimum"), schema.get("maximum")
    above, below = schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum")
    if least is not None and most is not None:
        return f"give {least:g} to {most:g}" if most < 10**6 else f"give {least} to {most}"
    limits = [f"from {least:g}"] if least is not None else []
    limits += [f"above {above:g}"] if above is not None else []
    limits += [f"up to {most:g}"] if most is not None else []
    limits += [f"below {below:g}"] if below is not None else []
    return f"give a number {' and '.join(limits)}" if limits else None
