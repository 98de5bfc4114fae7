"""Read and check the config: everything that can be wrong with it is said before a job starts.

Every message is one line that names the file, the line and a hint.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

import yaml
from jsonschema import Draft202012Validator, ValidationError

from seggrid.errors import InputError


def check_config(
    config: Mapping[str, Any], schema_file: str | Path, config_files: Sequence[str | Path] = ()
) -> dict[str, Any]:
    """The config with lists for single axis values and every default filled in.

    Args:
        config: as Snakemake merged it from the files and the command line.
        schema_file: the JSON schema, as YAML.
        config_files: the files it came from, later ones over earlier ones, to name lines.

    Raises:
        InputError: for the first thing that does not fit the schema.
    """
    schema = yaml.safe_load(Path(schema_file).read_text(encoding="utf-8"))
    filled = _listed(deepcopy(dict(config)), schema, schema)
    errors = sorted(
        Draft202012Validator(schema).iter_errors(filled), key=lambda e: [str(p) for p in e.path]
    )
    if errors:
        raise _explain(errors[0], filled, config_files)
    return _with_defaults(filled, schema, schema)


def blame(
    message: str, path: Sequence[str | int], config_files: Sequence[str | Path], hint: str | None
) -> InputError:
    """An error about the config key at `path`, with the file and line that set it."""
    for file in reversed(config_files):
        line = key_line(Path(file), path)
        if line is not None:
            return InputError(message, file=file, line=line, hint=hint)
    file = config_files[-1] if config_files else "config"
    return InputError(message, file=file, hint=hint)


def key_line(file: Path, path: Sequence[str | int]) -> int | None:
    """The line, from 1, at which a YAML file sets a key, or None where it does not.

    Where the last parts of the path are not in the file (a missing key), the line of what holds
    them is given.
    """
    try:
        node = yaml.compose(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError):
        return None
    line = None
    for part in path:
        if isinstance(node, yaml.MappingNode):
            found = [(key, value) for key, value in node.value if key.value == str(part)]
            if not found:
                break
            key, node = found[0]
            line = key.start_mark.line + 1
        elif isinstance(node, yaml.SequenceNode) and isinstance(part, int):
            if part >= len(node.value):
                break
            node = node.value[part]
            line = node.start_mark.line + 1
        else:
            break
    return line


def mirror_folder(config: Mapping[str, Any]) -> Path | None:
    """The folder that stands in for downloads, if one is given."""
    folder = os.environ.get("SEGGRID_MIRROR") or config["mirror"]
    return Path(folder) if folder else None


def _explain(
    error: ValidationError, config: Mapping[str, Any], config_files: Sequence[str | Path]
) -> InputError:
    path = list(error.absolute_path)
    where = ".".join(map(str, path)) or "config"
    if error.validator == "additionalProperties" and isinstance(error.instance, Mapping):
        known = error.schema.get("properties", {})
        unknown = next(key for key in error.instance if key not in known)
        return blame(
            f"{where}: unknown key {unknown!r}",
            [*path, unknown],
            config_files,
            f"known keys: {', '.join(known)}",
        )
    if error.validator == "required":
        missing = next(key for key in error.validator_value if key not in error.instance)
        return blame(f"{where}: key {missing!r} is missing", path, config_files, f"add {missing}:")
    if error.validator == "enum":
        allowed = ", ".join(map(_yaml, error.validator_value))
        return blame(
            f"{where}: {_yaml(error.instance)} is not a value", path, config_files, f"use {allowed}"
        )
    description = (error.schema.get("description") or "").strip()
    return blame(f"{where}: {error.message}", path, config_files, description or None)


def _yaml(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def resolve(schema: Mapping[str, Any], root: Mapping[str, Any]) -> Mapping[str, Any]:
    """A schema with what its `$ref` points to; keys beside the reference go over it."""
    if "$ref" not in schema:
        return schema
    node: Any = root
    for part in schema["$ref"].removeprefix("#/").split("/"):
        node = node[part]
    beside = {key: value for key, value in schema.items() if key != "$ref"}
    return {**resolve(node, root), **beside}


def _children(
    value: Any, schema: Mapping[str, Any], root: Mapping[str, Any]
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Schema of each key of a mapping that has one."""
    known = schema.get("properties", {})
    other = schema.get("additionalProperties")
    for key in value:
        if key in known:
            yield key, resolve(known[key], root)
        elif isinstance(other, Mapping):
            yield key, resolve(other, root)


def _listed(value: Any, schema: Mapping[str, Any], root: Mapping[str, Any]) -> Any:
    """Put single values into lists where the schema wants a list; `none` for YAML's null there."""
    if schema.get("type") == "array" and not isinstance(value, list):
        value = [value]
    if isinstance(value, dict):
        for key, inner in _children(value, schema, root):
            value[key] = _listed(value[key], inner, root)
    return value


def _with_defaults(value: Any, schema: Mapping[str, Any], root: Mapping[str, Any]) -> Any:
    if isinstance(value, dict):
        for key, inner in schema.get("properties", {}).items():
            inner = resolve(inner, root)
            if key not in value and "default" in inner:
                value[key] = deepcopy(inner["default"])
        for key, inner in _children(value, schema, root):
            value[key] = _with_defaults(value[key], inner, root)
    return value
