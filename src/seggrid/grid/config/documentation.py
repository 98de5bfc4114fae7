"""The config's JSON schema, by which editors check configs, and its keys as a table, from its models."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue

from seggrid.errors import either
from seggrid.grid.config import Config

Schema = Mapping[str, Any]


class _Plain(GenerateJsonSchema):
    """JSON schema without titles of keys, and without `null`: optional keys are left out, not set to null."""

    def nullable_schema(self, schema: Any) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])

    def default_schema(self, schema: Any) -> JsonSchemaValue:
        found = super().default_schema(schema)
        return {key: value for key, value in found.items() if (key, value) != ("default", None)}

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


def json_schema() -> dict[str, Any]:
    """The config's JSON schema."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **Config.model_json_schema(schema_generator=_Plain),
        "title": "Config of seggrid",
    }


def schema_text() -> str:
    """The content of the file that editors read."""
    return json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n"


def _resolve(node: Schema, root: Schema) -> Schema:
    """A JSON schema with its `$ref` resolved. Of alternatives, the last is taken: for one or more values, the
    list."""
    while "$ref" in node or "anyOf" in node:
        own = {key: value for key, value in node.items() if key not in ("$ref", "anyOf")}
        inner = node["anyOf"][-1] if "anyOf" in node else root["$defs"][node["$ref"][8:]]
        node = {**inner, **own}
    return node


HEAD = "| key | value | default | meaning |\n| --- | --- | --- | --- |\n"


def keys_tables(schema: Schema) -> str:
    """A row for each key: its path, type, default and description. Keys of one value are in the first table;
    each mapping has a table of its own, below a heading."""
    values, mappings = HEAD, []
    for name, key in schema["properties"].items():
        rows = "".join(
            _row(path, own, schema)
            for path, own in _walk({"properties": {name: key}}, schema, "", {})
        )
        if rows.count("\n") == 1:
            values += rows
        else:
            mappings.append(f"### Keys below `{name}`\n\n{HEAD}{rows}")
    return "\n".join([values, *mappings])


def _row(path: str, key: Schema, schema: Schema) -> str:
    default = f"`{_inline(key['default'])}`" if "default" in key else ""
    meaning = " ".join(key.get("description", "").split()).replace("|", "\\|")
    return f"| `{path}` | {_kind(key, schema)} | {default} | {meaning} |\n"


def _walk(
    node: Schema, root: Schema, path: str, walked: dict[str, str]
) -> Iterator[tuple[str, Schema]]:
    """All keys below a node. Keys with the same schema (`source`, `target`) are walked once."""
    children = list(node.get("properties", {}).items())
    if isinstance(node.get("additionalProperties"), dict):
        children.append(("NAME", node["additionalProperties"]))
    for name, child in children:
        key = _resolve(child, root)
        here = f"{path}.{name}" if path else name
        reference = child.get("$ref", here) if "properties" in key else here
        if reference in walked:
            yield here, {**key, "description": f"The same keys as `{walked[reference]}`."}
            continue
        walked[reference] = here
        if here != _EXPERIMENT:
            key = _with_axes_named(key, root)
        yield here, key
        yield from _walk(key, root, here, walked)


_EXPERIMENT = "experiments.NAME"


def _with_axes_named(key: Schema, root: Schema) -> Schema:
    """A key whose description names those of its keys that an experiment has, too, in place of their rows."""

    def described(properties: Schema) -> dict[str, object]:
        return {name: _resolve(own, root).get("description") for name, own in properties.items()}

    experiment = _resolve(root["properties"]["experiments"]["additionalProperties"], root)
    own = key.get("properties", {})
    axes = dict(described(own).items() & described(experiment["properties"]).items())
    if not axes:
        return key
    named = ", ".join(f"`{name}`" for name in own if name in axes)
    there = f"[`{_EXPERIMENT}`](#keys-below-experiments)"
    return {
        **key,
        "description": f"{key['description']} Keys as in {there}: {named}.",
        "properties": {name: own[name] for name in own if name not in axes},
    }


def _kind(key: Schema, root: Schema) -> str:
    if "enum" in key:
        return either([f"`{_inline(value)}`" for value in key["enum"]])
    if "oneOf" in key:
        return "path, or `url` and `sha256`"
    kind = key.get("type", "")
    if kind == "array":
        return "one or more: " + _kind(_resolve(key["items"], root), root)
    if isinstance(kind, list):
        return " or ".join(_KINDS[one] for one in kind)
    return _KINDS[kind] + (_limits(key) if kind in ("integer", "number") else "")


_KINDS = {
    "object": "mapping",
    "boolean": "yes or no",
    "string": "text",
    "integer": "whole number",
    "number": "number",
}


def _limits(key: Schema) -> str:
    low = f"{key['minimum']:,g}" if "minimum" in key else f"above {key['exclusiveMinimum']:,g}"
    high = f"{key['maximum']:,}" if "maximum" in key else f"below {key['exclusiveMaximum']:,g}"
    return f", {low} to {high.removesuffix('.0')}"


def _inline(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return "[" + ", ".join(map(_inline, value)) + "]"
    return "{}" if isinstance(value, dict) else str(value)
